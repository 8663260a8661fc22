import { conditionOf } from './condition-text';
import { character, checkText, refuse } from './refuse';
import { allOf, type Condition, type SearchTree } from './where';

/**
 * Reads `search=(attribute.operator.value)~(...)`, all of which must hold. A single condition may
 * stand without parentheses. Nothing, `()` and `~` are no condition.
 */
export function parseSearch(text: string): SearchTree | undefined {
  checkText(text, 'search');
  const first = /\S/.exec(text);
  if (!first) return undefined;
  if (first[0] !== '(' && first[0] !== '~') return condition(text, 0);
  return allOf([...conditions(text)]);
}

function* conditions(text: string): Generator<Condition> {
  let separated = true;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '~') separated = true;
    else if (char === '(') {
      if (!separated) refuse('"~" is missing between two conditions', character(at, 'search'));
      const end = closing(text, at);
      const inner = text.slice(at + 1, end);
      if (inner.trim()) yield condition(inner, at + 1);
      separated = false;
      at = end;
    } else if (/\S/.test(char)) {
      refuse('a condition must be in parentheses', character(at, 'search'));
    }
  }
}

function closing(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ')') return at;
    else if (text[at] === '(') {
      refuse('"(" in a value needs a backslash before it', character(at, 'search'));
    }
  }
  refuse('"(" without its ")"', character(open, 'search'));
}

/** `attribute.operator.value`; the value may have dots. */
function condition(text: string, start: number): Condition {
  const parts = /^(\s*)([^.]*)\.([^.]*)\.([^]*)$/.exec(text);
  if (!parts) {
    refuse('a condition must be attribute.operator.value', character(start, 'search'));
  }
  const [, blanks, attribute, operator, value] = parts as unknown as string[];
  const begin = start + blanks!.length + attribute!.length + operator!.length + 2;
  return conditionOf(attribute!.trim(), operator!.trim(), value!, begin, 'search');
}
