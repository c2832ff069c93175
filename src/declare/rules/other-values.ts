// Values in the languages of other tools, in the form that Omni takes. No form lets a row pass that the value
// held back. What has several meanings is asked, not chosen.

import { filterKinds, foreignKey } from '../../model/fields/filter-keys.ts';
import { pushAll } from '../../model/values/collections.ts';
import { dayAfter, isDay } from '../../model/values/day.ts';
import type { Json, JsonObject } from '../../model/values/json.ts';
import {
  anyAsked,
  isNegative,
  isOff,
  type Meaning,
  negatedSpan,
  negatesByBeingOff,
  noneAsked,
  notSetAsked,
  type OtherKind,
  otherKind,
  spanAsked,
  switchedOff,
} from './other-tools.ts';

/** One condition that a text stands for. */
interface Atom {
  readonly condition: JsonObject;
  readonly negated: boolean;
}

type Read = readonly Atom[] | { readonly ask: string } | undefined;

const unit = '(?:second|minute|hour|day|week|weekday|month|quarter|year|fiscal ?quarter|fiscal ?year)s?';
const span = '(?:last|past|next|previous|this|current)(?: (?:complete|full|calendar))?';
/** Spans of days, with the blanks of people and without. One day without a number is a way of delivery. */
const spans: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:(?:before|after|since|in|in the|during) )?${span} ?(?:\d+ ?${unit}|(?!days?$)${unit})(?: to date)?(?:~|-from-\d+[a-z]\w*)?$`,
    'i',
  ),
  new RegExp(String.raw`^(?:(?:before|after|since) )?\d+ ${unit} ago(?: for \d+ ${unit}| to .+)?$`, 'i'),
  /^-\d+(?:[smhdwqyM]|mo)(?:Start|End)?$/,
  /^(?:-?\d*)?[hdwmqy](?:Start|End)$/,
  /^now(?:[-+]\d+[smhdwMQy])?\/[a-zA-Z]+$|^now[-+]\d+[smhdwMQy]$/,
  /^d_(?:now|today|yesterday|(?:last|this|past)_\w+)$/,
  /^(?:DATEADD|DATETIME|DATETRUNC)\(.*\)$/i,
];

/** In `left_side` and `right_side`, these are Omni's own. */
const ownSides = new RegExp(String.raw`^\d+ ${unit}(?: ago)?$`, 'i');

const day = String.raw`\d{4}[-/]\d{1,2}[-/]\d{1,2}`;
const number = String.raw`-?\d+(?:\.\d+)?`;

function dayIn(text: string): string | undefined {
  const iso = text
    .trim()
    .split(/[-/]/)
    .map((part) => part.padStart(2, '0'))
    .join('-');
  return isDay(iso) ? iso : undefined;
}

const equal = (...values: readonly Json[]): JsonObject => ({
  type: values.some((value) => typeof value !== 'number') ? 'string' : 'number',
  kind: 'EQUALS',
  values,
});
const only = (condition: JsonObject): readonly Atom[] => [{ condition, negated: false }];
const without = (condition: JsonObject): readonly Atom[] => [{ condition, negated: true }];

interface ValueForm {
  readonly form: RegExp;
  readonly read: (parts: readonly string[]) => Read;
}

/** The bound of a comparison as a condition. */
function bound(operator: string, text: string): Read {
  const date = dayIn(text);
  const isInclusive = operator.endsWith('=');
  if (date === undefined) {
    const kind = operator.startsWith('>') ? 'GREATER_THAN' : 'LESS_THAN';
    return only({ type: 'number', kind, values: [Number(text)], ...(isInclusive && { is_inclusive: true }) });
  }
  if (operator.startsWith('>'))
    return only({ type: 'date', kind: 'ON_OR_AFTER', left_side: isInclusive ? date : dayAfter(date) });
  return only({ type: 'date', kind: 'BEFORE', right_side: isInclusive ? dayAfter(date) : date });
}

function range(from: string, to: string, hasEnd: boolean): Read {
  const [first, last] = [dayIn(from), dayIn(to)];
  if (first === undefined || last === undefined) return undefined;
  return only({ type: 'date', kind: 'BETWEEN', left_side: first, right_side: hasEnd ? dayAfter(last) : last });
}

const both = (...conditions: readonly JsonObject[]) => only({ conjunction: 'AND', filters: conditions });

/** The expressions of other tools, the first that fits. Anything else is a text. */
const valueForms: readonly ValueForm[] = [
  { form: /^(?:%+|\$__all|__all|all|All|no filter|(?:is )?any value)$/, read: () => ({ ask: anyAsked }) },
  { form: /^No filter$/i, read: () => ({ ask: anyAsked }) },
  {
    form: /^(?:-\s?null|not\s+null|is\s+not\s+null|isNotNull|notNull|is_set|<NOT NULL>)$/i,
    read: () => without({ type: 'null' }),
  },
  { form: /^(?:<null>|is\s+null|isNull|IsBlank)$/i, read: () => only({ type: 'null' }) },
  { form: /^is_not_set$/i, read: () => ({ ask: notSetAsked }) },
  { form: /^EMPTY$/, read: () => [...only({ type: 'string', kind: 'IS_EMPTY' }), ...only({ type: 'null' })] },
  {
    form: /^(?:-\s?empty|not\s+empty|is\s+not\s+empty)$/i,
    read: () => [...without({ type: 'string', kind: 'IS_EMPTY' }), ...without({ type: 'null' })],
  },
  {
    form: new RegExp(`^(?:NOT|!=|<>)\\s*(${number})$`),
    read: ([value]) => without({ type: 'number', kind: 'EQUALS', values: [Number(value)] }),
  },
  { form: /^(?:!=|<>)\s*(.+)$/s, read: ([value = '']) => without(equal(unquoted(value))) },
  { form: /^not\s+in\s*[([](.+)[)\]]$/is, read: ([list = '']) => without(equal(...list.split(',').map(unquoted))) },
  { form: /^in\s*\((.+)\)$/is, read: ([list = '']) => only(equal(...list.split(',').map(unquoted))) },
  { form: /^\S+ ne '(.*)'$/s, read: ([value = '']) => without(equal(value)) },
  { form: /^\S+ eq '(.*)'$/s, read: ([value = '']) => only(equal(value)) },
  // Whole words in capitals are as often a state, such as NOT STARTED.
  { form: /^NOT\s(?=.*\p{Ll})(.*)$/su, read: ([value = '']) => without(equal(unquoted(value))) },
  {
    form: new RegExp(`^>(=?)\\s*(${number})\\s*AND\\s*<(=?)\\s*(${number})$`, 'i'),
    read: ([least = '', from = '', most = '', to = '']) =>
      both(
        { type: 'number', kind: 'GREATER_THAN', values: [Number(from)], ...(least && { is_inclusive: true }) },
        { type: 'number', kind: 'LESS_THAN', values: [Number(to)], ...(most && { is_inclusive: true }) },
      ),
  },
  {
    form: new RegExp(`^([<>]=?)\\s*(${day}|${number})$`),
    read: ([operator = '', value = '']) => bound(operator, value),
  },
  {
    form: new RegExp(`^(${number}(?: OR ${number})+)$`),
    read: ([list = '']) => only({ type: 'number', kind: 'EQUALS', values: list.split(' OR ').map(Number) }),
  },
  {
    form: new RegExp(`^(${number}) to (${number})$`, 'i'),
    read: ([from, to]) =>
      only({ type: 'number', kind: 'BETWEEN', values: [Number(from), Number(to)], is_inclusive: true }),
  },
  {
    form: new RegExp(`^([[(])\\s*(${number})\\s*,\\s*(${number})\\s*([\\])])$`),
    read: ([open, from, to, close]) =>
      both(
        { type: 'number', kind: 'GREATER_THAN', values: [Number(from)], ...(open === '[' && { is_inclusive: true }) },
        { type: 'number', kind: 'LESS_THAN', values: [Number(to)], ...(close === ']' && { is_inclusive: true }) },
      ),
  },
  { form: new RegExp(`^(${day})(?: to | : )(${day})$`, 'i'), read: ([from = '', to = '']) => range(from, to, false) },
  { form: new RegExp(`^(${day})~(${day})$`), read: ([from = '', to = '']) => range(from, to, true) },
  { form: new RegExp(`^~(${day})$`), read: ([to = '']) => bound('<=', to) },
  { form: new RegExp(`^(${day})~$`), read: ([from = '']) => bound('>=', from) },
  { form: new RegExp(`^before (${day})$`, 'i'), read: ([to = '']) => bound('<', to) },
  { form: new RegExp(`^(?:after|since) (${day})$`, 'i'), read: ([from = '']) => bound('>=', from) },
  // Letter by letter: 50%, 100% Pure and -5 are values.
  { form: /^-\s?(["'%_\p{L}].*)$/su, read: ([rest = '']) => negatedText(rest) },
  {
    form: /^%(?=[\p{L}\p{N}])([^%]+)%$/su,
    read: ([text = '']) => only({ type: 'string', kind: 'CONTAINS', values: [text] }),
  },
  {
    form: /^%(?=[\p{L}\p{N}])([^%]+)$/su,
    read: ([text = '']) => only({ type: 'string', kind: 'ENDS_WITH', values: [text] }),
  },
  {
    form: /^([^%]*[^\d\s%])%$/su,
    read: ([text = '']) => only({ type: 'string', kind: 'STARTS_WITH', values: [text] }),
  },
  { form: /^(\p{L}+%\p{L}+)$/su, read: ([text = '']) => only({ type: 'string', kind: 'SQL_LIKE', values: [text] }) },
];

function unquoted(text: string): string {
  const [, inside = text.trim()] = /^\s*(["'])(.*)\1\s*$/s.exec(text)?.slice(1) ?? [];
  return inside;
}

/** Everything but a text, a pattern, a span or nothing. */
function negatedText(rest: string): Read {
  if (spans.some((form) => form.test(rest))) return { ask: negatedSpan };
  const read = readOne(rest);
  if (read !== undefined && 'ask' in read) return { ask: noneAsked };
  const [atom, ...others] = read ?? only(equal(unquoted(rest)));
  // Two negations, one in the other, have no clear meaning.
  if (atom === undefined || atom.negated || others.length > 0) return { ask: twiceAsked };
  return without(atom.condition);
}

const twiceAsked = `Two negations have no sure meaning. Write \`values\` with what passes, or \`${isNegative}\` and \`values\` with what is left out.`;
const neitherAsked = `Tools read a list with NOT differently. Write \`values\` with what passes, or \`${isNegative}\` and \`values\` with what is left out.`;

