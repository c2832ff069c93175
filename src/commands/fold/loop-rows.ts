// Proposes that the items of a loop become the rows of a table. Their addresses stay, so nothing moves.

import { isJsonObject, type Json, mapAt } from '../../model/values/json.ts';
import { valueAt } from '../../model/values/pointer.ts';
import type { Loop } from '../../model/workspace/resource.ts';
import { newFile, type ProposedLoop } from './fold-loops.ts';
import { cellProblem, listsOfReceivers, rowsOf } from './item-rows.ts';
import type { Sources } from './read-members.ts';
import { writtenDeclarations } from './written-declarations.ts';

/** Or a whole sentence that says why not. */
export function proposeRows({ kind, address, origin }: Loop, sources: Sources, table: string): ProposedLoop | string {
  const { file, document, pointer } = origin;
  const text = sources.files.get(file);
  if (text === undefined) return `${file} cannot be written.`;
  const declaration = sources.parse({ path: file, text }).value.find((each) => each.origin.document === document);
  const { forEach, forEachRow, ...fields } = mapAt(valueAt(declaration?.value, pointer));
  if (forEachRow !== undefined) return 'Its items are rows already.';
  if (!isJsonObject(forEach))
    return 'Its items are a variable of almanac.yaml, of which each environment may have its own.';
  const written = writtenDeclarations(text).find((each) => each.document === document && each.pointer === pointer);
  if (written === undefined) return 'Its section is written in braces, or has an anchor.';
  if (written.isShared) return 'It has anchors, aliases, merge keys or tags, which a table cannot have.';
  if (written.itemComments.length > 0) return 'Its items have comments, which a table cannot hold.';
  const items = Object.entries(forEach);
  const isSingle = ([, item]: readonly [string, Json]) => item !== null && !isJsonObject(item);
  if (items.some(isSingle)) return 'An item is a single value, and a column needs a name.';
  const lists = listsOfReceivers(kind, fields);
  for (const [key, item] of items)
    for (const [name, value] of Object.entries(mapAt(item))) {
      const why = cellProblem(value, lists.has(name));
      if (why !== undefined) return `A cell cannot hold the \`${name}\` of the item \`${key}\`: ${why}.`;
    }
  const keys = items.map(([key]) => key);
  const names = [...new Set(items.flatMap(([, item]) => Object.keys(mapAt(item))))];
  const columns = new Map(names.map((name) => [name, items.map(([, item]) => mapAt(item)[name])]));
  const rows = rowsOf(keys, columns, { table, file });
  const place = { file, document };
  return {
    loop: {
      address,
      file,
      table,
      instances: keys.map((key) => ({ from: `${address}.${key}`, to: `${address}.${key}` })),
      values: names,
    },
    edits: [
      newFile(table, rows.text),
      { ...place, pointer: `${pointer}/forEach`, value: undefined },
      { ...place, pointer: `${pointer}/forEachRow`, value: rows.forEachRow },
    ],
  };
}
