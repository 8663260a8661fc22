/** Answers kept for a short while; whoever asks meanwhile shares the call that is under way. */
export class Remembered<T> {
  private readonly entries = new Map<string, { value: Promise<T>; until: number }>();

  constructor(
    private readonly ms: number,
    private readonly max = 1_000,
  ) {}

  get(key: string, fetch: () => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known && known.until > Date.now()) return known.value;
    const value = fetch();
    this.entries.delete(key);
    this.entries.set(key, { value, until: Date.now() + this.ms });
    if (this.entries.size > this.max) this.entries.delete(this.entries.keys().next().value!);
    // A failure is no answer to keep.
    value.catch(() => this.entries.get(key)?.value === value && this.entries.delete(key));
    return value;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
