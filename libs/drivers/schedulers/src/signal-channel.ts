import { platform } from '@libs/platform-name';

/** The login user's private folder for the channels that launch scripts tell their end on. */
const folder = (): string => `"$HOME"/.${platform().lower}`;
const FIFO = '.fifo';

/**
 * Text for the end of a launch script: tells everybody who listens, without any further program. A channel that nobody
 * reads from takes nothing, one whose reader hangs holds the line up until the reader is gone: opening it for reading
 * too keeps the opening for writing from waiting, and is undone before the line is written.
 */
export function tellEnd(uuid: string, code: string, name: (n: string) => string) {
  const file = name('fifo');
  return `for ${file} in ${folder()}/*${FIFO}; do
  [ -p "$${file}" ] && (
    exec 4<>"$${file}"
    if [ -e /proc/self/fd/4 ]; then exec 5>/proc/self/fd/4; else exec 5>"$${file}"; fi
    exec 4<&-
    echo "::end ${uuid} ${code}" >&5
  ) &
done`;
}

/**
 * Text that listens to the ends of all jobs of this login for as long as its input stays open, under a name of the
 * listener's own; earlier channels of the same listener go away. Says `::listening`, or `::deaf` if the login has no
 * place for a channel. `tells` are more commands to listen to, each restarted if it ends, after a `::gap`.
 */
export function listen(listener: string, turn: number, tells: readonly string[]): string {
  const more = tells.map(
    (command) =>
      `( while :; do ${command} 2>/dev/null </dev/null | sed -u 's/^/::end /'; echo ::gap; sleep 5; done ) &`,
  );
  return `job_listen() {
dir=${folder()}
fifo="$dir/${listener}.${turn}${FIFO}"
(umask 077; mkdir -p "$dir") 2>/dev/null
find "$dir" -name '*${FIFO}' -mtime +2 -exec rm -f {} + 2>/dev/null </dev/null &
rm -f "$dir/${listener}".*${FIFO}
${more.join('\n')}
if mkfifo -m 600 "$fifo" 2>/dev/null; then
  cat 0<>"$fifo" &
  echo ::listening
else
  echo ::deaf
fi
cat >/dev/null
rm -f "$fifo"
trap '' TERM
kill 0
}
job_listen
`;
}

/** Keeps this listener's channel from being taken for a forgotten one. */
export function touchChannel(listener: string): string {
  return `touch -c ${folder()}/${listener}.*${FIFO} 2>/dev/null </dev/null`;
}
