import { expandOnce } from '@libs/macros';
import { checkArchiveFilter, mergeArchiveFilter } from './archive-filter';
import { chooseArchiveMode } from './archive-mode';
import { checkAvailable, checkNames } from './check-submission';
import { chooseJobType, chooseLauncher, chooseQueue, chooseSize } from './choose-place';
import { addEnvKeys } from './env-keys';
import type { JobDefinition } from './job-definition';
import { type JobDirectories, resolveDirectories, wantsDtn } from './job-directories';
import { factsOf } from './job-facts';
import { groundMacros, jobVariables } from './job-macros';
import {
  checkContainerArgs,
  chooseLogConfig,
  finishArgs,
  finishLogConfig,
  finishName,
  profileNamed,
} from './job-texts';
import { JobViolations } from './job-violations';
import { type ArgKind, mergeArgs, underlay } from './merge-args';
import { mergeEnv, sortEnv } from './merge-env';
import { mergeFileInputArrays } from './merge-input-arrays';
import { mergeFileInputs } from './merge-inputs';
import { mergeSubscriptions } from './merge-subscriptions';
import { first, firstText } from './merge-text';
import type { LogicalQueueRecord } from './records';
import { seenDirectory } from './seen-directory';
import { sharedAttributes } from './shared-context';
import type { Submission } from './submission';

/** A job as it will be stored, without who sent it and when it changes. */
export interface ResolvedJob {
  uuid: string;
  tenant: string;
  owner: string;
  created: Date;
  name: string;
  description: string;
  appId: string;
  appVersion: string;
  jobType: 'FORK' | 'BATCH';
  archiveMode: 'ALWAYS' | 'SKIP_ON_FAIL' | 'NEVER';
  execSystemId: string;
  execSystemExecDir: string;
  execSystemInputDir: string;
  execSystemOutputDir: string;
  execSystemLogicalQueue: string | null;
  archiveSystemId: string;
  archiveSystemDir: string;
  dtnSystemId: string | null;
  dtnSystemInputDir: string | null;
  dtnSystemOutputDir: string | null;
  nodeCount: number;
  coresPerNode: number;
  memoryMB: number;
  maxMinutes: number;
  mpi: boolean;
  mpiCmd: string | null;
  cmdPrefix: string | null;
  tags: string[];
  notes: Record<string, unknown>;
  sharedAppCtx: string;
  sharedAppCtxAttribs: string[];
  remoteQueue: string | null;
  definition: JobDefinition;
}

const MAX_NOTES = 65_536;

/**
 * Merges a request with its app and systems, checks every rule and resolves every directory. Throws one 400 with
 * all rules that were broken. Pure, apart from the hosts that HOST_EVAL asks through `evaluate`.
 */
