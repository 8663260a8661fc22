/** What a directory says of a person; only the name is sure to be there (platform contract, 6.5). */
export interface Profile {
  username: string;
  dn: string | null;
  given_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  mobile_phone: string | null;
  create_time: string | null;
  uid: string | null;
}

/** Where the people of a tenant come from. */
export interface UserSource {
  /** The profile of whoever this password belongs to; null for unknown user and wrong password alike, in like time. */
  authenticate(username: string, password: string): Promise<Profile | null>;
  /** Null for nobody: unknown, or no longer let in. */
  profile(username: string): Promise<Profile | null>;
  /** Null when this source cannot list (an outside provider). */
  profiles(limit: number, offset: number): Promise<Profile[] | null>;
}

/** A profile of which nothing but the name is known, with what is known beside it. */
export function profileOf(username: string, known: Partial<Profile> = {}): Profile {
  return {
    dn: null,
    given_name: null,
    last_name: null,
    email: null,
    phone: null,
    mobile_phone: null,
    create_time: null,
    uid: null,
    ...known,
    username,
  };
}
