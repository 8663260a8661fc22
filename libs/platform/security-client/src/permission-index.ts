import { isStar, partsOf, pathsThatAllow, type Part } from './implies';

/** How permissions that agree so far may go on. */
interface Node {
  /** A permission ends here: what it leaves out counts as a star. */
  ends?: true;
  /** A part with a star. */
  star?: Node;
  /** Parts of one word. */
  one?: Map<string, Node>;
  /** Parts of several words, by their text and by each of their words. */
  several?: { byText: Map<string, Branch>; byWord: Map<string, Branch[]> };
  /** Whole paths; nothing comes after them. */
  paths?: Set<string>;
}

interface Branch {
  words: ReadonlySet<string>;
  next: Node;
}

/**
 * Answers whether any of many permissions implies one, in a time that hardly depends on how many they are. It says what
 * `implies` says of each of them.
 */
export class PermissionIndex {
  private readonly root: Node = {};

  constructor(permissions: Iterable<string>) {
    for (const permission of permissions) this.add(permission);
  }

  implies(requested: string): boolean {
    return search(this.root, partsOf(requested), 0);
  }

  private add(permission: string): void {
    let node = this.root;
    for (const part of partsOf(permission)) {
      if (part.path !== undefined) return void (node.paths ??= new Set()).add(part.path);
      node = step(node, part);
    }
    node.ends = true;
  }
}

/** The node after this part; made when no permission went there before. */
function step(node: Node, part: Part): Node {
  if (isStar(part)) return (node.star ??= {});
  const words = new Set(part.words);
  if (words.size === 1) {
    const one = (node.one ??= new Map<string, Node>());
    const next = one.get(part.words[0]!) ?? {};
    one.set(part.words[0]!, next);
    return next;
  }
  const { byText, byWord } = (node.several ??= { byText: new Map(), byWord: new Map() });
  const text = part.words.join(',');
  let branch = byText.get(text);
  if (!branch) {
    byText.set(text, (branch = { words, next: {} }));
    for (const word of words) {
      const same = byWord.get(word);
      if (same) same.push(branch);
      else byWord.set(word, [branch]);
    }
  }
  return branch.next;
}

function search(node: Node, parts: readonly Part[], at: number): boolean {
  if (node.ends) return true;
  const part = parts[at];
  // More parts than asked for must not narrow anything.
  if (!part) return node.star !== undefined && search(node.star, parts, at);
  if (node.paths && part.path !== undefined)
    for (const path of pathsThatAllow(part.path)) if (node.paths.has(path)) return true;
  if (node.star && search(node.star, parts, at + 1)) return true;
  const { words } = part;
  const one = words.every((word) => word === words[0]) && node.one?.get(words[0]!);
  if (one && search(one, parts, at + 1)) return true;
  for (const { words: held, next } of node.several?.byWord.get(words[0]!) ?? [])
    if (words.every((word) => held.has(word)) && search(next, parts, at + 1)) return true;
  return false;
}
