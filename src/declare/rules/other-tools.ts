// The kinds, types and keys of other tools, in the form that Omni takes. Their values are in other-values.ts. No form lets a row pass that the condition held back. What has several meanings is asked, not chosen.

import { isOfDates } from '../../model/fields/conditions.ts';
import type { FilterKind, FilterType } from '../../model/fields/filter-keys.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { inBrackets, printString } from '../../yaml/format/print-string.ts';

export const isNegative = 'is_negative: true';

/** The meaning of a name or a value of another tool: keys of Omni, or the sentences of a hint where a person must choose. */
export type Meaning = { readonly keys: JsonObject } | { readonly ask: string };

interface KindRow {
  /** Without case, blanks, hyphens and underscores. */
  readonly names: readonly string[];
  readonly means: Meaning;
  /** Another meaning in a filter of dates. */
  readonly ofDates?: Meaning;
  /** Another meaning where it is negated: what it holds back must not grow smaller. */
  readonly negated?: Meaning;
}

type OmniKeys = JsonObject & { readonly kind?: FilterKind; readonly type?: FilterType };
const keys = (of: OmniKeys): Meaning => ({ keys: of });

const spanForm =
  '`type: date, kind: TIME_FOR_INTERVAL_DURATION, ui_type: PAST, left_side: 7 days ago, right_side: 7 days`';
export const spanAsked = `Tools differ in whether the running day counts, so say which days are meant: ${spanForm} are the last seven whole ones. For others, set the filter in Omni and import the schedule.`;
export const negatedSpan = `Tools differ in whether the running day counts, so say which days are left out: ${spanForm.slice(0, -1)}, ${isNegative}\` leaves out the last seven whole ones.`;
export const anyAsked =
  'If every row is meant, remove the filter where the value of the dashboard itself is open: without the filter, that value counts. Where it has another one, write `values: []` and `accept: { filter-empty: REASON }`.';
export const noneAsked = `Without a row, nothing is delivered. Write the values that are to be left out, with \`${isNegative}\`.`;
const regexAsked =
  'Omni documents no regular expressions. Write the values, or a pattern of SQL: `kind: SQL_LIKE, values: ["%acme%"]`.';
const negatedRegex = `Omni documents no regular expressions. Write the values that are left out, or a pattern of SQL: \`kind: SQL_LIKE, ${isNegative}, values: ["%acme%"]\`.`;
export const notSetAsked = `Write \`type: "null"\` for rows without a value, or \`type: "null", ${isNegative}\` for rows with one.`;

/** Omni's kinds of dates pass the day of `left_side`, and not that of `right_side`. */
const afterAsked =
  'Write `type: date, kind: ON_OR_AFTER`, with the first day that passes in `left_side`: the one after it.';

const empties: Meaning = keys({ type: 'null' });
const filled: Meaning = keys({ type: 'null', is_negative: true });

