/** What pages can do better with JavaScript: copy a token, count down its time. They work without. */
export const SCRIPT = `
'use strict';
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    const said = document.getElementById(button.dataset.said);
    const text = 'value' in source ? source.value : source.innerText;
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = 'Copied.';
    } catch {
      if (source.select) source.select();
      said.textContent = 'Press Ctrl+C to copy.';
    }
  });
}
const words = (seconds) => {
  const units = [[86400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']];
  const first = units.findIndex(([size]) => seconds >= size);
  if (first < 0) return 'none';
  return units.slice(first, first + 2).map(([size, name]) => {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    return count ? count + ' ' + name + (count === 1 ? '' : 's') : '';
  }).filter(Boolean).join(' ');
};
for (const place of document.querySelectorAll('[data-expires]')) {
  const bar = document.getElementById('life');
  const show = () => {
    const left = Math.max(0, Math.round(Number(place.dataset.expires) - Date.now() / 1000));
    place.textContent = left ? words(left) : 'expired';
    if (bar) bar.value = left;
  };
  show();
  setInterval(show, 1000);
}
`.trimStart();
