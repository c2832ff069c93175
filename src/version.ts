// Almanac's own name on npm, its version and the Node that it needs, from package.json at build time.

import manifest from '../package.json' with { type: 'json' };

export const packageName: string = manifest.name;
export const version: string = manifest.version;
/** The versions of Node that it runs on, such as `>=20`. */
export const supportedNode: string = manifest.engines.node;
