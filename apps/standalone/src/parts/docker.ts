import { execFile } from 'node:child_process';

/** True when a Docker engine answers to the current user. */
export function hasDocker(): Promise<boolean> {
  return new Promise((done) => {
    execFile('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 3000 }, (error) =>
      done(!error),
    );
  });
}