/** The kinds of Looker, Superset, Metabase, Lightdash, PostHog, Grafana, Power BI, Tableau and Redash that Omni calls otherwise. */
const kindRows: readonly KindRow[] = [
  {
    names: [
      ...['in', 'is', 'isin', 'exact', '=', '==', '===', 'equal', 'equals', 'equalto', 'isequal', 'isequalto', 'oneof'],
      ...['isoneof', 'anyof', 'isanyof', 'isexactly', 'matchesexactly', 'category', 'single'],
    ],
    means: keys({ kind: 'EQUALS' }),
    ofDates: {
      ask: 'A day is a range: write `type: date, kind: BETWEEN`, with the day in `left_side` and the next one in `right_side`.',
    },
  },
  { names: ['iexact'], means: keys({ kind: 'EQUALS', case_insensitive: true }) },
  { names: ['include', 'includes', 'contain', 'contains', 'has'], means: keys({ kind: 'CONTAINS' }) },
  { names: ['icontains'], means: keys({ kind: 'CONTAINS', case_insensitive: true }) },
  { names: ['like'], means: keys({ kind: 'SQL_LIKE' }) },
  { names: ['ilike'], means: keys({ kind: 'SQL_LIKE', case_insensitive: true }) },
  { names: ['beginswith', 'beginwith', 'startwith', 'startswith'], means: keys({ kind: 'STARTS_WITH' }) },
  { names: ['istartswith'], means: keys({ kind: 'STARTS_WITH', case_insensitive: true }) },
  { names: ['endwith', 'endswith'], means: keys({ kind: 'ENDS_WITH' }) },
  { names: ['iendswith'], means: keys({ kind: 'ENDS_WITH', case_insensitive: true }) },
  { names: ['null', 'isnull', 'none', 'isnone', 'isblank', 'blank'], means: empties, negated: filled },
  { names: ['empty', 'isempty', 'isemptystring', 'emptystring'], means: keys({ kind: 'IS_EMPTY' }) },
  { names: ['isset', 'set', 'exists'], means: filled, negated: { ask: notSetAsked } },
  {
    names: ['gt', '>', 'greater', 'isgreaterthan', 'above', 'morethan', 'over'],
    means: keys({ type: 'number', kind: 'GREATER_THAN' }),
    ofDates: { ask: afterAsked },
  },
  {
    names: [
      ...['gte', 'ge', '>=', '=>', 'greaterorequal', 'greaterthanorequal', 'greaterthanorequals'],
      ...['greaterthanorequalto', 'atleast', 'min'],
    ],
    means: keys({ type: 'number', kind: 'GREATER_THAN', is_inclusive: true }),
    ofDates: keys({ kind: 'ON_OR_AFTER' }),
  },
  {
    names: ['lt', '<', 'less', 'islessthan', 'below', 'fewerthan', 'under'],
    means: keys({ type: 'number', kind: 'LESS_THAN' }),
    ofDates: keys({ kind: 'BEFORE' }),
  },
  {
    names: [
      ...['lte', 'le', '<=', '=<', 'lessorequal', 'lessthanorequal', 'lessthanorequals', 'lessthanorequalto'],
      ...['atmost', 'max'],
    ],
    means: keys({ type: 'number', kind: 'LESS_THAN', is_inclusive: true }),
    ofDates: { ask: 'Write `type: date, kind: BEFORE`, with the day after the last one in `right_side`.' },
  },
  {
    names: ['inbetween', 'isbetween', 'between', 'range', 'numericrange', 'inrange'],
    means: keys({ kind: 'BETWEEN', is_inclusive: true }),
    ofDates: {
      ask: 'Write `type: date, kind: BETWEEN`, with the first day in `left_side` and the day after the last one in `right_side`.',
    },
  },
  { names: ['isdatebefore', 'isbefore'], means: keys({ type: 'date', kind: 'BEFORE' }) },
  { names: ['isdateafter', 'isafter'], means: { ask: afterAsked } },
  { names: ['after', 'since', 'from'], means: keys({ type: 'date', kind: 'ON_OR_AFTER' }) },
  {
    names: ['isdateexact', 'on', 'ison', 'monthyear', 'quarteryear', 'alloptions'],
    means: {
      ask: 'A day or a month is a range: write `type: date, kind: BETWEEN`, with its first day in `left_side` and the day after it in `right_side`.',
    },
    negated: {
      ask: `A day or a month is a range: write \`type: date, kind: BETWEEN, ${isNegative}\`, with its first day in \`left_side\` and the day after it in \`right_side\`.`,
    },
  },
  {
    names: [
      ...['inthepast', 'inthelast', 'inlast', 'inpast', 'past', 'last', 'next', 'inthis', 'innext', 'inthenext'],
      ...['current', 'inthecurrent', 'inperiodtodate', 'previous', 'temporalrange', 'relative', 'relativedate'],
      'withinlast',
    ],
    means: { ask: spanAsked },
    negated: { ask: negatedSpan },
  },
  {
    names: ['regex', 'regexp', 'iregex', 'matches', 'match', 'matchesregex', 'rlike', '~', '=~'],
    means: { ask: regexAsked },
    negated: { ask: negatedRegex },
  },
  {
    names: ['all', 'any', 'anyvalue', 'isanyvalue', 'nofilter'],
    means: { ask: anyAsked },
    negated: { ask: noneAsked },
  },
];

const kindsByName: ReadonlyMap<string, KindRow> = new Map(
  kindRows.flatMap((row) => row.names.map((name) => [name, row] as const)),
);

/** The words of a name such as `notEquals`, `IS_NOT` or `!=`. */
function wordsIn(name: string): readonly string[] {
  const apart = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return apart.split(/[^a-z0-9!<>=~]+/).filter((word) => word !== '');
}

const negatingWord = /^(?:not|isnt|isnot|doesnt|doesnot|excl\w*|except|without|un(?=like))|^(?:neq?|nin|no)$|!|<>/;
const filling = new Set(['is', 'does', 'do', 'are', 'has']);

export interface OtherKind {
  readonly means: Meaning;
  readonly negates: boolean;
}

