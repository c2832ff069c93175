// Reads the table of the words of other tools: what a word or a value means here.

import { checkTimeZone } from '../../cron/check-time-zone.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { isJsonObject, type Json } from '../../model/values/json.ts';
import type { Meaning, OtherWords } from '../findings/rule.ts';
import table from './words.md?raw';

/** The field that a section has if words that decide this can stand in it. */
const fieldThatTells: Readonly<Record<string, string>> = {
  when: 'schedule',
  who: 'recipients',
  rows: 'filterConfig',
  columns: 'enableFormatting',
  rights: 'owner',
  file: 'format',
  text: 'textBody',
  whether: 'conditionType',
  nothing: 'identifier',
};

export interface WordRow {
  /** The spellings as the tools have them. */
  readonly words: readonly string[];
  /** The letters of the tools. */
  readonly tools: string;
  readonly decides: string;
  /** The field by which a section is told. */
  readonly among: string;
  /** The field with this meaning, if there is one. */
  readonly field: string | undefined;
  /** The advice where no field has this meaning; empty if only certain values get one. */
  readonly says: string;
  /** The advice for certain values: these, or what is taken from them. */
  readonly values: readonly (readonly [values: readonly string[], says: string])[];
}

/** Every row, in the order of the table: the first one that fits counts. */
export const wordRows: readonly WordRow[] = readRows(table);

function readRows(text: string): readonly WordRow[] {
  const lines = text.split('\n').filter((line) => line.includes(' | '));
  const shared = new Map(lines.flatMap((line) => (line.startsWith('$') ? [cellsOf(line.slice(1))] : [])));
  const sentence = (cell: string) => (cell.startsWith('$') ? (shared.get(cell.slice(1)) ?? '') : cell);
  const rows: (WordRow & { values: [readonly string[], string][] })[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('  = ')) {
      const like = rows.find(({ words }) => words.includes(line.slice(4)));
      for (const each of like?.values ?? []) rows.at(-1)?.values.push(each);
    } else if (line.startsWith('  ')) {
      const [values, says] = cellsOf(line.trim());
      rows.at(-1)?.values.push([values.split(' '), sentence(says)]);
    } else if (/^[^$|]+ \| /.test(line)) {
      const [words = '', tools = '', decides = '', meaning = ''] = line.split(' | ');
      const [what = '', among = fieldThatTells[what] ?? ''] = decides.split(', ');
      const field = meaning.startsWith('= ') ? meaning.slice(2) : undefined;
      const says = field === undefined ? sentence(meaning) : '';
      rows.push({ words: words.split(' '), tools, decides: what, among, field, says, values: [] });
    }
  }
  return rows;
}

function cellsOf(line: string): [string, string] {
  const [first = '', second = ''] = line.split(' | ');
  return [first, second];
}

const rowsByWord = new Map<string, WordRow[]>();
for (const row of wordRows)
  for (const word of new Set(row.words.map(foldedWord))) rowsByWord.set(word, [...(rowsByWord.get(word) ?? []), row]);

/** The form in which the spellings of a word are the same: `run_as_recipient`, `runAsRecipient`, `plan.run-as-recipient`. */
export function foldedWord(word: string): string {
  return word
    .slice(word.lastIndexOf('.') + 1)
    .replaceAll(/[-_ ]/g, '')
    .toLowerCase();
}

/** The form in which the spellings of a value are the same; a minus in front stays. */
function foldedValue(value: string): string {
  return value.slice(0, 1).toLowerCase() + value.slice(1).replaceAll(/[-_ ]/g, '').toLowerCase();
}

const tokens: Readonly<Record<string, readonly string[]>> = {
  '<yes>': ['true', 'yes', 'on', '1', 'active', 'enabled', 'scheduled', 'running', 'ok', 'normal'],
  '<no>': [
    ...['false', 'no', 'off', '0', 'inactive', 'disabled', 'paused', 'suspended', 'muted', 'archived', 'deleted'],
    ...['draft', 'snoozed', 'stopped', 'never'],
  ],
};

