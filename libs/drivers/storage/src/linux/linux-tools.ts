import type { Host } from '@libs/hosts';

export type Tool = 'find' | 'tar' | 'stat' | 'xargs';
const TOOLS: Tool[] = ['find', 'tar', 'stat', 'xargs'];
const KEEP_MS = 3_600_000;
const known = new Map<string, { tools: Promise<ReadonlySet<Tool>>; until: number }>();

/** Which of the GNU tools a host has; asked once an hour. Others have options of their own and are not used. */
export function hostTools(host: Host): Promise<ReadonlySet<Tool>> {
  const key = `${host.host}:${host.port}`;
  const found = known.get(key);
  if (found && found.until > Date.now()) return found.tools;
  const tools = ask(host);
  known.set(key, { tools, until: Date.now() + KEEP_MS });
  tools.catch(() => known.delete(key));
  return tools;
}

async function ask(host: Host): Promise<ReadonlySet<Tool>> {
  const script = TOOLS.map(
    (t) => `${t} --version 2>/dev/null </dev/null | grep -q GNU && echo ${t}`,
  );
  const { stdout } = await host.exec(`${script.join('\n')}\n:`, { timeoutMs: 20_000 });
  const said = new Set(stdout.split('\n'));
  return new Set(TOOLS.filter((tool) => said.has(tool)));
}
