import { type Host, quote } from '@libs/hosts';
import { type ArchiveFilter, archiveSelector } from '@libs/jobs-model';
import { ownFolders } from '../domain/archive-plan';

/** A listing of so many bytes is the longest that is read. */
const MAX_LISTING = 64 * 1024 * 1024;

/**
 * Gathers the outputs that are wanted in a folder of their own beside them, as further links to the same files: so any
 * number of them is one element of a transfer. Answers how many there are.
 */
export async function selectOutputs(
  host: Host,
  dir: string,
  uuid: string,
  filter: ArchiveFilter,
  timeoutMs: number,
): Promise<number> {
  const { control, selection } = ownFolders(uuid);
  const options = { timeoutMs, check: true };
  const own = quote('(', '-name', control, '-o', '-name', selection, ')', '-prune');
  const find = `cd ${quote(dir)} && find . ${own} -o ! -type d -print0`;
  const { stdout } = await host.exec(find, { ...options, maxOutput: MAX_LISTING });
  const wanted = archiveSelector(filter);
  const paths = stdout
    .split('\0')
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => path && wanted(path));
  if (!paths.length) return 0;
  const input = paths.map((path) => `${path}\0`).join('');
  const gather = (how: string) =>
    `cd ${quote(dir)} && rm -rf ${selection} && mkdir ${selection} && xargs -0 ${how} --parents -t ${selection} --`;
  const linked = await host.exec(gather('cp -lL'), { timeoutMs, input });
  // Not every file system has links.
  if (linked.code !== 0) await host.exec(gather('cp -L'), { ...options, input });
  return paths.length;
}
