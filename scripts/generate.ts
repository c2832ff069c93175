// Writes everything that is derived from the tables in src/model: the published schemas, the compiled validators, and
// the field reference and what drift compares in docs. Also writes the statements of a probe and the permissions of jobs into their pages, and the help of
// each code, derived from docs/diagnostics.md.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { schemaText } from '../src/report/text/schema-text.ts';
import { codeHelpFile, codeHelpText, diagnosticsPage } from './docs/code-help.ts';
import { comparedPage, withCompared } from './docs/compared-table.ts';
import { referencePage, withFieldReference } from './docs/field-reference.ts';
import { permissionsPage, withPermissions } from './docs/permissions-table.ts';
import { probePage, withStatements } from './docs/probe-table.ts';
import { compileValidators, validatorTypes } from './schemas/compile-validators.ts';
import { publishedSchemas } from './schemas/published-schemas.ts';

await mkdir('schemas', { recursive: true });
for (const [name, schema] of Object.entries(publishedSchemas())) await writeFile(`schemas/${name}`, schemaText(schema));
await writeFile('src/declare/compiled.js', compileValidators());
await writeFile('src/declare/compiled.d.ts', validatorTypes());
await writeFile(referencePage, withFieldReference(await readFile(referencePage, 'utf8')));
await writeFile(comparedPage, withCompared(await readFile(comparedPage, 'utf8')));
await writeFile(permissionsPage, withPermissions(await readFile(permissionsPage, 'utf8')));
await writeFile(probePage, withStatements(await readFile(probePage, 'utf8')));
await writeFile(codeHelpFile, codeHelpText(await readFile(diagnosticsPage, 'utf8')));
