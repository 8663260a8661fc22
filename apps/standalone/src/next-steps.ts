import { platform } from '@libs/platform-name';

/** How to go on by hand, as lines to copy. */
export function nextSteps(url: string, user: string): string {
  const token = platform().header('Token');
  return `
The platform is up: ${url}

  a token     TOKEN=$(curl -s ${url}/v3/oauth2/tokens -H 'content-type: application/json' \\
                -d '{"grant_type":"password","username":"${user}","password":"${user}"}' |
                sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  your jobs   curl -s -H "${token}: $TOKEN" ${url}/v3/jobs/list
  log in      ${url}/v3/oauth2/webapp as ${user}, password ${user}
  API pages   ${url}/docs
  to stop     Ctrl-C

`;
}
