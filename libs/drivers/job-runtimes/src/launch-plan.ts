export interface EnvVariable {
  key: string;
  value: string;
}

/** An input that stays where it is on the execution host and is mounted into the container. */
export interface Mount {
  source: string;
  /** Relative to the input directory. */
  target: string;
}

/** Everything that the texts of one launch are made of. Directories are absolute on the host. */
export interface LaunchPlan {
  uuid: string;
  execDir: string;
  inputDir: string;
  outputDir: string;
  /** What to run: an image's name, or the absolute path of an archive on the host. */
  image: string;
  /** The archive was fetched for this job and is not needed afterwards. */
  fetched?: boolean;
  /** mpiCmd or cmdPrefix; empty for none. */
  prefix: string;
  appArgs: readonly string[];
  containerArgs: readonly string[];
  env: readonly EnvVariable[];
  /** File names in the output directory. */
  stdoutFile: string;
  stderrFile: string;
  mounts: readonly Mount[];
}
