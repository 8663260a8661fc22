import { call, type CallAnswer } from './platform-double-call';

export interface PageForm {
  action: string;
  /** Every field with the value it has when the page is shown. */
  fields: Record<string, string>;
}

/** A browser without pictures and scripts: keeps cookies, reads forms, follows redirects on its own site. */
export class PageBrowser {
  readonly cookies = new Map<string, { value: string; path: string; text: string }>();
  /** The address of the page that is shown, path and query. */
  at = '';
  answer!: CallAnswer;

  constructor(
    /** Where connections go. */
    private readonly origin: string,
    /** The site it believes to be at. */
    readonly host: string,
  ) {}

  get text(): string {
    return this.answer.text;
  }
  get status(): number {
    return this.answer.status;
  }
  /** The heading of the page. */
  get title(): string {
    return plain(/<h1[^>]*>([^]*?)<\/h1>/.exec(this.text)?.[1] ?? '');
  }
  /** What the page says in words. */
  get words(): string {
    return plain(/<main[^>]*>([^]*)<\/main>/.exec(this.text)?.[1] ?? this.text);
  }
  header(name: string): string {
    return String(this.answer.headers[name.toLowerCase()] ?? '');
  }

  forms(): PageForm[] {
    return [...this.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([^]*?)<\/form>/g)].map(
      ([, action, inner]) => ({ action: decoded(action!), fields: fieldsOf(inner!) }),
    );
  }

  /** A page and where it leads, until the way ends or leaves the site. */
  async open(path: string): Promise<this> {
    await this.go('GET', path);
    return this.follow();
  }

  /** One step, redirects not followed. */
  async go(method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<this> {
    const cookie = [...this.cookies]
      .filter(([, { path: place }]) => path.split('?')[0]!.startsWith(place))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    this.answer = await call(this.origin + path, {
      method,
      headers: {
        host: this.host,
        ...(cookie && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form && new URLSearchParams(form).toString(),
    });
    this.at = path;
    this.keep();
    return this;
  }

  /** Sends the page's form (the one whose action ends so, when there are several), with these values filled in. */
  async submit(values: Record<string, string> = {}, action = ''): Promise<this> {
    const form = this.forms().find((f) => f.action.endsWith(action));
    if (!form) throw new Error(`no form "${action}" at ${this.at}: ${this.words.slice(0, 300)}`);
    const { pathname, search } = new URL(form.action, `http://${this.host}`);
    await this.go('POST', pathname + search, { ...form.fields, ...values });
    return this.follow();
  }

  /** The address outside that the last answer leads to. */
  get leadsTo(): string {
    return this.header('location');
  }

  private async follow(): Promise<this> {
    for (let hops = 0; hops < 10; hops++) {
      const { leadsTo } = this;
      if (this.status < 300 || this.status > 399 || !leadsTo) return this;
      const url = new URL(leadsTo, `http://${this.host}`);
      if (url.host !== this.host || url.protocol !== 'http:') return this;
      await this.go('GET', url.pathname + url.search);
    }
    throw new Error(`redirects without end, last to ${this.leadsTo}`);
  }

  private keep(): void {
    for (const text of [this.answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!;
      const path = /Path=([^;]*)/.exec(text)?.[1] ?? '/';
      if (value && !/Max-Age=0/.test(text)) this.cookies.set(name!, { value, path, text });
      else this.cookies.delete(name!);
    }
  }
}

function fieldsOf(inner: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [tag] of inner.matchAll(/<input[^>]*>/g)) {
    const of = (name: string) => decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
    if (/type="(checkbox|radio)"/.test(tag) && !/\schecked/.test(tag)) continue;
    if (of('name')) fields[of('name')] = of('value');
  }
  return fields;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (e) => ENTITIES[e]!);
const plain = (markup: string): string =>
  decoded(markup.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
