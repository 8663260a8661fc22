#!/bin/sh
# Job 11111111-2222-3333-4444-555555555555-007. Starts its app once, in the background: a second start finds the claim of the first and reports it.
if [ "$1" != run ]; then
cd '/work/it'\''s here/.svcjob-11111111-2222-3333-4444-555555555555-007' || exit 1
if [ -e claim ] && [ ! -s claim ]; then
  # Cut off between making the claim and signing it: then nothing has run, and nothing runs now.
  sleep 1
  if [ ! -s claim ] && ! { ps -Ao args 2>/dev/null || ps -o args; } | grep -q '11111111-2222-3333-4444-555555555555-007/svcjob[.]sh run'; then
    rm -f claim
  fi
fi
if [ -s claim ]; then
  read -r pid rest <claim
  echo "::claimed $pid"
  exit 0
fi
command -v setsid >/dev/null || setsid() { "$@"; }
_svcJobUUID=11111111-2222-3333-4444-555555555555-007 setsid /bin/sh '/work/it'\''s here/.svcjob-11111111-2222-3333-4444-555555555555-007/svcjob.sh' run 3>&1 >launch.log 2>&1 </dev/null &
exit 0
fi
cd '/work/it'\''s here' || exit 1
_svc_start=- _svc_boot=- _svc_host=-
{
  read -r _svc_boot </proc/sys/kernel/random/boot_id
  read -r _svc_host </proc/sys/kernel/hostname
  read -r _svc_stat </proc/$$/stat
  set -- ${_svc_stat##*) }
  [ $# -ge 20 ] && shift 19 && _svc_start=$1
} 2>/dev/null
trap '' PIPE
set -C
if ! { echo "$$ $_svc_start $_svc_boot $_svc_host" >.svcjob-11111111-2222-3333-4444-555555555555-007/claim; } 2>/dev/null; then
  for _svc_try in 1 2 3; do
    read -r _svc_first _svc_rest <.svcjob-11111111-2222-3333-4444-555555555555-007/claim && break
    sleep 0.1
  done
  [ -z "$_svc_first" ] || echo "::claimed $_svc_first" >&3
  exit 0
fi
set +C
echo "$$" >svcjob.pid
echo "::claimed $$" >&3
exec 3>&-
trap - PIPE
[ ! -e /work/out,put/svcjob.exitcode ] || rm -f /work/out,put/svcjob.exitcode
(
. ./.svcjob-11111111-2222-3333-4444-555555555555-007/svcjob.env
IFS= read -r _svc_app <.svcjob-11111111-2222-3333-4444-555555555555-007/app
exec mpirun '-n' 4 "$_svc_app" '-n' 5 'a  b' "${SIZE}" "${HOME}"'/x;y' '*'
) </dev/null >'/work/out,put/my out.txt' 2>/work/out,put/err.txt
_svc_code=$?
_svc_said=
[ ! -f /work/out,put/svcjob.exitcode ] || read -r _svc_said </work/out,put/svcjob.exitcode
case ${_svc_said#-} in
  '' | *[!0-9]*) [ -s /work/out,put/svcjob.exitcode ] || echo "$_svc_code" >/work/out,put/svcjob.exitcode ;;
  *) _svc_code=$_svc_said ;;
esac
echo "$_svc_code" >.svcjob-11111111-2222-3333-4444-555555555555-007/end
for _svc_fifo in "$HOME"/.svc/*.fifo; do
  [ -p "$_svc_fifo" ] && (
    exec 4<>"$_svc_fifo"
    if [ -e /proc/self/fd/4 ]; then exec 5>/proc/self/fd/4; else exec 5>"$_svc_fifo"; fi
    exec 4<&-
    echo "::end 11111111-2222-3333-4444-555555555555-007 $_svc_code" >&5
  ) &
done
