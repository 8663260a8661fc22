import { isApiError } from './api-error';
import { BadInput } from './api-errors';

/** Collects every broken rule of one input, so that the caller hears of all of them at once. */
export class Violations {
  private readonly list: string[] = [];

  /** Adds the text when the rule does not hold; answers whether it holds. */
  check(holds: unknown, violation: string): boolean {
    if (!holds) this.list.push(violation);
    return Boolean(holds);
  }

  add(...violations: string[]): void {
    this.list.push(...violations);
  }

  /** Runs a check that may throw BadInput and takes over its violations. Other errors pass. */
  take<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!isApiError(error, 400)) throw error;
      this.list.push(...((error as BadInput).violations ?? [error.text]));
      return undefined;
    }
  }

  get all(): readonly string[] {
    return this.list;
  }

  /** Throws one BadInput with all of them, if there are any. */
  throwIfAny(code: string, text: string): void {
    if (this.list.length) throw new BadInput(code, text, [...this.list]);
  }
}
