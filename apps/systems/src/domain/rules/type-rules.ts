import { storageTypes } from '@libs/storage';
import { hostEvalOf } from '../root-dir';
import type { RuleGroup } from './rule-group';

const rootDirRules: RuleGroup = {
  reads: ['systemType', 'rootDir'],
  broken({ systemType, rootDir }) {
    if (storageTypes[systemType]!.rootDir !== 'absolute') return [];
    if (!rootDir) return [`SYSLIB_NOROOTDIR rootDir is required for ${systemType}`];
    if (rootDir.startsWith('/') || hostEvalOf(rootDir)) return [];
    return ['SYSLIB_ROOTDIR_NOSLASH rootDir must begin with /'];
  },
};

const portRules: RuleGroup = {
  reads: ['systemType', 'port'],
  broken: ({ systemType, port }) =>
    systemType === 'IRODS' && port < 1 ? ['SYSLIB_NOPORT port is required for IRODS'] : [],
};

const hostRules: RuleGroup = {
  reads: ['systemType', 'host'],
  broken: ({ systemType, host }) =>
    systemType !== 'S3' && host.includes('/')
      ? ['SYSLIB_INVALID_STR_ATTR host: only the host of an S3 system may begin with http(s)://']
      : [],
};

const bucketRules: RuleGroup = {
  reads: ['systemType', 'bucketName'],
  broken: ({ systemType, bucketName }) =>
    systemType === 'S3' && !bucketName
      ? ['SYSLIB_S3_NOBUCKET_INPUT bucketName is required for S3']
      : [],
};

const canExecRules: RuleGroup = {
  reads: ['systemType', 'canExec'],
  broken({ systemType, canExec }) {
    if (!canExec || systemType === 'LINUX') return [];
    const invalid = `SYSLIB_CANEXEC_INVALID_SYSTYPE canExec needs systemType LINUX, not ${systemType}`;
    if (systemType !== 'S3') return [invalid];
    return [
      "SYSLIB_S3_CANEXEC_INPUT an S3 system can't execute jobs: canExec must be false",
      invalid,
    ];
  },
};

/** What each type of system asks for. */
export const typeRules = [rootDirRules, portRules, hostRules, bucketRules, canExecRules];
