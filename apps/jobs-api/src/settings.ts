import { ServiceSettings, Setting } from '@libs/config';

export class JobsApiSettings extends ServiceSettings {
  @Setting({
    env: 'DIRECTORIES_WAIT_MS',
    kind: 'int',
    default: 10_000,
    doc: "A submission waits this long for its job's directories; after that the worker makes them (0: never waits)",
  })
  directoriesWaitMs!: number;

  @Setting({
    env: 'HOST_EVAL_WAIT_MS',
    kind: 'int',
    default: 60_000,
    doc: 'A submission waits this long for a host to answer HOST_EVAL',
  })
  hostEvalWaitMs!: number;
}
