/** Ids: letters, digits and `-._~`, the first one a letter or a digit (ruling 14). */
export const ID = {
  match: /^[0-9A-Za-z][-.\w~]*$/,
  rule: 'must begin with a letter or digit and hold letters, digits and -._~ only',
};
/** Host names, addresses and Globus ids, leniently: no blanks or `@`; the endpoint of an S3 system may have a scheme. */
export const HOST = {
  match: /^(https?:\/\/)?[0-9A-Za-z_.:[\]-]+$/,
  rule: 'must be a host name, an address or an id',
};

/** Words that would hide a route (systems-apps contract, 2.1). */
export const RESERVED_IDS = [
  'healthcheck',
  'readycheck',
  'search',
  'schedulerprofile',
  'share',
  'unshare',
  'share_public',
  'unshare_public',
  'credential',
  'perms',
  'match',
];
