import { quote } from '@libs/hosts';
import { plainText } from '@libs/macros';
import { platform } from '@libs/platform-name';
import { CONTROL, controlDir, own } from '../control-files';
import type { LaunchPlan } from '../launch-plan';
import type { ForegroundRuntime } from '../runtime';
import { Unlaunchable } from '../unlaunchable';
import { shellWords, wordsOf } from '../words';
import { unpack } from './unpack';

/** Whether the job wants to keep the archive that was downloaded for it. */
export function keepsArchive(containerArgs: readonly string[]): boolean {
  return wordsOf(containerArgs).some((word) => plainText(word) === platform().zipSave);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An archive that is unpacked on the host and holds the program. */
export const zip: ForegroundRuntime = {
  name: 'ZIP',
  detached: false,

  check({ image, containerArgs }) {
    if (!image.startsWith('/'))
      throw new Unlaunchable(`The image ${image} is no absolute path on the execution host`);
    for (const word of wordsOf(containerArgs)) {
      if (plainText(word) !== platform().zipSave)
        throw new Unlaunchable(
          `The container argument ${shellWords([word])} is not for ZIP apps: only ${platform().zipSave} is`,
        );
    }
  },

  fetches(image) {
    if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(image)) return undefined;
    const path = image.replace(/^[^:]+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
    const name = decoded(path.slice(path.lastIndexOf('/') + 1));
    const usable = name && name !== '.' && name !== '..' && !/[/\p{Cc}]/u.test(name);
    return usable ? name : `${platform().lower}job-image.tar`;
  },
  leftovers: ({ image, fetched, containerArgs }) =>
    fetched && !keepsArchive(containerArgs) ? [image] : [],

  envFile: ({ env }) => env.map(({ key, value }) => `export ${key}=${quote(value)}\n`).join(''),

  prepare: unpack,

  run(plan: LaunchPlan) {
    const app = own('app');
    const control = controlDir(plan.uuid);
    const command = [
      'exec',
      shellWords(wordsOf([plan.prefix])),
      `"$${app}"`,
      shellWords(wordsOf(plan.appArgs)),
    ];
    return [
      `. ./${control}/${platform().jobFile.env}`,
      `IFS= read -r ${app} <${control}/${CONTROL.app}`,
      command.filter(Boolean).join(' '),
    ].join('\n');
  },
};
