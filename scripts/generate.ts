// Writes what follows from the tables in src/model: the published schemas, and the compiled validators.

import { mkdir, writeFile } from 'node:fs/promises';
import type { JsonObject } from '../src/model/json.ts';
import { compileValidators } from './schemas/compile-validators.ts';
import { publishedSchemas } from './schemas/published-schemas.ts';

const text = (schema: JsonObject) => `${JSON.stringify(schema, null, 2)}\n`;

await mkdir('schemas', { recursive: true });
for (const [name, schema] of Object.entries(publishedSchemas())) await writeFile(`schemas/${name}`, text(schema));
await writeFile('src/validate/compiled.js', compileValidators());
