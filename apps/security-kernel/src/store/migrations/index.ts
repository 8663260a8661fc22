import { CreateRoles1700000001001 } from './1700000001001-create-roles';
import { CreateShares1700000001002 } from './1700000001002-create-shares';
import { CreateSecrets1700000001003 } from './1700000001003-create-secrets';

export const migrations = [
  CreateRoles1700000001001,
  CreateShares1700000001002,
  CreateSecrets1700000001003,
];
