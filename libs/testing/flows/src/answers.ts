import type { Answer, Call } from './http-call';

/** The kept part of one answer. */
const KEPT = 64 * 1024;
const MOST = 4000;

/** What the platform answered during one test file, to look for things that must never leave it. */
export class Answers {
  private readonly kept: string[] = [];

  add(call: Call, answer: Answer): void {
    if (this.kept.length >= MOST) return;
    const body = answer.bytes.subarray(0, KEPT).toString('latin1');
    this.kept.push(
      `${call.method} ${call.path} -> ${answer.status} ${JSON.stringify(answer.headers)}\n${body}`,
    );
  }

  all(): readonly string[] {
    return this.kept;
  }
}
