export type SecretType = 'system' | 'dbcred' | 'jwtsigning' | 'user' | 'service';

/** Which secret: its type, its name, whose it is, and what its type asks for beside (sysid, sysuser, keytype, ...). */
export interface SecretRef {
  type: SecretType;
  name: string;
  tenant: string;
  user: string;
  keys?: Record<string, string>;
}

export interface SecretVersion {
  version: number;
  created_time: string;
  deletion_time: string | null;
  destroyed: boolean;
}
