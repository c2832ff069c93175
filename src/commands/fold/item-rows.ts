// Items as the rows of a new CSV file. Gives the text of the file, the field that reads it, and the values that no cell
// can hold.

import { dirname, relative } from 'node:path/posix';
import { cellOfList } from '../../declare/expand/cells.ts';
import { receiversAt } from '../../model/fields/delivery.ts';
import type { Kind } from '../../model/values/address.ts';
import { byName, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, valueAt } from '../../model/values/pointer.ts';
import { referenceTokens } from '../../model/values/references.ts';
import { inBackticks, shortText } from '../../model/values/words.ts';
import { printTable } from '../../yaml/edit/edit-table.ts';
import { referencesIn } from '../../yaml/references-in.ts';
import { takeName } from '../base/kebab.ts';
import type { Member } from './read-members.ts';

/** The place where the items' values are written. */
export type ItemsIn = 'declaration' | 'table';

interface ItemRows {
  readonly text: string;
  readonly forEachRow: JsonObject;
}

/** `columns` has each value's cells, in the order of the keys. `table` is the new file's path, `file` the loop's. */
export function rowsOf(
  keys: readonly string[],
  columns: ReadonlyMap<string, readonly (Json | undefined)[]>,
  { table, file }: { readonly table: string; readonly file: string },
): ItemRows {
  // A value that is the key is written once.
  const same = [...columns].find(([, values]) => values.every((value, index) => value === keys[index]))?.[0];
  const key = same ?? takeName(['code'], new Set(columns.keys()));
  const otherColumns = [...columns].filter(([name]) => name !== key);
  const inOrder = [...keys.entries()].sort(([, a], [, b]) => byName(a, b));
  const rows = inOrder.map(([index, each]) => [each, ...otherColumns.map(([, values]) => cellText(values[index]))]);
  return {
    text: printTable([[key, ...otherColumns.map(([name]) => name)], ...rows]),
    forEachRow: { file: relative(dirname(file), table), key },
  };
}

/** The proof finds values that are not cells: callers have checked with `cellProblem`. */
export function cellText(value: Json | undefined): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? (cellOfList(value) ?? '') : String(value);
}

/** The places whose whole list of receivers is one cell. Slack gets the text of a cell unchanged. */
export function listCellsOf({ kind, destination }: Pick<Member, 'kind' | 'destination'>): readonly Pointer[] {
  const { email, group } = receiversAt(kind);
  return [destination === 'slack' ? undefined : email, group].flatMap((at) => at ?? []);
}

/** The end of a sentence, like the results of `cellProblem`. */
export const notSingle = 'it is not a single value';

/** The end of a sentence; undefined if a cell can hold it. `mayBeList`: the cell gives all of a list of receivers. */
export function cellProblem(value: Json, mayBeList: boolean): string | undefined {
  if (typeof value === 'string') return cellTextProblem(value);
  if (typeof value === 'number' || typeof value === 'boolean') return undefined;
  if (!Array.isArray(value) || !mayBeList) return notSingle;
  const list = value as readonly Json[];
  const [why] = list.flatMap((each) => cellProblem(each, false) ?? []);
  return why ?? (cellOfList(list) === undefined ? 'it would be read as another list' : undefined);
}

function cellTextProblem(text: string): string | undefined {
  const named = inBackticks(shortText(text, maxNamedLength));
  if (/^[=+\-@\t\r]/.test(text)) return `a spreadsheet would take ${named} for a formula`;
  const isPlain = referenceTokens(text).every(({ inner }) => inner === undefined);
  return isPlain ? undefined : `there ${named} would be plain text`;
}

const maxNamedLength = 40;

/** The values that are all of a list of receivers: only such a list can be one cell. */
export function listsOfReceivers(kind: Kind, fields: JsonObject): ReadonlySet<string> {
  const { email, group } = receiversAt(kind);
  return new Set(
    [email, group].flatMap((at) => {
      const value = at === undefined ? undefined : valueAt(fields, at);
      const whole = typeof value === 'string' ? referencesIn(value).whole : undefined;
      return whole?.namespace === 'each' ? [whole.name] : [];
    }),
  );
}
