import { quote } from '@libs/hosts';
import { platform } from '@libs/platform-name';
import { CONTROL, controlDir } from '../control-files';
import type { LaunchPlan } from '../launch-plan';

/** Entries that would land outside the directory: absolute, or with a `..`. */
const OUTSIDE = `'^/|(^|/)[.][.](/|$)'`;

/**
 * Text that unpacks the archive into the current directory, finds the program in it and notes its path. The archive
 * itself is only read. An entry that leads outside is refused: tar does so by itself, unzip has to be helped.
 */
export function unpack({ image, uuid }: LaunchPlan): string {
  const { zipApp, manifest, manifestKey } = platform().jobFile;
  const archive = quote(image);
  const needs = image.endsWith('.zip') ? 'unzip' : 'tar';
  const open =
    needs === 'tar'
      ? `tar -xof ${archive} || fail "tar can't unpack "${archive}`
      : `entry=$(unzip -Z1 ${archive} 2>/dev/null | grep -E ${OUTSIDE} | head -n 1)
[ -z "$entry" ] || fail "the archive has an entry that leads outside: $entry"
unzip -qo ${archive} || [ $? -le 1 ] || fail "unzip can't unpack "${archive}`;
  return `[ -f ${archive} ] || fail "there is no file "${archive}
command -v ${needs} >/dev/null || fail "${needs} is missing on the host"
${open}
app=
if [ -f ${zipApp} ]; then
  app=${zipApp}
elif [ -f ${manifest} ]; then
  cr=$(printf '\\r')
  while read -r line || [ -n "$line" ]; do
    case $line in ${manifestKey}=*) app=\${line#*=}; app=\${app%"$cr"}; break ;; esac
  done <${manifest}
  case /$app/ in
    //) fail "${manifest} names no ${manifestKey}" ;;
    //* | */../* | *\\;*) fail "${manifest} names $app, which must be a path inside the archive" ;;
  esac
else
  fail "the archive has neither ${zipApp} nor ${manifest}"
fi
[ -f "./$app" ] || fail "the archive has no file $app"
[ -x "./$app" ] || chmod u+x "./$app" || fail "$app can't be made executable"
printf './%s\\n' "$app" >${controlDir(uuid)}/${CONTROL.app} || fail "can't write"`;
}
