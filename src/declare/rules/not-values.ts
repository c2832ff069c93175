// Texts in place of a value that was lost or is still to come. A spreadsheet shows one after a failure, a program
// writes one for nothing, for a list or for a long number. Such a text is sent unchanged, whoever wrote it. Texts
// outside the lists below are never guessed at.

import { lackedKey } from '../../model/fields/complete-conditions.ts';
import { receiversAt } from '../../model/fields/delivery.ts';
import { stateOnlyFields } from '../../model/fields/fields.ts';
import { valueKeys } from '../../model/fields/filter-keys.ts';
import type { Kind } from '../../model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { type Pointer, parentOf, pointerTo } from '../../model/values/pointer.ts';
import { fieldName, type Rule, type RuleFinding } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';
import { columnsHint } from '../unfit-values.ts';
import { columnOf, isOfCell, type ReferenceSource } from '../walk-places.ts';
import { dashboardFilters, deliveryFilters } from './filter-shape.ts';

/** The use of a text. `dividing` is a filter of `safety.rows.filters`. */
type Role = 'identifier' | 'name' | 'recipients' | 'groups' | 'dividing' | 'filter' | 'text';

/** Matches even as part of a text: `Sales for #N/A`. */
const ofSpreadsheet =
  /(?<![\p{L}\p{N}.,#&/_])(?:(?<failed>#[¡¿]?\p{Lu}[\p{Lu}\d/]*[!?]|#\p{Lu}\/\p{Lu}|#NV|Err:\d{3})|-?\d[.,]\d+E[+-]\d+)(?![\p{L}\p{N}/_])/gu;

/** A quick test for these, as almost no text has one. */
const mayBeOfSpreadsheet = /#|Err:|E[+-]/;

/**
 * Only as a whole value of a filter; `absent` and `todo` also as a user group, `none` in a dividing filter alone.
 * Programs write an exponent with a point before it or with a sign: `1e5` and `12345e67` are codes.
 */
const ofProgram =
  /^(?:(?<absent>null|\(null\)|NULL|Null|\(NULL\)|nan|NaN|NAN|None|undefined)|(?<todo>TODO)|(?<none>[-%]|N\/A|n\/a)|(?<blank>\\N|<NA>|[-+]?[Ii]nf)|(?<list>\[.*\]|\{.*\})|[-+]?(?:\d*\.\d+[eE][-+]?|\d+\.?[eE][-+])\d+)$/s;

/** True if a program may have written a number in this form without losing digits. */
const isNumeric = (text: string) => !isShortened(text) && Number.isFinite(Number(text));

/** True if a spreadsheet has removed digits. */
export const isShortened = (text: string) => /^\s*-?\d[.,]\d+E[+-]\d+\s*$/.test(text);

/** The uses in which another value would change the report or its receivers. */
const decisive: ReadonlySet<Role> = new Set<Role>(['identifier', 'name', 'recipients', 'groups', 'dividing']);

const rolesOf = memoize((kind: Kind): ReadonlyMap<Pointer, Role> => {
  const { email, group, slack } = receiversAt(kind);
  const receivers = [email, slack].flatMap((at): [Pointer, Role][] => (at === undefined ? [] : [[at, 'recipients']]));
  return new Map<Pointer, Role>([
    ['/identifier', 'identifier'],
    ['/name', 'name'],
    ...receivers,
    ...(group === undefined ? [] : [[group, 'groups'] as const]),
  ]);
});

const filterFields: readonly string[] = [deliveryFilters.field, dashboardFilters.field];

export const valuesAreValues: Rule = ({ kind, value, cells, referredAt }, { dividing }) => {
  const findings: RuleFinding[] = [];
  const roles = rolesOf(kind);
  const judge = (text: string, pointer: Pointer, role: Role) => {
    const found = judged(text, pointer, role, { cells, referred: () => referredAt(pointer) });
    if (found !== undefined) findings.push(found);
  };
  for (const [field, written] of Object.entries(value)) {
    if (stateOnlyFields.includes(field)) continue;
    const pointer = pointerTo(field);
    if (!filterFields.includes(field) || !isJsonObject(written)) {
      eachText(written, pointer, (text, at) => judge(text, at, roles.get(at) ?? roles.get(parentOf(at)) ?? 'text'));
      continue;
    }
    for (const [id, filter] of Object.entries(written)) {
      const role = dividing.has(id) ? 'dividing' : 'filter';
      // The finding about the condition says that they may be numbers.
      const saysType = !isJsonObject(filter) || lackedKey(filter) === undefined;
      eachText(filter, pointer + pointerTo(id), (text, at, key) => {
        if (saysType || !isNumeric(text)) judge(text, at, valueKeys.includes(key) ? role : 'text');
      });
    }
  }
  return findings;
};

/** Checks a list of receivers that no item of a loop gives. */
export function valuesAmong(list: Json, at: Pointer, role: 'recipients' | 'groups'): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  eachText(list, at, (text, pointer) => {
    const found = judged(text, pointer, role, {});
    if (found !== undefined) findings.push(found);
  });
  return findings;
}

/** `key` is that of the map with the text, or with a list of it. */
type See = (text: string, pointer: Pointer, key: string) => void;

function eachText(part: Json, pointer: Pointer, see: See, key = ''): void {
  if (typeof part === 'string') see(part, pointer, key);
  if (typeof part !== 'object' || part === null) return;
  const isList = Array.isArray(part);
  for (const [name, each] of Object.entries(part)) eachText(each, pointer + pointerTo(name), see, isList ? key : name);
}

interface TextSource {
  /** The cells of the row, keyed by column. */
  readonly cells?: JsonObject | undefined;
  readonly referred?: () => ReferenceSource | undefined;
}

function judged(text: string, pointer: Pointer, role: Role, given: TextSource): RuleFinding | undefined {
  return spreadsheetsFault(text, pointer, role, given) ?? programsFault(text.trim(), pointer, role, given);
}

function spreadsheetsFault(text: string, pointer: Pointer, role: Role, given: TextSource): RuleFinding | undefined {
  if (!mayBeOfSpreadsheet.test(text)) return undefined;
  const { cells = {}, referred } = given;
  for (const { 0: part, groups } of text.matchAll(ofSpreadsheet)) {
    const isCell = Object.values(cells).some((cell) => String(cell).trim() === part);
    // Another text may mention it, but a name hardly does.
    if (!isCell && role !== 'name' && part !== text.trim()) continue;
    const isInTable = isCell || isOfCell(referred?.());
    const isFailure = groups?.['failed'] !== undefined;
    return {
      code: 'not-a-value',
      message: isFailure
        ? `A spreadsheet writes ${quote(part)} in place of a value. ${sentAsValue(part)}`
        : `A spreadsheet writes a long number as ${quote(part)}, without all of its digits.`,
      hint: isFailure ? (isInTable ? correctCell : writeMeant) : isInTable ? formatAsText : writeDigits,
      pointer,
      part,
      severity: decisive.has(role) ? 'error' : undefined,
    };
  }
  return undefined;
}

const sentAsValue = (text: string) => `Almanac would send ${quote(text)} as the value.`;

const correctCell = 'Correct the cell, or remove the row.';
const writeMeant = 'Write the value that is meant.';
const writeDigits = 'Write all of its digits, in quotes.';
const formatAsText =
  'Format the column as text in the spreadsheet, write all of the digits there, and export it again.';

function programsFault(text: string, pointer: Pointer, role: Role, { referred }: TextSource): RuleFinding | undefined {
  const isFilter = role === 'filter' || role === 'dividing';
  if (!isFilter && role !== 'groups') return undefined;
  const { groups } = ofProgram.exec(text) ?? {};
  if (groups === undefined) return isFilter ? severalInCell(text, pointer, referred) : undefined;
  const { absent, todo, none, blank, list } = groups;
  if (none !== undefined ? role !== 'dividing' : !isFilter && absent === undefined && todo === undefined)
    return undefined;
  const given = referred?.();
  const [column, correctionHint] = [columnOf(given), isOfCell(given) ? correctCell : writeMeant];
  const shown = quote(text);
  const finding = (message: string, hint: string) => ({ code: 'not-a-value', message, hint, pointer }) as const;
  if (todo !== undefined)
    return finding(`${shown} says that the value is missing. ${sentAsValue(text)}`, correctionHint);
  if (none !== undefined)
    return finding(
      `Many tables write ${shown} where there is no value, and \`${fieldName(parentOf(pointer))}\` decides who may see which rows.`,
      correctionHint,
    );
  if (absent !== undefined || blank !== undefined)
    return finding(`Programs write ${shown} where there is no value. ${sentAsValue(text)}`, correctionHint);
  if (list === undefined)
    return finding(
      `Programs write a long number as ${shown}. ${sentAsValue(text)}`,
      column === undefined ? writeDigits : formatAsText,
    );
  return finding(
    `Programs write a list as ${shown}. ${sentAsValue(text)}`,
    column === undefined ? 'Write each value as an entry of its own.' : columnsHint('values', column),
  );
}

function severalInCell(text: string, pointer: Pointer, referred: TextSource['referred']): RuleFinding | undefined {
  const column = /[;\n]/.test(text) ? columnOf(referred?.()) : undefined;
  if (column === undefined) return undefined;
  return {
    code: 'filter-value',
    message: `The cell looks like several values, and ${quote(text)} is sent as one.`,
    hint: columnsHint('values', column),
    pointer,
  };
}
