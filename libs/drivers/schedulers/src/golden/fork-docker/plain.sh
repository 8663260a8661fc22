#!/bin/sh
# Job 11111111-2222-3333-4444-555555555555-007. Asks once for its container: a second start finds out what has become of the first.
if [ "$1" != run ]; then
my_boot=- my_host=-
{ read -r my_boot </proc/sys/kernel/random/boot_id; read -r my_host </proc/sys/kernel/hostname; } 2>/dev/null
alive() {
  if [ "$3" != "$my_boot" ]; then
    [ "$4" = "$my_host" ] && return 1
    return 2
  fi
  if [ "$2" = - ]; then kill -0 "$1" 2>/dev/null; return; fi
  alive_start=$2
  read -r alive_stat 2>/dev/null </proc/$1/stat || return 1
  set -- ${alive_stat##*) }
  [ "$1" = Z ] && return 1
  shift 19
  [ "$1" = "$alive_start" ]
}
job=11111111-2222-3333-4444-555555555555-007 dir=/work/jobs/1/.svcjob-11111111-2222-3333-4444-555555555555-007
cd "$dir" || exit 1
if [ -e claim ]; then
  pid=
  read -r pid start boot host <claim
  if [ -n "$pid" ] && alive $pid $start $boot $host; then echo "::job $job launching"; exit 0; fi
  if found=$(docker container inspect --format '{{.Id}} {{.State.Status}}' 11111111-2222-3333-4444-555555555555-007 2>/dev/null </dev/null); then
    case $found in *' created') docker start 11111111-2222-3333-4444-555555555555-007 >/dev/null 2>>launch.log </dev/null ;; esac
    echo "::claimed ${found%% *}"
    exit 0
  fi
  if [ -s refused ]; then
    echo "::job $job refused $(tail -c 2000 launch.log | tr '\n' ' ')"
    exit 0
  fi
  cd .. && { [ -s .cid ] || [ -s "$dir/container" ]; } && { echo "::job $job vanished"; exit 0; }
  cd "$dir" && rm -f claim
fi
command -v setsid >/dev/null || setsid() { "$@"; }
_svcJobUUID=11111111-2222-3333-4444-555555555555-007 setsid /bin/sh /work/jobs/1/.svcjob-11111111-2222-3333-4444-555555555555-007/svcjob.sh run 3>/dev/null >launch.log 2>&1 </dev/null &
launcher=$!
for wait in 0.02 0.02 0.05 0.05 0.1 0.1 0.2 0.2 0.5 0.5 1 1 1 1; do
  if ! kill -0 $launcher 2>/dev/null; then
    if found=$(docker container inspect --format '{{.Id}} {{.State.Status}}' 11111111-2222-3333-4444-555555555555-007 2>/dev/null </dev/null); then echo "::claimed ${found%% *}"; exit 0; fi
    break
  fi
  sleep $wait
done
  pid=
  read -r pid start boot host 2>/dev/null <"$dir/claim"
  if [ -s "$dir/refused" ]; then
    echo "::job $job refused $(tail -c 2000 "$dir/launch.log" | tr '\n' ' ')"
  elif [ -n "$pid" ] && alive $pid $start $boot $host; then
    echo "::job $job launching"
  elif ( cd "$dir/.." 2>/dev/null && { [ -s "$dir/container" ] || [ -s .cid ]; } ); then
    echo "::job $job vanished"
  else
    echo "::job $job unknown it was not started"
  fi
exit 0
fi
cd /work/jobs/1 || exit 1
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
docker run -d --name 11111111-2222-3333-4444-555555555555-007 --user "$(id -u):$(id -g)" --cidfile .cid \
  --label svc.job=11111111-2222-3333-4444-555555555555-007 \
  --env-file .svcjob-11111111-2222-3333-4444-555555555555-007/svcjob.env \
  --mount 'type=bind,source=/work/jobs/1,target=/SvcExec' \
  --mount 'type=bind,source=/work/jobs/1,target=/SvcInput,readonly' \
  --mount 'type=bind,source=/work/jobs/1/output,target=/SvcOutput' \
  tool:1 >.svcjob-11111111-2222-3333-4444-555555555555-007/container
_svc_code=$?
[ "$_svc_code" = 0 ] || echo "$_svc_code" >.svcjob-11111111-2222-3333-4444-555555555555-007/refused
