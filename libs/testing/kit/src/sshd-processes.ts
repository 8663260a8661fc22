import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  name: string;
}

/** Processes below `pid` that run this program, found through every parent of that name. */
export function descendants(pid: number, name: string): number[] {
  const all = processes();
  const found: number[] = [];
  for (const parents = [pid]; parents.length;) {
    const parent = parents.pop();
    for (const p of all) {
      // OpenSSH 9.8 and later serve a session by `sshd-session`.
      if (p.parent !== parent || !p.name.startsWith(name)) continue;
      found.push(p.pid);
      parents.push(p.pid);
    }
  }
  return found;
}

function processes(): Process[] {
  if (process.platform !== 'linux') return fromPs();
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
        // The name stands in parentheses and may hold blanks and parentheses itself.
        const end = stat.lastIndexOf(')');
        const parent = Number(stat.slice(end + 2).split(' ')[1]);
        return [{ pid: Number(entry), parent, name: stat.slice(stat.indexOf('(') + 1, end) }];
      } catch {
        return []; // it ended meanwhile
      }
    });
}

function fromPs(): Process[] {
  const printed = execFileSync('ps', ['-Ao', 'pid=,ppid=,comm=']).toString();
  return printed
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!)
    .map(([, pid, parent, command]) => ({
      pid: Number(pid),
      parent: Number(parent),
      name: command!.split('/').pop()!,
    }));
}
