// The generated tables of pages, each between two markers.

import { comparedTable } from './compared-table.ts';
import { fieldTables } from './field-reference.ts';
import { permissionsTable } from './permissions-table.ts';
import { statementsTable } from './probe-table.ts';
import { wordsTable } from './words-table.ts';

/** By page and marker. */
const tables: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/fields.md': fieldTables,
  'docs/drift.md': { compared: comparedTable },
  'docs/ci.md': { permissions: permissionsTable },
  'docs/from-other-tools.md': { words: wordsTable },
  'docs/probe.md': { statements: statementsTable },
};

export const pagesWithTables = Object.keys(tables);

/** The text of a page with up-to-date tables; throws if it has no place for one. */
export function withTables(page: string, text: string): string {
  return Object.entries(tables[page] ?? {}).reduce((whole, [marker, table]) => {
    const place = new RegExp(`(<!-- ${marker} -->\n)[\\s\\S]*?(?=<!-- end of ${marker.split(':')[0]} -->)`);
    if (!place.test(whole)) throw new Error(`${page}: there is no place for the table ${marker}`);
    return whole.replace(place, (_, start: string) => `${start}\n${table()}\n`);
  }, text);
}