function readOne(text: string): Read {
  if (spans.some((form) => form.test(text))) return { ask: spanAsked };
  for (const { form, read } of valueForms) {
    const match = form.exec(text);
    const found = match === null ? undefined : read(match.slice(1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The parts of a list in one text: only where one of them is an expression. A blank behind a comma is the text of a name. */
function readList(text: string): Read {
  if (/^[^,]+(?:,[^,]+)*,\s*NOT\s/.test(text)) return { ask: neitherAsked };
  const parts = text.split(/,(?=\S|\s*-\p{L})/u).map((part) => part.trim());
  if (parts.length < 2) return undefined;
  const read = parts.map(readOne);
  if (read.every((each) => each === undefined)) return undefined;
  const asked = read.find((each) => each !== undefined && 'ask' in each);
  return (
    asked ??
    read.flatMap((each, index) => (each as readonly Atom[] | undefined) ?? only(equal(unquoted(parts[index] ?? ''))))
  );
}

/** A quick test: almost every value is a name. */
const mayBeRead =
  /[%<>=!~$,[("'_]|^-|\d |(?:null|blank|empty|set|start|end|day|week|month|quarter|year|hour|minute|second|date|filter|value)|^(?:all|not|in|now|d_|before|after|since)/i;

function read(text: string): Read {
  const trimmed = text.trim();
  if (trimmed.length > 200 || !mayBeRead.test(trimmed)) return undefined;
  return readList(trimmed) ?? readOne(trimmed);
}

/** True if a text is an expression of another tool, wherever it stands in a condition. */
export function isExpression(text: string, isSide = false): boolean {
  return read(text) !== undefined && !(isSide && (ownSides.test(text.trim()) || dayIn(text) !== undefined));
}

/** The kinds that compare with a text as it is; an expression of another kind is that tool's own business. */
const comparing: ReadonlySet<unknown> = new Set(['EQUALS', 'EQ', 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH']);

export function comparesTexts({ kind }: JsonObject): boolean {
  return kind === undefined || kind === null || comparing.has(String(kind).toUpperCase());
}

/** The meaning of the texts of a condition together, in the form of Omni; `isTurned`: the condition itself is negated. */
export function meaningOfValues(values: readonly Json[], isTurned: boolean): Meaning {
  const atoms: Atom[] = [];
  for (const value of values) {
    const found = typeof value === 'string' ? read(value) : undefined;
    if (found !== undefined && 'ask' in found) return isTurned ? { ask: turned(found.ask) } : found;
    for (const atom of found ?? only(equal(value))) atoms.push(atom);
  }
  const passing = merged(atoms.filter(({ negated }) => !negated));
  const left = merged(atoms.filter(({ negated }) => negated));
  if (isTurned && (left.length > 0 || passing.some((each) => each['filters'] !== undefined)))
    return { ask: twiceAsked };
  if (isTurned) return { keys: all(passing.map(negatedOf)) };
  const inOne = passing.length > 1 ? [{ conjunction: 'OR', filters: passing }] : passing;
  return { keys: all([...inOne, ...left.map(negatedOf)]) };
}

function turned(ask: string): string {
  if (ask === spanAsked) return negatedSpan;
  return ask === anyAsked ? noneAsked : ask === notSetAsked ? ask : twiceAsked;
}

function all(conditions: readonly JsonObject[]): JsonObject {
  const [first = {}] = conditions;
  return conditions.length === 1 ? first : { conjunction: 'AND', filters: conditions };
}

const negatedOf = (condition: JsonObject): JsonObject => ({ ...condition, is_negative: true });

const ofLists: ReadonlySet<unknown> = new Set(['EQUALS', 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'SQL_LIKE']);

/** Texts that are compared alike stand in one list. */
function merged(atoms: readonly Atom[]): readonly JsonObject[] {
  const found: JsonObject[] = [];
  for (const { condition } of atoms) {
    const { type, kind, values } = condition;
    const at = found.findIndex((each) => each['type'] === type && each['kind'] === kind && ofLists.has(kind));
    const known = found[at]?.['values'];
    if (Array.isArray(known) && Array.isArray(values)) found[at] = { ...condition, values: [...known, ...values] };
    else found.push(condition);
  }
  return found;
}

/** The keys under which other tools have what a condition compares with. */
const operandKeys = new Set(['values', 'val', 'vals', 'value', 'operand', 'operands']);

/**
 * The meaning of a whole condition in other words: `{ op: "!=", val: Europe }`, `{ not: Europe }`, or a text alone. Undefined where
 * neither an operator nor an expression is in it.
 */
export function meaningOfWords(given: JsonObject): Meaning | undefined {
  let operator: OtherKind | undefined;
  let isTurned = false;
  let isClear = true;
  const values: Json[] = [];
  for (const [key, value] of Object.entries(given)) {
    const word = foreignKey(key);
    const named = otherKind(key, {});
    const off = switchedOff(key, value, {});
    if (off !== undefined) return { ask: off };
    if (operandKeys.has(key.toLowerCase())) pushAll(values, [value].flat());
    else if (word === 'kind' && typeof value === 'string')
      operator = otherKind(value, {}) ?? knownKind(value) ?? operator;
    else if (negatesByBeingOff(key, value)) isTurned = true;
    else if (word === 'is_negative' || named?.negates === true) {
      isTurned ||= !isOff(value);
      if (typeof value !== 'boolean' && !isOff(value)) pushAll(values, [value].flat());
    } else if (named !== undefined && typeof value !== 'boolean') {
      operator = named;
      pushAll(values, [value].flat());
    } else isClear = false;
  }
  const texts = values.filter((each): each is string | number => typeof each === 'string' || typeof each === 'number');
  if (operator !== undefined && 'ask' in operator.means)
    return isTurned ? { ask: turned(operator.means.ask) } : operator.means;
  const negates = isTurned !== (operator?.negates === true);
  if (operator === undefined && !isTurned && !texts.some((text) => isExpression(String(text)))) return undefined;
  // Two negations, or a part that nobody understands: what surely negates stays.
  if (isTurned && operator?.negates === true) return { ask: twiceAsked };
  if (texts.length === 0 || texts.length < values.length || !isClear)
    return negates || operator !== undefined
      ? { keys: { ...operatorKeys(operator), ...(negates && { is_negative: true }) } }
      : undefined;
  const { kind = 'EQUALS' } = operatorKeys(operator);
  if (kind === 'EQUALS') return meaningOfValues(texts, negates);
  return { keys: { type: 'string', ...operatorKeys(operator), values: texts, ...(negates && { is_negative: true }) } };
}

function operatorKeys(operator: OtherKind | undefined): JsonObject {
  return operator !== undefined && 'keys' in operator.means ? operator.means.keys : { kind: 'EQUALS' };
}

/** A kind of Omni under a key of another tool. */
function knownKind(name: string): OtherKind | undefined {
  const kind = filterKinds.find((each) => each === name.toUpperCase());
  return kind && { means: { keys: { kind } }, negates: false };
}
