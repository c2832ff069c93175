// The work of the yaml package alone for the sources of a workspace: parses every file to documents with positions, and
// converts them to values. The folder is the argument.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseAllDocuments } from 'yaml';

const folder = join(process.argv[2] ?? '.', 'schedules');
let documents = 0;
for (const name of readdirSync(folder).sort()) {
  const lineCounter = new LineCounter();
  for (const document of parseAllDocuments(readFileSync(join(folder, name), 'utf8'), { lineCounter })) {
    document.toJS();
    documents += 1;
  }
}
process.stdout.write(`${documents} documents\n`);
