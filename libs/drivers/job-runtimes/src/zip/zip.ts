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
