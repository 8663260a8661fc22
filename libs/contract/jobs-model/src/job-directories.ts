import { Directories, type Evaluate, isMacroError, joinPath } from '@libs/macros';
import { platform } from '@libs/platform-name';
import type { JobRequestBody } from './job-request';
import type { JobViolations } from './job-violations';
import { firstText } from './merge-text';
import type { AppRecord, SystemRecord } from './records';

export interface DirectoryFacts {
  request: JobRequestBody;
  app: AppRecord;
  execSystem: SystemRecord;
  /** Undefined: outputs stay where they are. */
  archiveSystem: SystemRecord | undefined;
  macros: ReadonlyMap<string, string | undefined>;
  /** Answers a variable of the environment on the host of a system, as the job's owner. */
  evaluate(systemId: string, variable: string): ReturnType<Evaluate>;
}

/** Normalised paths below the rootDir of their systems. */
export interface JobDirectories {
  JobWorkingDir: string;
  ExecSystemInputDir: string;
  ExecSystemExecDir: string;
  ExecSystemOutputDir: string;
  ArchiveSystemDir: string;
  DtnSystemInputDir?: string;
  DtnSystemOutputDir?: string;
}

type DirectoryField = 'execSystemExecDir' | 'execSystemInputDir' | 'execSystemOutputDir' | 'archiveSystemDir'
  | 'dtnSystemInputDir' | 'dtnSystemOutputDir'; // prettier-ignore

/** The text given for a directory; the marker says none. */
function given(field: DirectoryField, request: JobRequestBody, app: AppRecord): string | undefined {
  const { unset } = platform();
  const said = [request[field], app.jobAttributes?.[field]].map((t) =>
    t === unset ? undefined : t,
  );
  return request[field] === unset ? undefined : firstText(...said);
}

/** Whether a data transfer node is to be used, from what request and app say. */
export const wantsDtn = (request: JobRequestBody, app: AppRecord): boolean =>
  Boolean(given('dtnSystemInputDir', request, app) ?? given('dtnSystemOutputDir', request, app));

/** Fields whose value is the app's own, for the shared application context. */
export const isOfApp = (field: DirectoryField, request: JobRequestBody, app: AppRecord): boolean =>
  !firstText(request[field]) && Boolean(firstText(app.jobAttributes?.[field]));

/** All directories of a job; what cannot be resolved is a violation and stays empty. */
export async function resolveDirectories(
  facts: DirectoryFacts,
  v: JobViolations,
): Promise<JobDirectories> {
  const { request, app, execSystem, archiveSystem, macros } = facts;
  const asked = new Map<string, ReturnType<Evaluate>>();
  const on =
    (systemId: string): Evaluate =>
    (variable) => {
      const key = `${systemId} ${variable}`;
      if (!asked.has(key)) asked.set(key, facts.evaluate(systemId, variable));
      return asked.get(key)!;
    };
  const here = on(execSystem.id);
  const home = '${JobWorkingDir}/jobs/${JobUUID}';
  const said = (field: DirectoryField) => given(field, request, app);
  const archiveDefault = archiveSystem ? '/jobs/${JobUUID}/archive' : '${ExecSystemOutputDir}';
  const dtn = (field: 'dtnSystemInputDir' | 'dtnSystemOutputDir', macro: string) => {
    const template = macros.get('DtnSystemId') && said(field);
    return template ? [[macro, { template, evaluate: here }] as const] : [];
  };
  const templates = new Map([
    ['JobWorkingDir', { template: firstText(execSystem.jobWorkingDir) ?? '/', evaluate: here }],
    ['ExecSystemInputDir', { template: said('execSystemInputDir') ?? home, evaluate: here }],
    ['ExecSystemExecDir', { template: said('execSystemExecDir') ?? home, evaluate: here }],
    [
      'ExecSystemOutputDir',
      { template: said('execSystemOutputDir') ?? `${home}/output`, evaluate: here },
    ],
    [
      'ArchiveSystemDir',
      {
        template: said('archiveSystemDir') ?? archiveDefault,
        evaluate: archiveSystem ? on(archiveSystem.id) : here,
      },
    ],
    ...dtn('dtnSystemInputDir', 'DtnSystemInputDir'),
    ...dtn('dtnSystemOutputDir', 'DtnSystemOutputDir'),
  ]);
  const resolver = new Directories(macros, templates);
  const resolved: Partial<Record<string, string>> = {};
  for (const name of templates.keys()) {
    try {
      resolved[name] = await resolver.resolve(name);
    } catch (error) {
      if (!isMacroError(error)) throw error;
      v.add(
        'JOBS_INVALID_DIRECTORY',
        `${name[0]!.toLowerCase()}${name.slice(1)}: ${error.message}`,
      );
    }
  }
  return resolved as unknown as JobDirectories;
}

/** A directory below a system's rootDir as a program on the host sees it. */
export const onHost = (system: SystemRecord, dir: string): string =>
  joinPath(system.rootDir || '/', dir);
