const NAME = /^[a-z][a-z0-9]{0,19}$/;

/** Each spelling the contract derives from the platform's own name. Immutable. */
export class PlatformNames {
  readonly lower: string;
  readonly capital: string;
  readonly upper: string;
  /** URI scheme of paths on registered systems. */
  readonly scheme: string;
  /** URI scheme of inputs that are already on the execution host. */
  readonly localScheme: string;
  /** The only host name allowed in a local URI. */
  readonly localHost: string;
  /** Value that says "no value here". */
  readonly unset: string;
  /** Container argument of ZIP apps that keeps the downloaded archive. */
  readonly zipSave: string;
  /** Scheduler option that names a scheduler profile. */
  readonly profileOption: string;
  readonly jobVariablePrefix: string;
  /** Names of the files that a job's directories hold. */
  readonly jobFile: {
    readonly script: string;
    readonly env: string;
    readonly out: string;
    readonly exitcode: string;
    readonly pid: string;
    readonly cid: string;
    readonly manifest: string;
    readonly manifestKey: string;
    readonly zipApp: string;
  };
  /** Where a job's directories appear inside its container. */
  readonly mount: { readonly exec: string; readonly input: string; readonly output: string };

  constructor(name: string) {
    if (!NAME.test(name)) {
      throw new Error(
        `PLATFORM_NAME "${name}" is not a platform name: lower-case letters and digits, a letter first, at most 20`,
      );
    }
    this.lower = name;
    this.capital = name[0]!.toUpperCase() + name.slice(1);
    this.upper = name.toUpperCase();
    this.scheme = name;
    this.localScheme = `${name}local`;
    this.localHost = `exec.${name}`;
    this.unset = `!${name}_not_set`;
    this.zipSave = `--${name}-zip-save`;
    this.profileOption = `--${name}-profile`;
    this.jobVariablePrefix = `_${name}`;
    const file = `${name}job`;
    this.jobFile = Object.freeze({
      script: `${file}.sh`,
      env: `${file}.env`,
      out: `${file}.out`,
      exitcode: `${file}.exitcode`,
      pid: `${file}.pid`,
      cid: `${file}.cid`,
      manifest: `${file}.manifest`,
      manifestKey: `${file}_executable`,
      zipApp: `${file}_app.sh`,
    });
    this.mount = Object.freeze({
      exec: `/${this.capital}Exec`,
      input: `/${this.capital}Input`,
      output: `/${this.capital}Output`,
    });
    Object.freeze(this);
  }

  /** `header('Token')` is `X-Svc-Token`. HTTP compares names in any case; Node's objects do not. */
  header(suffix: string): string {
    return `X-${this.capital}-${suffix}`;
  }

  /** `claim('username')` is `svc/username`. */
  claim(name: string): string {
    return `${this.lower}/${name}`;
  }

  /** `field('job_def')` is `svc_job_def`: request fields and type names. */
  field(name: string): string {
    return `${this.lower}_${name}`;
  }

  /** `code('FOUND')` is `SVC_FOUND`: message codes shared by services, variables given to programs. */
  code(name: string): string {
    return `${this.upper}_${name}`;
  }

  /** `jobVariable('JobUUID')` is `_svcJobUUID`. */
  jobVariable(macro: string): string {
    return this.jobVariablePrefix + macro;
  }

  /** Name of an exchange, queue or topic of the broker. */
  queue(name: string): string {
    return `${this.lower}.${name}`;
  }

  /** Name of a service's database; hyphens become underscores. */
  database(service: string): string {
    return `${this.lower}_${service.replaceAll('-', '_')}`;
  }
}