export async function resolveJob(submission: Submission): Promise<ResolvedJob> {
  const { request, app, execSystem, archiveSystem, dtnSystem, uuid, tenant, owner, created } =
    submission;
  const v = new JobViolations();
  const attributes = app.jobAttributes ?? {};
  checkAvailable(submission, v);
  const jobType = chooseJobType(request, app, execSystem, v);
  const queue = chooseQueue(jobType, request, app, execSystem, v);
  const parameters = mergeParameters(submission, queue, v);
  const launcher = chooseLauncher(request, app, execSystem, v);
  const archiveMode = chooseArchiveMode(request, app);
  const size = chooseSize(request, app, queue, v);
  const tags = [...new Set([...(request.tags ?? []), ...(attributes.tags ?? [])])].sort();
  const subscriptions = mergeSubscriptions(request, app, v);
  const notes = first(request.notes, app.notes) ?? {};
  const notesSize = Buffer.byteLength(JSON.stringify(notes));
  v.check(
    notesSize <= MAX_NOTES,
    'JOBS_NOTES_TOO_LARGE',
    `notes have ${notesSize} bytes; ${MAX_NOTES} are allowed`,
  );
  const strict = app.strictFileInputs ?? false;
  const sharedBy = app.sharedAppCtx ?? '';
  const single = mergeFileInputs(
    attributes.fileInputs ?? [],
    request.fileInputs ?? [],
    strict,
    sharedBy,
    v,
  );
  const arrays = mergeFileInputArrays(
    attributes.fileInputArrays ?? [],
    request.fileInputArrays ?? [],
    strict,
    sharedBy,
    v,
  );
  const env = addEnvKeys(parameters.env, single, arrays.envKeys, v);

  const dtn = dtnSystem && wantsDtn(request, app) ? dtnSystem : undefined;
  const archiveSystemId = archiveSystem?.id ?? execSystem.id;
  const macros = groundMacros({
    uuid, tenant, owner, created, app, execSystem, archiveSystemId, archiveMode, size, queue, dtnSystemId: dtn?.id,
  }); // prettier-ignore
  const name = finishName(request.name, macros, v);
  macros.set('JobName', name);
  const { evaluate } = submission;
  const dirs = await resolveDirectories(
    { request, app, execSystem, archiveSystem, macros, evaluate },
    v,
  ).catch((error: unknown) => {
    // A host that is away hides no broken rule.
    v.throwIfAny();
    throw error;
  });
  const directories = Object.entries(dirs) as [string, string][];
  for (const [macro, dir] of directories) macros.set(macro, dir);
  const logConfig = finishLogConfig(parameters.logConfig, macros, v);
  macros.set('StdoutFilename', logConfig.stdoutFilename);
  macros.set('StderrFilename', logConfig.stderrFilename);
  const absolute = (mounts: boolean) =>
    new Map([
      ...macros,
      ...directories.map(([m, d]) => [m, seenDirectory(m, d, submission, mounts)] as const),
    ]);
  const [onHost, inJob] = [absolute(false), absolute(true)];
  const appArgs = finishArgs('appArgs', parameters.appArgs, inJob, v);
  const containerArgs = finishArgs('containerArgs', parameters.containerArgs, onHost, v);
  const schedulerOptions = finishArgs('schedulerOptions', parameters.schedulerOptions, onHost, v);
  checkContainerArgs(app, containerArgs, v);
  const { includes, excludes, includeLaunchFiles } = parameters.archiveFilter;
  const expanded = (patterns: string[]) => patterns.map((p) => expandOnce(p, macros));
  const archiveFilter = {
    includes: expanded(includes),
    excludes: expanded(excludes),
    includeLaunchFiles,
  };
  checkArchiveFilter(archiveFilter, v);
  const profile = jobType === 'BATCH' ? profileNamed(schedulerOptions, v) : undefined;
  const described = firstText(request.description, attributes.description);
  const description = described
    ? expandOnce(described, macros)
    : `${app.id}-${app.version} submitted by ${owner}@${tenant}`;
  checkNames(submission, launcher.mpiCmd, v);
  v.throwIfAny();

  return {
    uuid, tenant, owner, created, name, description, jobType, archiveMode, ...size, tags, notes,
    appId: app.id,
    appVersion: app.version,
    ...columnsOf(dirs),
    execSystemId: execSystem.id,
    execSystemLogicalQueue: queue?.name ?? null,
    archiveSystemId,
    dtnSystemId: dtn?.id ?? null,
    mpi: launcher.isMpi,
    mpiCmd: launcher.mpiCmd,
    cmdPrefix: launcher.cmdPrefix,
    sharedAppCtx: sharedBy,
    sharedAppCtxAttribs: sharedBy ? sharedAttributes(submission) : [],
    remoteQueue: queue?.hpcQueueName ?? null,
    definition: {
      fileInputs: [...single, ...arrays.inputs],
      parameterSet: {
        appArgs,
        containerArgs,
        schedulerOptions,
        envVariables: sortEnv([...env, ...jobVariables(inJob)]),
        archiveFilter,
        logConfig,
      },
      subscriptions,
      ...factsOf(app, execSystem, queue, profile),
    },
  }; // prettier-ignore
}

function mergeParameters(
  { request, app, execSystem }: Submission,
  queue: LogicalQueueRecord | undefined,
  v: JobViolations,
) {
  const asked = request.parameterSet ?? {};
  const defined = app.jobAttributes?.parameterSet ?? {};
  const list = (kind: ArgKind, under: ArgKind | undefined = undefined) => {
    const own = defined[kind] ?? [];
    const base = under ? underlay(queue?.schedulerOptions ?? [], own) : own;
    return mergeArgs(kind, base, asked[kind] ?? [], v);
  };
  return {
    appArgs: list('appArgs'),
    containerArgs: list('containerArgs'),
    schedulerOptions: list('schedulerOptions', 'schedulerOptions'),
    env: mergeEnv(
      execSystem.jobEnvVariables ?? [],
      defined.envVariables ?? [],
      asked.envVariables ?? [],
      v,
    ),
    archiveFilter: mergeArchiveFilter(defined.archiveFilter, asked.archiveFilter),
    logConfig: chooseLogConfig(request, app, v),
  };
}

const columnsOf = (dirs: JobDirectories) => ({
  execSystemExecDir: dirs.ExecSystemExecDir,
  execSystemInputDir: dirs.ExecSystemInputDir,
  execSystemOutputDir: dirs.ExecSystemOutputDir,
  archiveSystemDir: dirs.ArchiveSystemDir,
  dtnSystemInputDir: dirs.DtnSystemInputDir ?? null,
  dtnSystemOutputDir: dirs.DtnSystemOutputDir ?? null,
});
