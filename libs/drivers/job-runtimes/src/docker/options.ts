import { plainText, type Word } from '@libs/macros';
import { Unlaunchable } from '../unlaunchable';

/** Options a job may give to `docker run`; each takes one value. */
const ALLOWED = new Set([
  '--add-host', '--cpus', '--cpuset-cpus', '--cpuset-mems', '--entrypoint', '--gpus', '--group-add', '--hostname',
  '-h', '--ip', '--ip6', '--label', '-l', '--log-driver', '--log-opt', '--memory', '-m', '--mount', '--network',
  '--net', '--network-alias', '--publish', '-p', '--tmpfs', '--volume', '-v', '--workdir', '-w',
]); // prettier-ignore
/** Options that belong to the platform. */
const RESERVED = new Set([
  '-d', '--detach', '-e', '--env', '--env-file', '--cidfile', '--name', '--rm', '--user', '-u',
]); // prettier-ignore

/** Refuses what is reserved, unknown, or no option at all: the first word that is none would become the image. */
export function checkDockerOptions(words: readonly Word[]): void {
  for (let i = 0; i < words.length; i++) {
    const first = words[i]![0];
    const text = first && 'text' in first ? first.text : '';
    const { name, value } = parse(text);
    if (RESERVED.has(name)) throw new Unlaunchable(`The docker option ${name} is reserved`);
    if (!ALLOWED.has(name)) {
      throw new Unlaunchable(`The docker option ${name || plainText(words[i]!)} is not supported`);
    }
    if (value) continue;
    if (words[i]!.length > 1 || ++i >= words.length)
      throw new Unlaunchable(`The docker option ${name} has no value`);
  }
}

/** `--name=value`, `-xvalue`, or a name whose value is the next word. */
function parse(text: string): { name: string; value: boolean } {
  if (text.startsWith('--')) {
    const [name] = text.split('=', 1);
    return { name: name!, value: text.includes('=') };
  }
  if (!text.startsWith('-')) return { name: '', value: false };
  return { name: text.slice(0, 2), value: text.length > 2 };
}
