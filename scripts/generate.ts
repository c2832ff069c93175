// Writes everything that is derived from the tables in src: the published schemas, the compiled validators, and the tables
// of pages. Also writes the help of each code, derived from docs/diagnostics.md.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { schemaText } from '../src/report/text/render-json.ts';
import { codeHelpFile, codeHelpText, diagnosticsPage } from './docs/code-help.ts';
import { pagesWithTables, withTables } from './docs/tables.ts';
import { compileValidators, validatorTypes } from './schemas/compile-validators.ts';
import { publishedSchemas } from './schemas/published-schemas.ts';

await mkdir('schemas', { recursive: true });
for (const [name, schema] of Object.entries(publishedSchemas())) await writeFile(`schemas/${name}`, schemaText(schema));
for (const [name, code] of Object.entries(compileValidators())) await writeFile(`src/declare/${name}.js`, code);
for (const [name, types] of Object.entries(validatorTypes())) await writeFile(`src/declare/${name}.d.ts`, types);
for (const page of pagesWithTables) await writeFile(page, withTables(page, await readFile(page, 'utf8')));
await writeFile(codeHelpFile, codeHelpText(await readFile(diagnosticsPage, 'utf8')));
