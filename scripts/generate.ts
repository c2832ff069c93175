// Writes what follows from the tables in src/model: the published schemas, and the compiled validators.

import { mkdir, writeFile } from 'node:fs/promises';
import { compileValidators } from './schemas/compile-validators.ts';
import { jsonText } from './schemas/json-text.ts';
import { publishedSchemas } from './schemas/published-schemas.ts';

await mkdir('schemas', { recursive: true });
for (const [name, schema] of Object.entries(publishedSchemas())) await writeFile(`schemas/${name}`, jsonText(schema));
await writeFile('src/validate/compiled.js', compileValidators());
