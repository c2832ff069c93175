// Writes dist/index.d.ts: of the types that TypeScript emitted, those that the library's exports need, in one file. What
// cannot be moved into one file as it stands, such as a second declaration of a name, ends the build.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const emitted = resolve('dist/types');
const index = resolve(emitted, 'index.d.ts');
/** An import or an export of another file. */
const link = /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)\.ts';\n/gm;
const declared = /^(?:export )?(?:declare )?(?:class|const|function|interface|type) (\w+)/m;
/** The start of a declaration, with the comment above it. */
const start = /^(?<!\*\/\n)(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export|declare|interface|type) )/m;

const declarations = new Map();
for (const file of filesFrom(index)) for (const part of partsOf(file)) declare(file, part);

const exported = [...readFileSync(index, 'utf8').matchAll(link)].flatMap(([, names]) => namesIn(names)).sort();
const needed = neededFor(exported);
const texts = [...declarations].filter(([name]) => needed.has(name)).map(([, { text }]) => text);
writeFileSync('dist/index.d.ts', `${texts.join('\n')}\nexport { ${exported.join(', ')} };\n`);
rmSync(emitted, { recursive: true });

/** The file and all that it needs, each before those that need it. */
function filesFrom(file, found = new Set()) {
  const linked = [...readFileSync(file, 'utf8').matchAll(link)].map(([, , path]) =>
    resolve(dirname(file), `${path}.d.ts`),
  );
  const first = linked.filter((path) => !found.has(path));
  for (const path of [file, ...first]) found.add(path);
  return [...first.flatMap((path) => filesFrom(path, found)), file];
}

/** The declarations of a file, each with its comment. */
function partsOf(file) {
  const text = readFileSync(file, 'utf8')
    .replaceAll(link, '')
    .replace(/^export \{\};\n/m, '');
  if (/\bimport\(|^import |^export (?:default|\*|\{)/m.test(text))
    throw new Error(`${file} has a link that cannot be bundled.`);
  return text.split(start).filter((part) => part.trim() !== '');
}

function declare(file, part) {
  const name = declared.exec(part)?.[1];
  const other = declarations.get(name);
  if (name === undefined) throw new Error(`${file} declares something unknown:\n${part}`);
  if (other !== undefined && other.file !== file) throw new Error(`${file} and ${other.file} both declare ${name}.`);
  declarations.set(name, { file, text: `${other?.text ?? ''}${part.replace(/^export /m, '')}` });
}

function neededFor(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name) || !declarations.has(name)) continue;
    found.add(name);
    neededFor(declarations.get(name).text.match(/\w+/g), found);
  }
  return found;
}

function namesIn(list) {
  if (/ as /.test(list)) throw new Error(`A name cannot be changed: ${list}`);
  return list
    .replaceAll(/\btype /g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
