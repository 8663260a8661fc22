/** Text that is markup already. Everything else that goes into a template is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `html\`<p>${name}</p>\``: values are text, lists of values, or other templates; null and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(
    parts.reduce((all, part, i) => all + (i ? written(values[i - 1]) : '') + part, ''),
  );
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ESCAPES[c]!);

function written(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  return escapeHtml(String(value));
}
