// Almanac's own name on npm and version, from package.json at build time.

import manifest from '../package.json' with { type: 'json' };

export const packageName: string = manifest.name;
export const version: string = manifest.version;
