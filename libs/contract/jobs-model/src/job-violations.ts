import { BadInput, Violations } from '@libs/envelope';

/** Rules that a submission broke, each with its own stable code, answered together in one 400. */
export class JobViolations {
  private readonly found: { code: string; text: string }[] = [];

  /** Adds the violation when the rule does not hold; answers whether it holds. */
  check(holds: unknown, code: string, text: string): boolean {
    if (!holds) this.add(code, text);
    return Boolean(holds);
  }

  add(code: string, text: string): void {
    this.found.push({ code, text });
  }

  get count(): number {
    return this.found.length;
  }

  /** The message begins with the first violation's code; the others follow with theirs. */
  throwIfAny(): void {
    const [first, ...others] = this.found;
    if (!first) return;
    const violations = new Violations();
    violations.add(first.text, ...others.map(({ code, text }) => `${code} ${text}`));
    throw new BadInput(first.code, '', violations.all);
  }
}
