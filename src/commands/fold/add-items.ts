// Proposes that declarations become items of an existing loop. The values of an item are taken from its declaration
// wherever the loop refers to them. Everything else has to be the same.

import type { FileEdit } from '../../edit/edit-files.ts';
import { addressOf } from '../../model/values/address.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, mapAt } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo, valueAt } from '../../model/values/pointer.ts';
import type { Loop } from '../../model/workspace/resource.ts';
import { referencesIn } from '../../yaml/references-in.ts';
import { mayLack } from './choose-groups.ts';
import { placeWords, valueWords } from './find-outliers.ts';
import { type FoldInput, followers, type ProposedLoop } from './fold-loops.ts';
import { cellProblem, cellText, listsOfReceivers } from './item-rows.ts';
import type { Member } from './read-members.ts';

/** Or a sentence that says why not. `itemsFile` is the file of the loop's items. */
export function proposeItem(loop: Loop, itemsFile: string, member: Member, input: FoldInput): ProposedLoop | string {
  const { kind, address, origin } = loop;
  const text = input.files.get(origin.file);
  if (text === undefined) return `${origin.file} cannot be written.`;
  const declaration = input
    .parse({ path: origin.file, text })
    .value.find((each) => each.origin.document === origin.document);
  const { forEach, forEachRow, ...fields } = mapAt(valueAt(declaration?.value, origin.pointer));
  if (forEachRow === undefined && !isJsonObject(forEach ?? null))
    return `The items of \`${address}\` are a variable of almanac.yaml, of which each environment may have its own.`;
  const { comments, hasCommentAbove } = member.entry;
  if (comments.length > 0 || hasCommentAbove) return 'It has comments of its own, which an item cannot hold.';
  const values = itemValues(fields, member);
  if (typeof values === 'string') return values;
  const keyName = forEachRow === undefined ? 'key' : String(mapAt(forEachRow)['key']);
  const key = keyFor(member, address, values.get('key') ?? values.get(keyName));
  if (loop.keys.includes(key)) return `\`${address}\` has an item \`${key}\` already.`;
  const named = [...values].filter(([name]) => name !== 'key');
  if (named.some(([name]) => name === 'value')) return `The items of \`${address}\` are single values.`;
  const edit = forEachRow === undefined ? itemEdit() : rowEdit();
  if (typeof edit === 'string') return edit;
  const instances = [{ from: member.address, to: addressOf(kind, pointerSegments(origin.pointer)[1] ?? '', key) }];
  const gone = { file: member.file, document: member.entry.document, pointer: member.entry.pointer, value: undefined };
  const table = forEachRow === undefined ? undefined : itemsFile;
  return {
    loop: { address, file: origin.file, table, instances, values: named.map(([name]) => name) },
    edits: [edit, gone, ...followers(instances, origin, input)],
  };

  function itemEdit(): FileEdit {
    const pointer = `${origin.pointer}${pointerTo('forEach', key)}`;
    return { file: origin.file, document: origin.document, pointer, value: Object.fromEntries(named) };
  }

  function rowEdit(): FileEdit | string {
    const lists = listsOfReceivers(kind, fields);
    for (const [name, value] of named) {
      const why = cellProblem(value, lists.has(name));
      if (why !== undefined) return `A cell cannot hold its \`${name}\`: ${why}.`;
    }
    // The table's fixed values in `only`, if each is one text; the proof judges the others.
    const taken = Object.entries(mapAt(mapAt(forEachRow)['only'])).filter(([, text]) => typeof text === 'string');
    const cells = named.map(([name, value]) => [name, cellText(value)] as const);
    const row = Object.fromEntries([...taken, ...cells, [keyName, key] as const]);
    return { file: itemsFile, document: 0, pointer: '/-', value: row };
  }
}

/** Values keyed by name; or a sentence that says why the declaration is not an instance. */
function itemValues(fields: JsonObject, member: Member): ReadonlyMap<string, Json> | string {
  const known = new Map<string, Json>();
  const later: (readonly [Pointer, string, Json])[] = [];
  const differenceWords = (pointer: Pointer) => {
    const [own, form] = [valueAt(member.fields, pointer), valueAt(fields, pointer)];
    return `${placeWords(pointer)} ${own === undefined ? 'is missing' : `is ${valueWords(own)}`}, where the loop has ${form === undefined ? 'none' : valueWords(form)}.`;
  };
  for (const field of new Set([...Object.keys(fields), ...Object.keys(member.fields)])) {
    const form = fields[field];
    const isLacking = !Object.hasOwn(member.fields, field) && mayLack(member.kind, field);
    if (isLacking && typeof form === 'string' && referencesIn(form).whole?.namespace === 'each') continue;
    const bad = firstUnlike(pointerTo(field), form, member.fields[field]);
    if (bad !== undefined) return differenceWords(bad);
  }
  const wrong = later.find(([, form, own]) => withValues(form, known) !== own);
  return wrong === undefined ? known : differenceWords(wrong[0]);

  function firstUnlike(pointer: Pointer, form: Json | undefined, own: Json | undefined): Pointer | undefined {
    if (form === undefined || own === undefined) return pointer;
    if (typeof form === 'string') return isInstance(pointer, form, own) ? undefined : pointer;
    if (typeof form !== 'object' || form === null || typeof own !== 'object' || own === null)
      return form === own ? undefined : pointer;
    const names = [...new Set([...Object.keys(form), ...Object.keys(own)])];
    if (Array.isArray(form) !== Array.isArray(own) || Object.keys(form).length !== Object.keys(own).length)
      return pointer;
    return names
      .map((name) => {
        const below = pointer + pointerTo(name);
        return firstUnlike(below, valueAt(form, pointerTo(name)), valueAt(own, pointerTo(name)));
      })
      .find((each) => each !== undefined);
  }

  function isInstance(pointer: Pointer, form: string, own: Json): boolean {
    const [start = '', name, end = '', ...more] = form.split(eachReference);
    if (name === undefined) return form === own;
    if (more.length > 0) {
      later.push([pointer, form, own]);
      return true;
    }
    if (start === '' && end === '') return isKnown(name, own);
    if (typeof own !== 'string' || own.length < start.length + end.length) return false;
    if (!own.startsWith(start) || !own.endsWith(end)) return false;
    return isKnown(name, own.slice(start.length, own.length - end.length));
  }

  function isKnown(name: string, value: Json): boolean {
    const before = known.get(name);
    known.set(name, before ?? value);
    return before === undefined || canonicalJson(before) === canonicalJson(value);
  }
}

const eachReference = /\$\{each\.([^${}]*)\}/;

function withValues(form: string, values: ReadonlyMap<string, Json>): string {
  return form
    .split(eachReference)
    .map((part, index) => (index % 2 === 0 ? part : String(values.get(part))))
    .join('');
}

/** The key according to the loop's form, or else the end of the address after the loop's name. */
function keyFor({ key }: Member, loop: string, said: Json | undefined): string {
  if (typeof said === 'string') return said;
  const before = `${loop.replace(/^.*\./, '')}-`;
  return key.startsWith(before) ? key.slice(before.length) : key;
}
