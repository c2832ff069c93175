// Texts in place of a value that was lost or is still to come. A spreadsheet shows one after a failure, a program
// writes one for nothing, for a list or for a long number. Such a text is sent unchanged, whoever wrote it. Texts
// outside the lists below are never guessed at.

import { lackedKey } from '../../model/fields/complete-conditions.ts';
import { receiversAt } from '../../model/fields/delivery.ts';
import { stateOnlyFields } from '../../model/fields/fields.ts';
import { valueKeys } from '../../model/fields/filter-keys.ts';
import type { Kind } from '../../model/values/address.ts';
import { memoize, memoizeObject, pushAll } from '../../model/values/collections.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, parentOf, pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import { nearlyWords } from '../findings/near-text.ts';
import {
  type CheckedResource,
  fieldName,
  type Rule,
  type RuleContext,
  type RuleFinding,
  type ValuesOfTable,
} from '../findings/rule.ts';
import { bareReferenceHint } from '../findings/suggest.ts';
import { columnsHint } from '../unfit-values.ts';
import { columnOf, isOfCell, type ReferenceSource } from '../walk-places.ts';
import { type Condition, conditionsIn, dashboardFilters, deliveryFilters, type FiltersOfKind } from './filter-shape.ts';
import { valuesIn } from './filter-values.ts';
import { written } from './other-tools.ts';
import { comparesTexts, isExpression, meaningOfValues } from './other-values.ts';

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
  /^(?:(?<absent>null|\([Bb]lank\)|\(leer\)|\(null\)|NULL|Null|\(NULL\)|nan|NaN|NAN|None|undefined)|(?<todo>TODO)|(?<none>[-%]|N\/A|n\/a)|(?<blank>\\N|<NA>|[-+]?[Ii]nf)|(?<list>\[.*\]|\{.*\})|(?<typed>'(?![a-z]{1,2}[- ])[^']+|=[A-Z(+"'].*)|[-+]?(?:\d*\.\d+[eE][-+]?|\d+\.?[eE][-+])\d+)$/s;

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

/** The entries of a list of receivers that may be wrong. Thousands of resources may share one. */
const mayBeOdd = memoizeObject((list: readonly Json[]) =>
  list.filter((text) => typeof text !== 'string' || mayBeOfSpreadsheet.test(text)),
);

const filterFields: readonly string[] = [deliveryFilters.field, dashboardFilters.field];

export const valuesAreValues: Rule = (checked, context) => {
  const { kind, value, cells, referredAt } = checked;
  const { dividing, table } = context;
  const findings: RuleFinding[] = [];
  const roles = rolesOf(kind);
  const judge = (text: string, pointer: Pointer, role: Role) => {
    const found = judged(text, pointer, role, { cells, referred: () => referredAt(pointer) });
    // A value of the table of permissions is one, whatever programs write for none.
    const isKnown = found?.severity === undefined && table?.values.has(text) === true;
    if (found !== undefined && !isKnown) findings.push(found);
  };
  for (const [field, written] of Object.entries(value)) {
    if (stateOnlyFields.includes(field)) continue;
    const pointer = pointerTo(field);
    if (roles.get(pointer) === 'recipients' && Array.isArray(written) && mayBeOdd(written).length === 0) continue;
    if (!filterFields.includes(field) || !isJsonObject(written)) {
      eachText(written, pointer, (text, at) => judge(text, at, roles.get(at) ?? roles.get(parentOf(at)) ?? 'text'));
      continue;
    }
    for (const [id, filter] of Object.entries(written)) {
      const role = dividing.has(id) ? 'dividing' : 'filter';
      // The finding about the condition says that they may be numbers.
      const saysType = !isJsonObject(filter) || lackedKey(filter) === undefined;
      const at = pointer + pointerTo(id);
      eachText(filter, at, (text, place, key) => {
        if (saysType || !isNumeric(text)) judge(text, place, valueKeys.includes(key) ? role : 'text');
      });
      const said = new Set(findings.map((each) => each.pointer));
      const of = field === deliveryFilters.field ? deliveryFilters : dashboardFilters;
      for (const condition of conditionsIn(filter, of, at))
        pushAll(findings, oddTexts(condition, role, of, checked, context, said));
    }
  }
  return findings;
};

/** The values of one condition that another tool, a program on the way or another spelling has made of a value. */
function oddTexts(
  condition: Condition,
  role: Role,
  { isStrict }: FiltersOfKind,
  { referredAt, column }: CheckedResource,
  { table }: RuleContext,
  said: ReadonlySet<Pointer>,
): readonly RuleFinding[] {
  const { filter } = condition;
  const list: readonly Json[] = Array.isArray(filter['values']) ? filter['values'] : [];
  return valuesIn(condition).flatMap(({ value: text, at, isSide }): readonly RuleFinding[] => {
    if (typeof text !== 'string' || said.has(at) || table?.values.has(text)) return [];
    const words =
      (isSide || comparesTexts(filter) ? expressionWords(text, isSide, { filter, list, isStrict }) : undefined) ??
      (isSide ? undefined : changedWords(text, filter, () => column?.(columnOf(referredAt(at)) ?? ''))) ??
      (role === 'dividing' && table !== undefined && !isSide ? nearWords(text, table) : undefined);
    if (words === undefined) return [];
    const isCell = isOfCell(referredAt(at));
    return [{ code: 'filter-value', message: words.message, hint: isCell ? words.inCell : words.hint, pointer: at }];
  });
}

interface OddWords {
  readonly message: string;
  readonly hint: string;
  /** The advice where a cell gives the value. */
  readonly inCell: string;
}

interface ConditionAround {
  readonly filter: JsonObject;
  readonly list: readonly Json[];
  readonly isStrict: boolean;
}

function expressionWords(
  text: string,
  isSide: boolean,
  { filter, list, isStrict }: ConditionAround,
): OddWords | undefined {
  if (!isExpression(text, isSide)) return undefined;
  const means = meaningOfValues(isSide ? [text] : list, filter['is_negative'] === true);
  const message = `${quote(text)} is an expression of another tool, and Omni compares with it as a text.`;
  if ('ask' in means) return { message, hint: means.ask, inCell: `A cell holds one value. ${means.ask}` };
  const form = `{ ${written(means.keys, isStrict)} }`;
  return {
    message,
    hint: `Write \`${form}\` if that is meant. If it is a value of the data, write \`accept: { filter-value: REASON }\`.`,
    inCell: `A cell holds one value. If an expression is meant, it is a declaration of its own, with \`${form}\`.`,
  };
}

/** Finds the changes that exports and programs make to a value on the way. `column` gives all cells beside it. */
function changedWords(
  text: string,
  { type }: JsonObject,
  column: () => readonly Json[] | undefined,
): OddWords | undefined {
  const [what, meant] = changedText(text, type, column) ?? [];
  if (what === undefined) return undefined;
  const value = meant === undefined ? 'the value that is meant' : quote(meant);
  return {
    message: `${what} ${sentAsValue(text)}`,
    hint: `Write ${value}.`,
    inCell: `Write ${value} into the cell, and correct the export that writes the table.`,
  };
}

/** Undefined for a text that is not wholly in quotes of one kind. */
function insideQuotes(text: string): string | undefined {
  const [first] = text;
  if (text.length < 2 || (first !== '"' && first !== "'") || text.at(-1) !== first) return undefined;
  const inside = text.slice(1, -1);
  if (inside === '' || /[^"']/.test(inside)) return inside;
  return /^"{5,}$/.test(text) ? '"' : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const entity = /&(?:#(\d{2,5})|#x([\da-f]{2,5})|(amp|lt|gt|quot|apos|nbsp));/gi;

function changedText(
  text: string,
  type: Json | undefined,
  column: () => readonly Json[] | undefined,
): readonly [what: string, meant?: string] | undefined {
  if (text.includes('\uFFFD')) return [`${quote(text)} has a sign for a letter that a program could not read.`];
  const read = asUtf8(text);
  if (read !== undefined) return [`${quote(text)} is UTF-8 that a program has read as Latin-1.`, read];
  const plain = text.replaceAll(entity, (whole, decimal: string, hex: string, name: string) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return entities[name?.toLowerCase()] ?? (code > 0 && code < 0xd800 ? String.fromCharCode(code) : whole);
  });
  if (plain !== text) return [`${quote(text)} has a character as HTML writes it.`, plain];
  const inside = insideQuotes(text);
  if (inside !== undefined) return [`The quotes of ${quote(text)} are a part of the value.`, inside];
  if (/[^"]""[^"]/.test(text))
    return [`${quote(text)} has quotes twice, as in a CSV file.`, text.replaceAll('""', '"')];
  if (type === 'number' || !/^-?\d+\.0$/.test(text)) return undefined;
  const cells = (column() ?? []).map((cell) => String(cell).trim()).filter((cell) => cell !== '');
  if (cells.length === 0 || !cells.every((cell) => /^-?\d+\.0$/.test(cell))) return undefined;
  return [
    `Programs write ${quote(text.slice(0, -2))} as ${quote(text)} where another cell of the column is blank.`,
    text.slice(0, -2),
  ];
}

/** The bytes of Windows that are no letters of Latin-1. */
const windows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** A text that was UTF-8 and was read as Latin-1, as it was meant; undefined for any other. */
function asUtf8(text: string): string | undefined {
  if (
    !/[\u00c2-\u00f4][\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]/.test(
      text,
    )
  )
    return undefined;
  const bytes: number[] = [];
  for (const character of text) {
    const at = windows.indexOf(character);
    const byte = at >= 0 ? 0x80 + at : character.charCodeAt(0);
    if (byte > 0xff) return undefined;
    bytes.push(byte);
  }
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return undefined;
  }
}

function nearWords(text: string, { file, nearly }: ValuesOfTable): OddWords | undefined {
  const value = nearly(text);
  if (value === undefined) return undefined;
  return {
    message: `${quote(text)} differs from ${quote(value)} of ${file} ${nearlyWords}.`,
    hint: `Write ${quote(value)}, if that is how Omni spells it. Otherwise correct the table.`,
    inCell: `Write ${quote(value)} into the cell, if that is how Omni spells it. Otherwise correct the table.`,
  };
}

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
  return (
    templatesFault(text, pointer, role, given) ??
    spreadsheetsFault(text, pointer, role, given) ??
    programsFault(text.trim(), pointer, role, given)
  );
}

/** A reference as dbt, Jinja, shells and ERB write it. `$__all` and the like are expressions. */
const template = /\{\{[^{}]{0,200}\}\}|<%=?[^%]{0,200}%>|^\$(?!__)[A-Za-z]\w*$/;
/** In a text that may have braces and prices of its own, only what can be nothing else. */
const templateInText =
  /\{\{ *(?:each|var|env|audience)\.[\w-]+ *\}\}|(?<![\w$])\$(?:[A-Z]{3,}|[A-Z]+_)[A-Z0-9_]*(?!\w)/;

/** Only the reference is wrong: nothing is said of the value that it stands for. */
function templatesFault(text: string, pointer: Pointer, role: Role, given: TextSource): RuleFinding | undefined {
  if (!/[$%{<[]/.test(text)) return undefined;
  const isPlain = role === 'text' || role === 'name';
  if (isPlain && !['/subject', '/textBody', '/name'].includes(pointer)) return undefined;
  const named = isPlain ? columnInText(text, pointer, given.cells) : undefined;
  const [found] = (isPlain ? templateInText : template).exec(text) ?? [named?.text];
  // An address and a Slack id have an error of their own.
  if (found === undefined || role === 'recipients') return undefined;
  const [ours = named?.reference] = /(?:each|var|env|audience)\.[A-Za-z_][\w-]*/.exec(found) ?? [];
  const meant = ours === undefined ? bareReferenceHint(found) : `Did you mean \`\${${ours}}\`?`;
  const isInTable = isOfCell(given.referred?.());
  return {
    code: 'not-a-value',
    message: `${quote(found)} is a reference of another tool. Almanac would send it as a text.`,
    hint:
      isInTable && named === undefined
        ? correctCell
        : (meant ?? 'Write a reference as `${var.NAME}` or `${each.COLUMN}`, or the text that is meant.'),
    pointer,
    ...(named === undefined && { part: found }),
    severity: decisive.has(role) && role !== 'name' ? 'error' : undefined,
  };
}

/** A column in the signs of Power Automate, Tableau or Power BI. A text may have tags of its own. */
function columnInText(text: string, pointer: Pointer, cells: JsonObject = {}) {
  const columns = new Map(Object.keys(cells).map((name) => [name.toLowerCase(), name]));
  for (const [found, brace, name = ''] of columns.size === 0 ? [] : text.matchAll(/([{<[])([^{}<>[\]]{2,64})[}>\]]/g)) {
    const column = columns.get(name.trim().toLowerCase());
    if (column !== undefined && (brace === '{' || pointer !== '/textBody'))
      return { text: found, reference: `each.${column}` };
  }
  return undefined;
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
  const { absent, todo, none, blank, list, typed } = groups;
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
  if (typed !== undefined)
    return finding(
      `${shown} is what was typed into a spreadsheet, and not what it showed. ${sentAsValue(text)}`,
      correctionHint,
    );
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
  const column = /[;\n]/.test(text.replaceAll(entity, '')) ? columnOf(referred?.()) : undefined;
  if (column === undefined) return undefined;
  return {
    code: 'filter-value',
    message: `The cell looks like several values, and ${quote(text)} is sent as one.`,
    hint: columnsHint('values', column),
    pointer,
  };
}
