import { readFileSync, readdirSync } from 'node:fs';

/** A process and everything below it. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // it ended meanwhile
    }
  }
  const found: number[] = [];
  for (const waiting = [root]; waiting.length;) {
    const pid = waiting.pop()!;
    found.push(pid);
    waiting.push(...(children.get(pid) ?? []));
  }
  return found;
}

export interface Memory {
  /** Each shared page divided among those who share it: what the platform really holds. */
  pssMb: number;
  /** Plain sum, which counts PostgreSQL's shared buffers once per connection. */
  rssMb: number;
  processes: number;
}

/** Memory of a process tree, from the kernel's own account. */
export function memoryOf(root: number): Memory {
  let pss = 0;
  let rss = 0;
  let processes = 0;
  for (const pid of processTree(root)) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      pss += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
      rss += Number(/^Rss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
      processes++;
    } catch {
      // it ended meanwhile
    }
  }
  return { pssMb: pss / 1024, rssMb: rss / 1024, processes };
}

/** Watches the peak of a process tree while something runs. */
export function watchPeak(root: number): () => Memory {
  let peak = memoryOf(root);
  const timer = setInterval(() => {
    const now = memoryOf(root);
    if (now.pssMb > peak.pssMb) peak = now;
  }, 500);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
