import { quote } from '@libs/hosts';
import { platform } from '@libs/platform-name';
import { CONTROL, controlDir } from '../control-files';
import type { LaunchPlan } from '../launch-plan';
import type { ContainerState, DetachedRuntime } from '../runtime';
import { Unlaunchable } from '../unlaunchable';
import { shellWords, wordsOf } from '../words';
import { checkDockerOptions } from './options';

/** Containers of this platform carry it, with the job's uuid. */
const label = (): string => `${platform().lower}.job`;
/** Where the engine's command leaves the container's id. */
export const CID_FILE = '.cid';

/** A bind mount in the notation of `--mount`, which is one line of CSV. */
function bind(source: string, target: string, readOnly: boolean): string {
  const field = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const fields = ['type=bind', `source=${source}`, `target=${target}`];
  return quote([...fields.map(field), ...(readOnly ? ['readonly'] : [])].join(','));
}

function binds(plan: LaunchPlan): string[] {
  const { mount } = platform();
  const at = (target: string) => `${mount.input}/${target.replace(/^\/+/, '')}`;
  return [
    bind(plan.execDir, mount.exec, false),
    bind(plan.inputDir, mount.input, true),
    bind(plan.outputDir, mount.output, false),
    ...plan.mounts.map(({ source, target }) => bind(source, at(target), true)),
  ].map((text) => `--mount ${text}`);
}

const STATES: Record<string, ContainerState['state']> = {
  created: 'made', running: 'active', paused: 'active', restarting: 'active', removing: 'active',
  exited: 'ended', dead: 'ended',
}; // prettier-ignore

/** Containers of a Docker engine on the host, one per job, named by its uuid. */
export const docker: DetachedRuntime = {
  name: 'DOCKER',
  detached: true,

  check({ image, containerArgs }) {
    if (!image || image.startsWith('-') || /\s/.test(image))
      throw new Unlaunchable(`${JSON.stringify(image)} is no name of an image`);
    checkDockerOptions(wordsOf(containerArgs));
  },

  fetches: () => undefined,
  leftovers: () => [],

  envFile: ({ env }) => env.map(({ key, value }) => `${key}=${value}\n`).join(''),

  prepare(plan) {
    // A mount point inside a read-only mount has to be there before.
    return plan.mounts
      .map(({ source, target }) => {
        const point = quote(`${plan.inputDir}/${target.replace(/^\/+/, '')}`);
        return `if [ -d ${quote(source)} ]; then mkdir -p ${point}
elif [ -e ${quote(source)} ]; then mkdir -p "$(dirname ${point})" && [ -e ${point} ] || : >${point}
else fail "there is no "${quote(source)}" to mount"; fi`;
      })
      .join('\n');
  },

  run(plan) {
    // The job's variables are not those of the shell that calls docker: they could redirect docker itself.
    const known = new Map(plan.env.map(({ key, value }) => [key, value]));
    const words = (args: readonly string[]) => shellWords(wordsOf(args), known);
    const head = [
      words([plan.prefix]),
      `docker run -d --name ${plan.uuid} --user "$(id -u):$(id -g)" --cidfile ${CID_FILE}`,
    ];
    return [
      head.filter(Boolean).join(' '),
      `--label ${label()}=${plan.uuid}`,
      `--env-file ${controlDir(plan.uuid)}/${platform().jobFile.env}`,
      words(plan.containerArgs),
      ...binds(plan),
      [quote(plan.image), words(plan.appArgs)].filter(Boolean).join(' '),
    ]
      .filter(Boolean)
      .join(' \\\n  ');
  },

  find: (uuid) => `docker container inspect --format '{{.Id}} {{.State.Status}}' ${uuid}`,
  resume: (uuid) => `docker start ${uuid}`,

  get states() {
    const format = '{{.Name}} {{.State.Status}} {{.State.ExitCode}} {{.State.FinishedAt}}';
    return `ids=$(docker ps -aq --no-trunc --filter label=${label()}) &&
  if [ -n "$ids" ]; then docker container inspect --format '${format}' $ids 2>/dev/null || :; fi`;
  },

  readStates(lines) {
    const found = new Map<string, ContainerState>();
    for (const line of lines) {
      const [name = '', status = '', code, at] = line.trim().split(' ');
      const state = STATES[status];
      if (!state) continue;
      const ended = state === 'ended' && { code: Number(code), at: new Date(at ?? '') };
      found.set(name.replace(/^\//, ''), { state, ...(ended || {}) });
    }
    return found;
  },

  get ends() {
    const attribute = '.Actor.Attributes';
    const format = `{{index ${attribute} "name"}} {{index ${attribute} "exitCode"}} {{.TimeNano}}`;
    return `docker events --filter event=die --filter label=${label()} --format '${format}'`;
  },

  remove: (uuid) => `docker rm -f ${uuid}`,
};

/** The id file is the engine's own proof that a container was made, even if somebody has removed it since. */
export const containerWasMade = (): string => `[ -s ${CID_FILE} ] || [ -s ${CONTROL.container} ]`;
