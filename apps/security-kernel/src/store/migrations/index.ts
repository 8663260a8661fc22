import { CreateRoles1700000001001 } from './1700000001001-create-roles';
import { CreateShares1700000001002 } from './1700000001002-create-shares';
import { CreateSecrets1700000001003 } from './1700000001003-create-secrets';
import { VersionGrants1700000001004 } from './1700000001004-version-grants';
import { CreateAudit1700000001005 } from './1700000001005-create-audit';
import { WrapDataKeys1700000001006 } from './1700000001006-wrap-data-keys';

export const migrations = [
  CreateRoles1700000001001,
  CreateShares1700000001002,
  CreateSecrets1700000001003,
  VersionGrants1700000001004,
  CreateAudit1700000001005,
  WrapDataKeys1700000001006,
];
