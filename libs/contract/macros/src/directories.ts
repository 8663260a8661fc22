import { expandAll, fromTable, type MacroValues } from './expand';
import { splitHostEval } from './host-eval';
import { MacroError } from './macro-error';
import { climbs, hasControlCharacter, normalisePath } from './paths';

/** Answers a variable of the environment on a host, undefined or blank when it is not set there. */
export type Evaluate = (variable: string) => Promise<string | undefined>;

export interface DirectoryTemplate {
  template: string;
  evaluate: Evaluate;
}

/**
 * Resolves directories that are given as templates with macros and HOST_EVAL, and that may refer to one another
 * by their macro names in any order. Each is resolved, and each host asked, once.
 */
export class Directories {
  private readonly done = new Map<string, Promise<string>>();

  constructor(
    private readonly values: MacroValues,
    private readonly templates: ReadonlyMap<string, DirectoryTemplate>,
  ) {}

  /** The normalised path of the directory with this macro name. */
  async resolve(name: string, within: readonly string[] = [name]): Promise<string> {
    const known = this.done.get(name);
    if (known) return known;
    const directory = this.templates.get(name);
    if (!directory) throw new MacroError(`macro \${${name}} is unknown`);
    const path = await this.path(name, directory, within);
    this.done.set(name, Promise.resolve(path));
    return path;
  }

  private async path(
    name: string,
    { template, evaluate }: DirectoryTemplate,
    within: readonly string[],
  ) {
    const hostEval = splitHostEval(template.trim());
    const table = fromTable(this.values);
    const expanded = await expandAll(
      hostEval ? hostEval.rest : template.trim(),
      (macro, inner) => (this.templates.has(macro) ? this.resolve(macro, inner) : table(macro)),
      within,
    );
    let path = expanded;
    if (hostEval) {
      const value = (await evaluate(hostEval.variable))?.trim() || hostEval.otherwise;
      if (!value) {
        throw new MacroError(
          `HOST_EVAL($${hostEval.variable}) is empty on the host and has no default`,
        );
      }
      path = `${value}/${expanded}`;
    }
    if (path.includes('HOST_EVAL('))
      throw new MacroError(`HOST_EVAL stands only at the start of ${name}`);
    if (!path) throw new MacroError(`${name} is empty`);
    if (hasControlCharacter(path)) throw new MacroError(`${name} holds a control character`);
    if (climbs(path)) throw new MacroError(`${name} "${path}" holds the segment ".."`);
    return normalisePath(path);
  }
}
