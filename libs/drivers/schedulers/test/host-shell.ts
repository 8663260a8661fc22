import { spawn } from 'node:child_process';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a host text as a connection would: a shell with the text on its input. */
export function runText(shell: string[], text: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const [command, ...args] = shell;
  const child = spawn(command!, args, { env: { ...process.env, ...env }, detached: true });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (d) => (stdout += d));
  child.stderr.on('data', (d) => (stderr += d));
  child.stdin.end(`${text}\n`);
  // `close` comes when every holder of the output has let go of it, as with an SSH channel.
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}
