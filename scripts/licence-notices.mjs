// The licences of others' code that is in the bundle. The bundle must come with all of them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a package carries inside its own files, which no folder of node_modules shows: compiled to WebAssembly. */
const carried = { undici: { name: 'llhttp', licence: 'MIT', file: 'scripts/licences/llhttp.txt' } };

/** Data in files of ours. */
const ownData = `CLDR 48 (Unicode-3.0)\n\n${textOf('scripts/licences/unicode.txt')}\n`;

/** For the packages of which esbuild read a file, by name. */
export function licenceNotices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const names = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...[...new Set(names)].sort().flatMap(noticesOf), ownData].join('\n---\n\n');
}

function noticesOf(name) {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const own = `${name} ${version} (${license})\n\n${file ? textOf(join(folder, file)) : ''}\n`;
  const part = carried[name];
  if (part === undefined) return [own];
  return [own, `${part.name}, in ${name} ${version} (${part.licence})\n\n${textOf(part.file)}\n`];
}

function textOf(file) {
  return readFileSync(file, 'utf8').trim();
}
