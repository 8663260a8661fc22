import { BadInput } from '@libs/envelope';
import type { VersionAttributes } from './app';
import { inputRules } from './input-rules';
import { environmentRules, logRules } from './parameter-rules';
import type { IsClear } from './read-body';
import { containerArgumentRules, imageRules, runtimeOptionRules } from './runtime-rules';

/** Attributes, by their paths, and the texts of what is broken between them; each begins with its code. */
export interface Rule {
  of: readonly string[];
  broken(app: VersionAttributes): string[];
}

const SET = 'jobAttributes.parameterSet';

const RULES: readonly Rule[] = [
  {
    of: ['jobAttributes.dynamicExecSystem', 'jobAttributes.execSystemConstraints'],
    broken: ({ jobAttributes: { dynamicExecSystem, execSystemConstraints } }) =>
      dynamicExecSystem || execSystemConstraints?.length
        ? [
            'APPLIB_DYNAMIC_NOCONSTRAINTS dynamic selection of the execution system is not supported: dynamicExecSystem must be false and execSystemConstraints unset',
          ]
        : [],
  },
  {
    of: ['jobAttributes.archiveSystemId', 'jobAttributes.archiveSystemDir'],
    broken: ({ jobAttributes: { archiveSystemId, archiveSystemDir } }) =>
      archiveSystemId && !archiveSystemDir
        ? ['APPLIB_ARCHIVE_NODIR jobAttributes.archiveSystemDir is required with archiveSystemId']
        : [],
  },
  { of: ['runtime', 'containerImage'], broken: imageRules },
  { of: ['runtime', 'runtimeOptions'], broken: runtimeOptionRules },
  { of: ['runtime', `${SET}.containerArgs`], broken: containerArgumentRules },
  { of: [`${SET}.envVariables`], broken: environmentRules },
  { of: [`${SET}.logConfig`], broken: logRules },
  {
    of: ['jobAttributes.fileInputs', 'jobAttributes.fileInputArrays', `${SET}.envVariables`],
    broken: inputRules,
  },
];

/** Rules over several attributes of a version that are broken; those over an attribute that is not clear can't be told. */
export function brokenRules(app: VersionAttributes, isClear: IsClear = () => true): string[] {
  return RULES.filter(({ of }) => of.every(isClear)).flatMap(({ broken }) => broken(app));
}

export function assertRules(app: VersionAttributes, what: string): void {
  const violations = brokenRules(app);
  if (violations.length) throw new BadInput('APPLIB_INVALID', `${what} breaks rules`, violations);
}
