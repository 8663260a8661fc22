import type { Express } from 'express';

interface Layer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** The methods that some route serves at this path, for 405 and its Allow header. */
export function methodsOf(app: Express, path: string): string[] {
  const layers = (app.router as unknown as { stack: Layer[] }).stack;
  const methods = layers
    .filter((layer) => layer.route && layer.match(path))
    .flatMap((layer) => Object.keys(layer.route!.methods));
  return [...new Set(methods.map((m) => m.toUpperCase()))].filter((m) => m !== '_ALL').sort();
}
