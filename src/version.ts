// Almanac's name on npm, its version, and the Node that it needs. The values come from package.json at build time. Also
// says which of the two programs was built.

import manifest from '../package.json' with { type: 'json' };

/** Set by scripts/build.mjs, and nowhere else. */
declare const almanacIsExecutable: boolean | undefined;

export const packageName: string = manifest.name;
export const version: string = manifest.version;
/** The versions of Node that it runs on, such as `>=20`. */
export const supportedNode: string = manifest.engines.node;
/** True if this is one file that holds Node, was not installed by npm, and finds no package beside it. */
export const isExecutable: boolean = typeof almanacIsExecutable === 'boolean' && almanacIsExecutable;

/** The text of --version. Whoever has no Node installed still has to know which one runs. */
export function printedVersion(given: { readonly version: string; readonly node: string }): string {
  return isExecutable ? `${given.version} (Node ${given.node})` : given.version;
}
