/** The credential of the login that a system is used with. */
export interface SystemCredential {
  authnMethod: string;
  loginUser?: string | null;
  password?: string | null;
  privateKey?: string | null;
  publicKey?: string | null;
  /** Made by a key server, used like a private key of one's own. */
  tmsPrivateKey?: string | null;
}

/** What the systems service tells of a system; only what stores need is named here. */
export interface SystemRecord {
  id: string;
  systemType: string;
  owner: string;
  host: string;
  port?: number | null;
  enabled: boolean;
  deleted?: boolean;
  effectiveUserId: string;
  isDynamicEffectiveUser?: boolean;
  /** A proxy administrator logs in and acts as whoever asks. */
  useProxy?: boolean;
  rootDir?: string | null;
  authnCredential?: SystemCredential | null;
  hostKeys?: string[] | null;
}

/** A system as one user sees it. */
export interface KnownSystem {
  system: SystemRecord;
  /** The user may read its definition. Without that only a share of a path lets them in. */
  visible: boolean;
}

/** Who acts, and whether another service speaks for them. */
export interface Actor {
  tenant: string;
  user: string;
  trackingId?: string;
}
