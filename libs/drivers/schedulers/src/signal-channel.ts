import { platform } from '@libs/platform-name';

/** The login user's private folder for the channels that launch scripts tell their end on. */
const folder = (): string => `"$HOME"/.${platform().lower}`;
const FIFO = '.fifo';

/**
 * Text for the end of a launch script: tells everybody who listens. Never waits: a channel nobody reads from takes
 * the line and forgets it, one whose reader hangs is given up after a while.
 */
export function tellEnd(uuid: string, code: string, at: string, name: (n: string) => string) {
  const file = name('fifo');
  return `command -v timeout >/dev/null || timeout() { shift; "$@"; }
for ${file} in ${folder()}/*${FIFO}; do
  [ -p "$${file}" ] && timeout 10 printf '::end %s %s %s\\n' ${uuid} "${code}" "${at}" 1<>"$${file}" &
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
