/** Ids and versions: letters, digits and `-._~`, the first one a letter or a digit (ruling 14). */
export const ID = {
  match: /^[0-9A-Za-z][-.\w~]*$/,
  rule: 'must begin with a letter or digit and hold letters, digits and -._~ only',
};
export const ENV_NAME = /^[A-Za-z_]\w*$/;
export const ENV_NAME_RULE =
  'must begin with a letter or underscore, then letters, digits, underscores';

/** Words that would hide a route (systems-apps contract, 3.1). */
export const RESERVED_IDS = [
  'healthcheck',
  'readycheck',
  'search',
  'share',
  'unshare',
  'share_public',
  'unshare_public',
  'perms',
];
export const RESERVED_VERSIONS = [
  'isenabled',
  'enable',
  'disable',
  'delete',
  'undelete',
  'history',
  'changeowner',
];
