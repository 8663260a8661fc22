import type { ServiceDefinition } from './define-service';

/** The definitions so that each comes after those it needs. Needs outside the list are parts, not services. */
export function inOrderOfNeed(definitions: ServiceDefinition[]): ServiceDefinition[] {
  const byName = new Map(definitions.map((d) => [d.name, d]));
  const ordered: ServiceDefinition[] = [];
  const visit = (definition: ServiceDefinition, path: string[]): void => {
    if (ordered.includes(definition)) return;
    if (path.includes(definition.name))
      throw new Error(
        `Services need each other in a circle: ${[...path, definition.name].join(' → ')}`,
      );
    for (const need of definition.needs) {
      const needed = byName.get(need);
      if (needed) visit(needed, [...path, definition.name]);
    }
    ordered.push(definition);
  };
  for (const definition of definitions) visit(definition, []);
  return ordered;
}
