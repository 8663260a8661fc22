import { parseArgs } from 'node:util';
import { Problem } from './problem';

/** What `npm start -- …` takes. */
export interface Options {
  /** Ends after the sample; the exit code says whether it went well. */
  once: boolean;
  /** Every service in a process of its own. */
  fork: boolean;
  /** False: the services alone, as platform tests want them. */
  sample: boolean;
  /** Several sites on this machine, by name. */
  sites?: string;
  printSettings: boolean;
  help: boolean;
}

export const USAGE = `npm start -- [--once] [--fork] [--no-sample] [--sites primary,west,east] [--print-settings]
  --once             ends after the sample job: 0 if it finished with the right output, else 1
  --fork             every service in a process of its own
  --no-sample        starts the services only
  --sites <names>    several sites, each with processes, databases and keys of its own: the primary first, then
                     associates, each with what it runs beside security, tokens and authenticator:
                     primary,west:systems+files,east
  --print-settings   shows every setting of every service and ends
`;

export function parseOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        once: { type: 'boolean', default: false },
        fork: { type: 'boolean', default: false },
        'no-sample': { type: 'boolean', default: false },
        sites: { type: 'string' },
        'print-settings': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return {
      once: values.once,
      fork: values.fork,
      sample: !values['no-sample'],
      sites: values.sites,
      printSettings: values['print-settings'],
      help: values.help,
    };
  } catch (error) {
    throw new Problem(`${(error as Error).message}\n${USAGE}`);
  }
}