/** The meaning of a kind, or of an operator. Undefined for a name of no other tool. */
export function otherKind(name: string, filter: JsonObject, isDates = isOfDates(filter)): OtherKind | undefined {
  const words = wordsIn(name);
  const meaningOf = (row: KindRow) => (isDates ? (row.ofDates ?? row.means) : row.means);
  const row = kindsByName.get(words.join(''));
  if (row !== undefined) return { means: meaningOf(row), negates: false };
  if (!words.some((word) => negatingWord.test(word))) return undefined;
  const rest = words.map((word) => word.replace(negatingWord, '')).filter((word) => word !== '');
  const meant = [rest.join(''), rest.filter((word) => !filling.has(word)).join('')];
  const positive = meant.map((each) => kindsByName.get(each)).find((each) => each !== undefined);
  if (positive?.negated !== undefined) return { means: positive.negated, negates: true };
  if (positive === undefined && meant.some((each) => each !== '' && !filling.has(each)))
    return {
      means: { ask: `Write the \`kind\` that Omni has for it, such as \`kind: EQUALS, ${isNegative}\`.` },
      negates: true,
    };
  const found = positive === undefined ? keys({ kind: 'EQUALS' }) : meaningOf(positive);
  return 'ask' in found
    ? { means: { ask: `${found.ask.replace(/\.$/, '')}, and \`${isNegative}\`.` }, negates: true }
    : { means: { keys: { ...found.keys, is_negative: true } }, negates: true };
}

const typeNames: Readonly<Partial<Record<FilterType, readonly string[]>>> = {
  string: [
    ...['string', 'text', 'varchar', 'char', 'category', 'id', 'location', 'select', 'multiselect', 'filterselect'],
    'enum',
  ],
  number: ['number', 'numeric', 'integer', 'int', 'bigint', 'float', 'double', 'decimal', 'filterrange'],
  date: ['date', 'datetime', 'timestamp', 'time', 'filtertime', 'filtertimecolumn', 'temporal'],
  boolean: ['boolean', 'bool'],
};

/** The meaning of a type such as `string/!=`, `date/range` or `filter_select`. */
export function otherType(name: string, filter: JsonObject): OtherKind | undefined {
  const [base = '', operator] = name.toLowerCase().split('/');
  const plain = base.replaceAll(/[^a-z]/g, '');
  const type = Object.entries(typeNames).find(([, names]) => names.includes(plain))?.[0];
  if (type === undefined) return undefined;
  if (operator === undefined) return name === type ? undefined : { means: { keys: { type } }, negates: false };
  const kind = otherKind(operator, filter, type === 'date');
  if (kind === undefined) return { means: { keys: { type } }, negates: false };
  const { means, negates } = kind;
  return { means: 'ask' in means ? means : { keys: { type, ...means.keys } }, negates };
}

/** Keys beside `values` that turn a condition round where they are switched off. */
const offKeys = new Set(['is', 'include', 'included', 'includes', 'isincluded', 'match', 'matches', 'positive']);
/** Keys that switch a condition off: any value passes then. */
const switchKeys = new Map([
  ['disabled', true],
  ['isdisabled', true],
  ['enabled', false],
  ['isenabled', false],
  ['active', false],
  ['isactive', false],
]);

const plainOf = (word: string) => word.replaceAll(/[-_ ]/g, '').toLowerCase();

/** True for a value such as `false`, `no` or `0`, which switches a word off. */
export function isOff(value: Json): boolean {
  return value === false || value === null || /^(?:false|0|no|off|)$/i.test(String(value).trim());
}

export function negatesByBeingOff(key: string, value: Json): boolean {
  return offKeys.has(plainOf(key)) && isOff(value) && value !== null && value !== '';
}

/** The advice about a key that switches the whole condition off; undefined for any other. */
export function switchedOff(key: string, value: Json, filter: JsonObject): string | undefined {
  const off = switchKeys.get(plainOf(key));
  if (off === undefined || isOff(value) === off) return undefined;
  return filter['is_negative'] === true ? noneAsked : anyAsked;
}

/** Keys as people write them: `kind: EQUALS, is_negative: true`. */
export function written(of: JsonObject, isStrict = false): string {
  const print = (value: Json): string => {
    if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
    if (isJsonObject(value)) return `{ ${written(value, isStrict)} }`;
    if (typeof value === 'string') return printString(value, inBrackets);
    return isStrict && typeof value === 'number' ? printString(String(value), inBrackets) : String(value);
  };
  return Object.entries(of)
    .map(([key, value]) => `${key}: ${print(value)}`)
    .join(', ');
}
