import { halfPairs } from '../credential';
import { DYNAMIC_USER, isDynamic } from '../effective-user';
import { hasHostEval, hostEvalProblem } from '../root-dir';
import type { RuleGroup } from './rule-group';

const userRules: RuleGroup = {
  reads: ['effectiveUserId'],
  broken: ({ effectiveUserId }) =>
    isDynamic(effectiveUserId) || !effectiveUserId.includes('${')
      ? []
      : [
          `SYSLIB_INVALID_STR_ATTR effectiveUserId "${effectiveUserId}" is neither a login nor ${DYNAMIC_USER}`,
        ],
};

const pairRules: RuleGroup = {
  reads: ['effectiveUserId', 'authnCredential'],
  broken({ effectiveUserId }, credential) {
    if (!credential) return [];
    const broken = halfPairs(credential);
    if (isDynamic(effectiveUserId))
      broken.push(
        "SYSLIB_CRED_DISALLOWED_INPUT authnCredential can't come with a dynamic effectiveUserId: each user registers one",
      );
    else if (credential.loginUser)
      broken.push(
        "SYSLIB_CRED_INVALID_LOGINUSER loginUser can't be set for a static effectiveUserId",
      );
    return broken;
  },
};

/** HOST_EVAL is evaluated by a login with the credential that comes along (systems-apps contract, 2.3). */
const hostEvalRules: RuleGroup = {
  reads: ['rootDir', 'systemType', 'effectiveUserId', 'authnCredential'],
  broken({ rootDir, systemType, effectiveUserId }, credential) {
    if (!hasHostEval(rootDir)) return [];
    const problem = hostEvalProblem(rootDir);
    const broken = problem ? [problem] : [];
    if (systemType !== 'LINUX')
      broken.push('SYSLIB_ROOT_HOST_EVAL_SYSTYPE HOST_EVAL in rootDir needs systemType LINUX');
    if (isDynamic(effectiveUserId))
      broken.push(
        'SYSLIB_ROOT_HOST_EVAL_EFFUSR HOST_EVAL in rootDir needs a static effectiveUserId',
      );
    if (!credential)
      broken.push(
        'SYSLIB_ROOT_HOST_EVAL_CREDS HOST_EVAL in rootDir needs authnCredential in the same request',
      );
    return broken;
  },
};

/** Who logs in, with what, and what that login is asked. */
export const credentialRules = [userRules, pairRules, hostEvalRules];
