export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at % 1);
}

/** Two ways of doing one thing, measured in turn so that a slow moment of the machine meets both. */
export interface Pairs {
  ours: number[];
  baseline: number[];
  /** Median of the pairs' own ratios. */
  ratio: number;
}

export async function pairs(
  count: number,
  ours: (round: number) => Promise<number>,
  baseline: (round: number) => Promise<number>,
): Promise<Pairs> {
  const measured: Pairs = { ours: [], baseline: [], ratio: 0 };
  for (let round = 0; round < count; round++) {
    // who comes first changes too
    const first = round % 2 ? ours : baseline;
    const a = await first(round);
    const b = await (first === ours ? baseline : ours)(round);
    measured.ours.push(first === ours ? a : b);
    measured.baseline.push(first === ours ? b : a);
    say(
      `  pair ${round + 1}: ours ${show(measured.ours[round]!)}, baseline ${show(measured.baseline[round]!)}`,
    );
  }
  measured.ratio = median(measured.ours.map((value, i) => value / measured.baseline[i]!));
  return measured;
}

/** Milliseconds that it took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export interface Result {
  bench: string;
  ratio: number;
  ours: number;
  baseline: number;
  unit: string;
  [more: string]: unknown;
}

/** The one line of a benchmark on standard output. */
export function report(result: Result): void {
  const rounded = Object.fromEntries(
    Object.entries(result).map(([k, v]) => [k, typeof v === 'number' ? round(v) : v]),
  );
  process.stdout.write(`${JSON.stringify(rounded)}\n`);
}

export function reportPairs(bench: string, unit: string, measured: Pairs, more: object = {}): void {
  const { ratio } = measured;
  const [ours, baseline] = [median(measured.ours), median(measured.baseline)];
  report({ bench, ratio, ours, baseline, unit, pairs: measured.ours.length, ...more });
}

export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Runs one benchmark; what goes wrong ends the process with 1. */
export function main(work: () => Promise<void>): void {
  work().then(
    () => process.exit(0),
    (error) => {
      say(String((error as Error).stack ?? error));
      process.exit(1);
    },
  );
}

const show = (value: number): string => String(round(value));
const round = (value: number): number => Number(value.toPrecision(4));