/** A day of the week alone: an advice that dropped a part of the text would send on other days. */
const wholeDay = /^(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?$/i;

/** The readers of what an advice repeats of a value, by the name in the table; undefined if the value has none. */
const taken: Readonly<Record<string, (value: Json, names: readonly string[]) => string | undefined>> = {
  '<several>': (value) => (Array.isArray(value) && value.length > 1 ? '' : undefined),
  '<addresses>': (value) => {
    const found = [
      ...new Set(textsIn(value).flatMap((text) => text.match(/[^\s,;"'<>()[\]{}]{1,64}@[\w.-]+\w/g) ?? [])),
    ];
    return found.length === 0 ? undefined : `[${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}]`;
  },
  '<days>': (value) => {
    const texts = textsIn(value);
    const isRange = texts.length === 1 && /^\w+[:-]\w+$/.test(texts[0] ?? '');
    const days = texts.flatMap((text) => text.split(isRange ? /[:-]/ : /[\s,]+/));
    if (days.length === 0 || !days.every((day) => wholeDay.test(day))) return undefined;
    return days.map((day) => day.slice(0, 3).toUpperCase()).join(isRange ? '-' : ',');
  },
  '<monthday>': (value) => {
    const text = textsIn(value).join(',').toLowerCase();
    if (/^(?:last|-1)$/.test(text)) return 'L';
    return /^\d{1,2}$/.test(text) ? String(Number(text)) : undefined;
  },
  '<hour>': (value) => (/^\d{1,2}$/.test(String(value)) ? String(Number(value)) : undefined),
  '<clock>': (value) => {
    const [text = '', ...others] = textsIn(value);
    const [, hour, minute] = (others.length === 0 && /^(\d{1,2}):(\d{2})(?::00)?$/.exec(text)) || [];
    return hour === undefined ? undefined : `${Number(minute)} ${Number(hour)}`;
  },
  '<zone>': (value) => {
    const { zone, problem } = checkTimeZone(String(value));
    return zone ?? /`([^`]+)`[.?]$/.exec(problem?.hint ?? '')?.[1];
  },
  '<entries>': (value, names) => {
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    const hints = entries.flatMap(([word, entry]) => hintOf(meaningOf(word, entry, names)) ?? []);
    return hints.length === 0 ? undefined : [...new Set(hints)].join(' ');
  },
};

function textsIn(value: Json): readonly string[] {
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
  return Array.isArray(value) ? value.flatMap(textsIn) : value === null ? [] : [String(value)];
}

function hintOf(meaning: Meaning | undefined): string | undefined {
  return meaning?.hint ?? (meaning && `\`${meaning.field}\` is its name here.`);
}

/** The advice about a value by one row; undefined if the value has none of its own. */
function adviceOn(value: Json | undefined, row: WordRow, names: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  const plain = isJsonObject(value) || Array.isArray(value) ? undefined : foldedValue(String(value));
  for (const [values, says] of row.values)
    for (const each of values) {
      const found = taken[each]?.(value, names);
      if (found !== undefined) return says.replaceAll('…', () => found);
      if (plain !== undefined && (tokens[each] ?? [foldedValue(each)]).includes(plain)) return says;
    }
  return undefined;
}

function meaningOf(word: string, value: Json | undefined, names: readonly string[]): Meaning | undefined {
  for (const row of rowsByWord.get(foldedWord(word)) ?? []) {
    const { field, among, says } = row;
    if (among !== '*' && !names.includes(field ?? among)) continue;
    const hint = adviceOn(value, row, names) ?? (says || undefined);
    if (hint !== undefined) return { field: undefined, hint };
    if (field !== undefined) return { field, hint: undefined };
  }
  return undefined;
}

/** The advice about a value of a field of ours, such as `format: wysiwyg_pdf`. `allowed`: the values of the field. */
function valueHint(field: string, value: Json, allowed: readonly string[] = []): string | undefined {
  // A routine says `type` for it.
  const name = field === 'type' ? 'destinationType' : field;
  for (const row of rowsByWord.get(foldedWord(name)) ?? []) {
    const hint = row.words.includes(name) ? adviceOn(value, row, Object.keys(fieldsOf.schedule)) : undefined;
    const [, meant] = /^Did you mean `(.*)`\?$/.exec(hint ?? '') ?? [];
    if (hint !== undefined && (meant === undefined || allowed.includes(meant))) return hint;
  }
  return undefined;
}

export const otherWords: OtherWords = { meaningOf, valueHint };
