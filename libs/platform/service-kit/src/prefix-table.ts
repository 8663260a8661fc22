/** Finds what serves a path: the longest prefix that ends where a path segment ends. */
export class PrefixTable<T> {
  private entries: { prefix: string; target: T }[] = [];

  add(prefix: string, target: T): void {
    this.entries.push({ prefix, target });
    this.entries.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  find(url: string): T | undefined {
    for (const { prefix, target } of this.entries) {
      if (!url.startsWith(prefix)) continue;
      const next = url.charCodeAt(prefix.length);
      // End of the URL, '/', '?' or '#'.
      if (Number.isNaN(next) || next === 47 || next === 63 || next === 35) return target;
    }
    return undefined;
  }
}
