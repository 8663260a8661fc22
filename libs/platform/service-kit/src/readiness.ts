/** Injectable: named checks that must pass before the service counts as ready. */
export class Readiness {
  private readonly checks = new Map<string, () => Promise<unknown> | unknown>();

  /** The check passes by returning; it fails by throwing, by answering false, or by taking too long. */
  add(name: string, check: () => Promise<unknown> | unknown): void {
    this.checks.set(name, check);
  }

  async run(timeoutMs = 2_000): Promise<Record<string, boolean>> {
    const outcomes = await Promise.all(
      [...this.checks].map(
        async ([name, check]) => [name, await passes(check, timeoutMs)] as const,
      ),
    );
    return Object.fromEntries(outcomes);
  }
}

async function passes(check: () => unknown, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return (await Promise.race([Promise.resolve().then(check), late])) !== false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
