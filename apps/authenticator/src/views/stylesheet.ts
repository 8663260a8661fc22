/** The look of every page, light and dark. Served as a file: the pages allow no style of their own. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --card: #ffffff; --ink: #16202e; --soft: #5a6678; --line: #dde2ea;
  --field: #ffffff; --field-line: #b3bdcb; --accent: #1d5fd1; --accent-ink: #ffffff; --accent-soft: #e8effc;
  --bad: #a4262c; --bad-soft: #fcebec; --good: #17663d; --good-soft: #e5f5ec; --shade: 0 1px 2px #10182814, 0 8px 24px #1018280f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f141b; --card: #18202b; --ink: #e7ecf3; --soft: #9ba8ba; --line: #2a3442;
    --field: #111821; --field-line: #465468; --accent: #7aa7ff; --accent-ink: #0b1526; --accent-soft: #1b2b47;
    --bad: #ff9b9f; --bad-soft: #3a1c20; --good: #7fd6a5; --good-soft: #14301f; --shade: 0 1px 2px #0006;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; background: var(--ground); color: var(--ink); display: flex; flex-direction: column; }
main { width: 100%; margin: 0 auto; padding: 1.5rem 1rem 2.5rem; flex: 1; }
main.narrow { max-width: 27rem; display: flex; flex-direction: column; justify-content: center; }
main.wide { max-width: 58rem; }
h1 { font-size: 1.375rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; margin: 0 0 .375rem; text-wrap: balance; }
h2 { font-size: 1.0625rem; line-height: 1.3; font-weight: 650; margin: 0 0 .25rem; }
h1 + form, h2 + form, h1 + .note, h1 + .field { margin-top: 1rem; }
p { margin: 0 0 1rem; }
.lead { text-wrap: pretty; color: var(--soft); margin-bottom: 1.25rem; }
.lead strong { color: var(--ink); font-weight: 600; }
a { color: var(--accent); text-underline-offset: .15em; }
.brand { display: flex; align-items: center; gap: .625rem; margin: 0 0 1rem; font-weight: 600; color: var(--ink); text-decoration: none; }
.brand svg { width: 1.75rem; height: 1.75rem; flex: none; color: var(--accent); }
.brand small { font-weight: 400; font-size: .875rem; color: var(--soft); overflow-wrap: anywhere; }
main.narrow .brand { justify-content: center; }
main.wide :is(.field, .full, .secret, .codes, .card > .note) { max-width: 32rem; }
main.wide .qr { margin-left: 0; }
main.wide .code-field { text-align: left; padding-left: 1rem; }
main.wide .below { text-align: left; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .875rem; box-shadow: var(--shade); padding: 1.75rem; }
.card + .card { margin-top: 1rem; }
.card > :last-child, .note > :last-child { margin-bottom: 0; }
label, .label { display: block; font-weight: 550; font-size: .9375rem; margin-bottom: .3125rem; }
.hint { display: block; color: var(--soft); font-size: .875rem; font-weight: 400; }
.field { margin-bottom: 1.125rem; }
.field > .hint { margin-top: .3125rem; }
input:not([type=checkbox], [type=radio]), textarea, select {
  width: 100%; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--field-line); border-radius: .5rem; padding: .5625rem .75rem; min-height: 2.75rem;
}
textarea { resize: vertical; }
input.mono:not([type=checkbox], [type=radio]) { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9375rem; }
input[type=checkbox], input[type=radio] { width: 1.125rem; height: 1.125rem; margin: .1875rem 0 0; accent-color: var(--accent); flex: none; }
.check { display: flex; gap: .625rem; align-items: flex-start; margin-bottom: 1.25rem; }
.check label { margin: 0; font-weight: 400; }
.code-field { font: 500 1.375rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .2em; text-align: center; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
input:focus-visible, textarea:focus-visible, select:focus-visible { outline-offset: -1px; outline-width: 2px; border-color: var(--accent); }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.125rem; border: 1px solid transparent; border-radius: .5rem;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; background: var(--accent); color: var(--accent-ink);
}
button:hover, .button:hover { filter: brightness(1.08); }
button.plain, .button.plain { background: transparent; border-color: var(--field-line); color: var(--ink); }
button.plain:hover, .button.plain:hover { background: var(--accent-soft); filter: none; }
button.danger { background: transparent; border-color: currentColor; color: var(--bad); }
button.danger:hover { background: var(--bad-soft); filter: none; }
button.link { background: none; color: var(--accent); padding: 0; min-height: 1.5rem; font-weight: 400; text-decoration: underline; text-underline-offset: .15em; }
.full { width: 100%; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.actions form { margin: 0; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.two > * { width: 100%; }
.note { border-radius: .625rem; padding: .75rem 1rem; margin: 0 0 1.25rem; background: var(--accent-soft); font-size: .9375rem; overflow-wrap: anywhere; }
.note.bad { background: var(--bad-soft); color: var(--bad); }
.note.good { background: var(--good-soft); color: var(--good); }
.note.bad a { color: inherit; }
.below { text-align: center; margin: 1.25rem 0 0; font-size: .9375rem; color: var(--soft); }
.choices { list-style: none; margin: 0; padding: 0; display: grid; gap: .625rem; }
.choices a { display: block; padding: .8125rem 1rem; border: 1px solid var(--line); border-radius: .625rem; text-decoration: none; color: var(--ink); font-weight: 600; overflow-wrap: anywhere; }
.choices a:hover { border-color: var(--accent); background: var(--accent-soft); }
.choices .hint { font-weight: 400; }
ul.plain { margin: 0 0 1.25rem; padding-left: 1.25rem; }
ul.plain li { margin-bottom: .25rem; overflow-wrap: anywhere; }
.qr { width: 13rem; max-width: 100%; margin: 0 auto 1.25rem; padding: .75rem; background: #fff; border: 1px solid var(--line); border-radius: .625rem; }
.qr svg { display: block; width: 100%; height: auto; }
code, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere; }
.secret { display: block; text-align: center; letter-spacing: .08em; padding: .5rem; background: var(--ground); border-radius: .5rem; }
.codes { list-style: none; margin: 0 0 1.25rem; padding: .875rem 1rem; display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: .25rem 1.5rem; background: var(--ground); border: 1px solid var(--line); border-radius: .625rem; }
.codes li { text-align: center; }
.topbar { background: var(--card); border-bottom: 1px solid var(--line); }
.topbar > div { max-width: 58rem; margin: 0 auto; padding: .75rem 1rem 0; }
.topbar .row { display: flex; justify-content: space-between; align-items: center; gap: 1rem; flex-wrap: wrap; }
.topbar .brand { margin: 0; }
.topbar .who { display: flex; align-items: center; gap: .875rem; font-size: .9375rem; color: var(--soft); min-width: 0; }
.topbar .who span { overflow-wrap: anywhere; }
.topbar .who form { margin: 0; }
nav ul { list-style: none; display: flex; gap: .25rem; margin: .75rem 0 0; padding: 0; overflow-x: auto; }
nav a { display: block; padding: .5rem .75rem .625rem; color: var(--soft); text-decoration: none; border-bottom: 3px solid transparent; font-weight: 550; border-radius: .375rem .375rem 0 0; }
nav a:focus-visible { outline-offset: -3px; }
nav a:hover { color: var(--ink); }
nav a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); }
.life { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; margin-bottom: .5rem; }
.life strong { font-weight: 650; }
progress { display: block; width: 100%; height: .5rem; border: 0; border-radius: 1rem; overflow: hidden; background: var(--line); margin-bottom: 1.25rem; appearance: none; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 1rem; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 1rem; }
textarea.token { font: .8125rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; word-break: break-all; background: var(--ground); border-color: var(--line); margin-bottom: 1rem; min-height: 9rem; }
dl.claims { display: grid; grid-template-columns: minmax(9rem, auto) 1fr; margin: 0; font-size: .9375rem; }
dl.claims > div { display: contents; }
dl.claims dt, dl.claims dd { padding: .5rem 0; border-top: 1px solid var(--line); margin: 0; }
dl.claims > div:first-child > * { border-top: 0; }
dl.claims dt { color: var(--soft); padding-right: 1.25rem; }
dl.claims dd { overflow-wrap: anywhere; min-width: 0; }
.client { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: .875rem 0; border-top: 1px solid var(--line); }
.client:first-of-type { border-top: 0; }
.client + p { margin-top: .75rem; }
.client > div { min-width: 0; }
.client strong { overflow-wrap: anywhere; font-weight: 600; }
.tag { display: inline-block; font-size: .75rem; font-weight: 600; padding: .0625rem .5rem; border-radius: 1rem; background: var(--accent-soft); color: var(--accent); vertical-align: .0625rem; }
.tag.off { background: var(--ground); color: var(--soft); }
footer { padding: 0 1rem 1.25rem; text-align: center; font-size: .8125rem; color: var(--soft); }
[hidden] { display: none !important; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 34rem) {
  .card { padding: 1.25rem; border-radius: .75rem; }
  main.narrow { justify-content: flex-start; }
  .client { align-items: flex-start; }
  dl.claims { display: block; }
  dl.claims > div { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  dl.claims > div:first-child { border-top: 0; }
  dl.claims dt, dl.claims dd { border: 0; padding: 0; }
}
@media (prefers-reduced-motion: no-preference) { button, .button, .choices a { transition: background-color .12s, border-color .12s, filter .12s; } }
@media print { .topbar, .actions, footer, .below { display: none; } .card { box-shadow: none; border: 0; padding: 0; } }
`.trimStart();
