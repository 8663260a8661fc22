#!/bin/sh
# Job 11111111-2222-3333-4444-555555555555-007. Asks once for its container: a second start finds the claim of the first and ends.
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
rm -f .cid
mpirun '-n' 4 docker run -d --name 11111111-2222-3333-4444-555555555555-007 --user "$(id -u):$(id -g)" --cidfile .cid \
  --label svc.job=11111111-2222-3333-4444-555555555555-007 \
  --env-file .svcjob-11111111-2222-3333-4444-555555555555-007/svcjob.env \
  '--network' none '-m' 2g '--volume=/a:/b' '-l' 'x=y z' \
  --mount 'type=bind,source=/work/it'\''s here,target=/SvcExec' \
  --mount 'type=bind,source=/work/in put,target=/SvcInput,readonly' \
  --mount 'type=bind,"source=/work/out,put",target=/SvcOutput' \
  --mount 'type=bind,source=/data/set 1,target=/SvcInput/set,readonly' \
  registry.example.org/tool@sha256:0123 '-n' 5 'a  b' '5 "big" '\''ones'\'' $(id)' "${HOME}"'/x;y' '*' >.svcjob-11111111-2222-3333-4444-555555555555-007/container
_svc_code=$?
[ "$_svc_code" = 0 ] || echo "$_svc_code" >.svcjob-11111111-2222-3333-4444-555555555555-007/refused
