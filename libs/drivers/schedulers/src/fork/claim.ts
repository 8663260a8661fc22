import { CONTROL, own } from '@libs/job-runtimes';
import { platform } from '@libs/platform-name';

/**
 * Text that finds out who the current process is, so that a later process of the same number is told apart: start
 * time, boot and name of the host (`-` where the host has no /proc).
 */
const whoAmI = (): string => `${own('start')}=- ${own('boot')}=- ${own('host')}=-
{
  read -r ${own('boot')} </proc/sys/kernel/random/boot_id
  read -r ${own('host')} </proc/sys/kernel/hostname
  read -r ${own('stat')} </proc/$$/stat
  set -- \${${own('stat')}##*) }
  [ $# -ge 20 ] && shift 19 && ${own('start')}=$1
} 2>/dev/null`;

/**
 * Text with which a launch script makes sure that it is the only one: the file is made by one process alone, whatever
 * happens. Who comes second reports the first and ends. Runs where the claim is `$control/claim`.
 */
export function claimOnce(control: string): string {
  const claim = `${control}/${CONTROL.claim}`;
  const line = ['start', 'boot', 'host'].map((n) => `$${own(n)}`).join(' ');
  return `${whoAmI()}
trap '' PIPE
set -C
if ! { echo "$$ ${line}" >${claim}; } 2>/dev/null; then
  for ${own('try')} in 1 2 3; do
    read -r ${own('first')} ${own('rest')} <${claim} && break
    sleep 0.1
  done
  [ -z "$${own('first')}" ] || echo "::claimed $${own('first')}" >&3
  exit 0
fi
set +C`;
}

/** Text that defines `alive PID START BOOT HOST`: 0 yes, 1 no, 2 can't be known from here. */
export const ALIVE = `my_boot=- my_host=-
{ read -r my_boot </proc/sys/kernel/random/boot_id; read -r my_host </proc/sys/kernel/hostname; } 2>/dev/null
alive() {
  if [ "$3" != "$my_boot" ]; then
    [ "$4" = "$my_host" ] && return 1
    return 2
  fi
  if [ "$2" = - ]; then kill -0 "$1" 2>/dev/null; return; fi
  alive_start=$2
  read -r alive_stat 2>/dev/null </proc/$1/stat || return 1
  set -- \${alive_stat##*) }
  [ "$1" = Z ] && return 1
  shift 19
  [ "$1" = "$alive_start" ]
}`;

/** A pattern that finds the job's script in a list of commands, and neither its starter nor the search itself. */
export const patternOf = (uuid: string): string =>
  `${uuid}/${platform().jobFile.script.replace('.', '[.]')} run`;
