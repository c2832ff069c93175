// Interpolation of ${var.NAME}, ${env.NAME}, ${file.PATH} and ${audience.NAME}, and of ${each.NAME} in a loop. They may
// be in any string of a source file. A string that contains an environment variable is a Secret, and allowed only where
// secrets belong; if the variable is missing, the value is known only at apply. A wrong reference leaves an unknown
// value: the mistake is reported, and nothing else about that value. `$${` is a literal `${`.

import type { RoomForSecrets } from '../../model/fields/fields.ts';
import { memoizeObject, once } from '../../model/values/collections.ts';
import type { Json } from '../../model/values/json.ts';
import type { Pointer } from '../../model/values/pointer.ts';
import { referenceTokens, wholeReference } from '../../model/values/references.ts';
import { Secret, sensitive } from '../../model/values/secret.ts';
import type { Code } from '../../model/workspace/codes.ts';
import type { Span } from '../../model/workspace/diagnostic.ts';
import { type JoinList, type Leaf, mapLeaves } from '../../model/workspace/map-leaves.ts';
import {
  noLists,
  type Origins,
  type SplicedItem,
  type ValueGiver,
  type ValueSource,
} from '../../model/workspace/origins.ts';
import type { Declared } from '../../model/workspace/resource.ts';
import { type EachValue, type Problem, type ReferenceResult, resolve, type Scope } from './resolve-reference.ts';

/** The fault of a reference, with its place in the value, and the part of the string. */
export interface InterpolationProblem extends Problem {
  readonly pointer: Pointer;
  readonly within?: Span;
}

export interface Interpolated {
  readonly value: Declared;
  readonly problems: readonly InterpolationProblem[];
  /** Left out if no value comes from elsewhere. */
  readonly origins?: Origins;
}

export interface PlacesOfValue {
  readonly roomAt?: RoomAt;
  /** True if upper and lower case of a list's items makes no difference. */
  readonly ignoresCaseAt?: (pointer: Pointer) => boolean;
  /** True if a list may lose all of its items to empty cells. */
  readonly mayBeEmptyAt?: (pointer: Pointer) => boolean;
  /** The value of a cell's text that is a whole value. */
  readonly readCell?: (text: string, pointer: Pointer) => Json;
}

const mark = '${';

export type RoomAt = (pointer: Pointer) => RoomForSecrets | undefined;

/** Most values have none, and a large workspace has thousands. */
export function holdsReference(value: Json): boolean {
  if (typeof value === 'string') return value.includes(mark);
  if (typeof value !== 'object' || value === null) return false;
  for (const part of Object.values(value)) if (holdsReference(part)) return true;
  return false;
}

/** The value with its references replaced; the same object if it contains none. */
export function interpolate(value: Json, scope: Scope, places: PlacesOfValue = {}): Interpolated {
  const { roomAt, ignoresCaseAt, mayBeEmptyAt, readCell } = places;
  const problems: InterpolationProblem[] = [];
  const given = new Map<Pointer, ValueSource>();
  const lists = new Map<Pointer, () => readonly SplicedItem[]>();
  const replace = (leaf: Leaf, pointer: () => Pointer): Declared => {
    if (typeof leaf !== 'string' || !leaf.includes(mark)) return leaf;
    const place = pointer();
    const here = scope.audience === undefined ? scope : { at: place, ...scope };
    const { value: text, whole, by, problems: found } = interpolateText(leaf, here, () => roomAt?.(place));
    for (const problem of found) problems.push({ ...problem, pointer: place });
    if (whole === undefined) {
      // A copy has no room for more.
      if (by.length > 0) given.set(place, { isWhole: wholeReference(leaf) !== undefined, by: [...by] });
      return text;
    }
    const item = valueOfItem(whole, place);
    given.set(place, { isWhole: true, by: [{ place: whole.place, origins: item.origins, at: '' }] });
    if (scope.expansion?.take(item.value) !== false) return item.value;
    for (const problem of tooMuch(scope)) problems.push({ ...problem, pointer: place });
    return Secret.unknown();
  };
  const join: JoinList = (list, written, pointer) => {
    const place = pointer();
    const values = withoutEmptyCells(list, written, mayBeEmptyAt?.(place) === true);
    const isReference = (index: number) => standsForItems(written[index], values[index]);
    if (!values.some((_, index) => isReference(index))) return list;
    const spliced = spliceList(values, isReference, ignoresCaseAt?.(place) === true);
    lists.set(place, spliced.items);
    return spliced.list;
  };
  const interpolated = mapLeaves(value, replace, join);
  return {
    value: interpolated,
    problems,
    origins: lists.size + given.size === 0 ? undefined : { given, lists: lists.size === 0 ? noLists : lists },
  };

  /** The whole value of a field, with its type. The field's rules judge its own references. */
  function valueOfItem(
    { each, raw, place: { origin, part } }: EachValue,
    place: Pointer,
  ): Pick<Interpolated, 'value' | 'origins'> {
    if (part === 'cell' && typeof raw === 'string') return { value: readCell?.(raw, place) ?? raw };
    if (each.isFinal || !holdsReference(raw)) return { value: raw };
    const own = interpolate(
      raw,
      { ...inItem(scope), at: scope.at ?? place },
      {
        roomAt: (pointer) => roomAt?.(place + pointer),
        ignoresCaseAt: (pointer) => ignoresCaseAt?.(place + pointer) === true,
      },
    );
    for (const problem of own.problems) {
      const { pointer } = problem;
      problems.push({ ...problem, pointer: place, origin: { ...origin, pointer: origin.pointer + pointer } });
    }
    return own;
  }
}

/** The texts of an item are its own. */
function inItem({ each: _, tokensOf: __, ...scope }: Scope): Scope {
  return { ...scope, isInItem: true };
}

/** The room for secrets in a text, computed only if it contains a secret. */
type Room = () => RoomForSecrets | undefined;

type TextProblem = Omit<InterpolationProblem, 'pointer'>;

interface InterpolatedText {
  readonly value: Declared;
  /** The text is one reference to a value of an item. */
  readonly whole?: EachValue;
  /** The sources of the text, or of parts of it. */
  readonly by: readonly ValueGiver[];
  readonly problems: readonly TextProblem[];
}

function interpolateText(text: string, scope: Scope, room: Room): InterpolatedText {
  const reading: ReadingText = { pieces: [], problems: [], by: [], room, host: {} };
  const whole = readText(text, scope, reading);
  const { pieces, problems, by } = reading;
  if (whole !== undefined && 'raw' in whole) return { value: null, whole, by, problems };
  const { expansion } = scope;
  const length = pieces.reduce((sum, { text = '' }) => sum + text.length, 0);
  const hasRoom = whole === undefined ? expansion?.takeText(length) : expansion?.take(whole.value);
  if (hasRoom === false) return { value: Secret.unknown(), by, problems: [...problems, ...tooMuch(scope)] };
  return { value: whole === undefined ? joined(pieces, problems, room) : whole.value, by, problems };
}

function tooMuch({ expansion }: Scope): readonly Problem[] {
  const problem = expansion?.problem();
  return problem === undefined ? [] : [problem];
}

interface ReadingText {
  readonly pieces: Piece[];
  readonly problems: TextProblem[];
  readonly by: ValueGiver[];
  readonly room: Room;
  /** Tells if the first secret of the text comes before the end of a URL's host; that decides for all later ones. */
  readonly host: { isBefore?: boolean };
}

/** Adds the pieces of a text. Returns the value instead if the text is one reference to a value with a type. */
function readText(
  text: string,
  scope: Scope,
  reading: ReadingText,
): { readonly value: Declared } | EachValue | undefined {
  const { pieces, problems } = reading;
  // After a wrong reference the text before is not known.
  let [last, harmless] = [0, 0];
  const isCertain = () => {
    while (doubts.has(problems[harmless]?.code)) harmless += 1;
    return harmless === problems.length;
  };
  for (const { start, end, written, inner, isClosed } of (scope.tokensOf ?? referenceTokens)(text)) {
    pieces.push({ text: text.slice(last, start) });
    last = end;
    const isWhole = written === text;
    const piece = inner === undefined ? { text: mark } : resolve(inner, isClosed, scope);
    if ('raw' in piece && isWhole) return piece;
    if ('valueGiver' in piece && piece.valueGiver !== undefined) reading.by.push(piece.valueGiver);
    const misplaced = 'variable' in piece && isCertain() ? whyNotHere(piece.variable, reading) : undefined;
    const problem =
      misplaced ?? ('raw' in piece ? readPart(piece, scope, reading) : problemOf(piece, written, isWhole));
    // A mistake in the item has no place in this text.
    const within = problem?.origin === undefined ? { start, end } : undefined;
    if (problem !== undefined) problems.push({ within, ...problem });
    if (problem === undefined && 'value' in piece && isWhole) return { value: piece.value };
    if (misplaced === undefined && 'variable' in piece) pieces.push(piece);
    else pieces.push({ text: pieceText(piece) });
  }
  pieces.push({ text: text.slice(last) });
  return undefined;
}

/** Empty for a value of an item, whose own pieces are already there. */
function pieceText(piece: ReferenceResult | { readonly text: string }): string {
  if ('code' in piece || 'raw' in piece) return '';
  return 'value' in piece ? String(piece.value) : (piece.text ?? '');
}

/** A value of an item inside a text adds its pieces to it, so that secrets are judged where it is used. */
function readPart(value: EachValue, scope: Scope, reading: ReadingText): Problem | undefined {
  const { each, name, raw, place } = value;
  if (typeof raw === 'object' && raw !== null) return notInText(`\${each.${name}}`);
  reading.by.push({ place, at: '' });
  if (typeof raw !== 'string' || each.isFinal || !raw.includes(mark)) {
    reading.pieces.push({ text: raw === null ? '' : String(raw) });
    return undefined;
  }
  const problems: TextProblem[] = [];
  const whole = readText(raw, inItem(scope), { ...reading, problems });
  if (whole !== undefined && 'value' in whole) {
    if (typeof whole.value === 'object' && whole.value !== null) return notInText(`\${each.${name}}`);
    reading.pieces.push({ text: String(whole.value) });
  }
  for (const problem of problems) reading.problems.push({ ...problem, origin: place.origin });
  return undefined;
}

/** About the value of a variable, to which the reference is right. */
const doubts: ReadonlySet<Code | undefined> = new Set<Code>(['missing-variable', 'secret-blank-end']);

/** A part of a text; one with a `variable` is the value of an environment variable, undefined if it is not set. */
type Piece = { readonly text: string } | { readonly text: string | undefined; readonly variable: string };

function joined(pieces: readonly Piece[], problems: readonly { readonly code: Code }[], room: Room): Declared {
  if (problems.some(({ code }) => !doubts.has(code))) return Secret.unknown();
  const secrets = pieces.flatMap((piece) => ('variable' in piece ? [piece] : []));
  const text = pieces.map((piece) => piece.text ?? '').join('');
  if (secrets.length === 0) return text;
  return new Secret(
    problems.every(({ code }) => code !== 'missing-variable') ? text : undefined,
    secrets.map(({ variable }) => variable),
    secrets.flatMap((piece) => piece.text ?? []),
    shownText(pieces, room() === 'whole' ? () => sensitive : escaped),
  );
}

/** Shows the names of variables in place of their values, and nothing else that looks like one. */
function shownText(pieces: readonly Piece[], show: (literal: string) => string): string {
  let shown = '';
  let literal = '';
  const shownLiteral = () => (literal === '' ? '' : show(literal));
  for (const piece of pieces) {
    if (!('variable' in piece)) {
      literal += piece.text;
      continue;
    }
    // A dollar sign directly before a reference would make it look like an escaped one.
    shown += shownLiteral().replace(/\$$/, '\\u0024');
    shown += `\${env.${piece.variable}}`;
    literal = '';
  }
  return shown + shownLiteral();
}

function escaped(literal: string): string {
  return literal.replaceAll(mark, () => `$${mark}`);
}

/** A secret in a URL must follow this: the host decides who receives it, so people must be able to read it. */
const throughHost = /^https?:\/\/[^\s/?#\\]+[/?#]/i;

function whyNotHere(variable: string, { pieces, room: roomHere, host }: ReadingText): Problem | undefined {
  const reference = `\${env.${variable}}`;
  const room = roomHere();
  if (room === 'path-and-query') {
    host.isBefore ??= throughHost.test(pieces.map(({ text = '' }) => text).join(''));
    if (host.isBefore) return undefined;
    return {
      code: 'secret-not-here',
      message: `\`${reference}\` is part of the host of a URL. The host decides who receives a delivery, so it cannot be secret.`,
      hint: `Write the host, or take it from a variable of almanac.yaml (\`\${var.…}\`). The path and the query may be secret: \`https://hooks.example.com/${reference}\`.`,
    };
  }
  if (room !== undefined) return undefined;
  return {
    code: 'secret-not-here',
    message: `\`${reference}\` is secret, and this value must not be: people who review a plan have to see it.`,
    hint: 'Write the text itself, or a variable of almanac.yaml (`${var.…}`) if it differs between environments.',
  };
}

function problemOf(
  resolved: ReferenceResult | { readonly text: string },
  written: string,
  isWhole: boolean,
): Problem | undefined {
  if ('code' in resolved) {
    const { valueGiver: _, ...problem } = { valueGiver: undefined, ...resolved };
    return problem;
  }
  if ('variable' in resolved) return resolved.doubt;
  if (isWhole || !('value' in resolved) || typeof resolved.value !== 'object' || resolved.value === null)
    return undefined;
  return notInText(written);
}

function notInText(written: string): Problem {
  return {
    code: 'invalid-interpolation',
    message: `\`${written}\` is a list or a map, which cannot be part of a string.`,
    hint: 'Make it the whole value.',
  };
}

/** True if an item of a list is a reference to a list, or to an audience, which may be one text. */
function standsForItems(written: Declared | undefined, value: Declared | undefined): boolean {
  if (typeof written !== 'string' || written === value) return false;
  return (
    Array.isArray(value) || (typeof value === 'string' && wholeReference(written)?.startsWith('audience.') === true)
  );
}

/**
 * An empty value of an item counts as no items, so that some rows can have fewer recipients than others. A list of filter
 * values that lost its last one would let everything through, so it keeps its empty texts.
 */
function withoutEmptyCells(
  list: readonly Declared[],
  written: readonly Declared[],
  mayBeEmpty: boolean,
): readonly Declared[] {
  const isEmpty = list.map((value, index) => {
    const reference = written[index];
    return value === '' && typeof reference === 'string' && wholeReference(reference)?.startsWith('each.') === true;
  });
  if (!isEmpty.includes(true) || (!mayBeEmpty && !isEmpty.includes(false))) return list;
  return list.map((value, index) => (isEmpty[index] === true ? [] : value));
}

interface SplicedList {
  readonly list: readonly Declared[];
  /** Made when it is asked for: lists of thousands of people stand in hundreds of resources, and few are asked about. */
  readonly items: () => readonly SplicedItem[];
}

/**
 * Items that both lists have are taken once: whoever is in two teams receives one e-mail. `values`: what the written items
 * are worth; `isReference`: whether one stands for the items of another list.
 */
function spliceList(
  values: readonly Declared[],
  isReference: (index: number) => boolean,
  ignoresCase: boolean,
): SplicedList {
  const splice = () => joinItems(values, isReference, ignoresCase);
  const [only] = values;
  const isAlone = values.length === 1 && only !== undefined && isList(only) && isReference(0);
  const list = isAlone ? (ignoresCase ? withoutCaseAlone : alone)(only) : splice().list;
  return { list, items: once(() => splice().items) };
}

/** Each item of a list once: the list itself, where all are different. Thousands of resources may share it. */
const onlyOnce = (ignoresCase: boolean) =>
  memoizeObject((only: readonly Declared[]): readonly Declared[] => {
    const { list } = joinItems([only], () => true, ignoresCase);
    return list.length === only.length ? only : list;
  });
const [alone, withoutCaseAlone] = [onlyOnce(false), onlyOnce(true)];

function joinItems(values: readonly Declared[], isReference: (index: number) => boolean, ignoresCase: boolean) {
  const list: Declared[] = [];
  const items: SplicedItem[] = [];
  const first = new Map<string, { readonly index: number; readonly isWritten: boolean }>();
  const add = (value: Declared, from: Pick<SplicedItem, 'written' | 'item'>, isWritten: boolean): void => {
    const key = keyOf(value, ignoresCase);
    const known = key === undefined ? undefined : first.get(key);
    // Validation reports an item that is written twice as a mistake.
    const isDropped = known !== undefined && !(isWritten && known.isWritten);
    const index = isDropped ? known.index : list.length;
    if (!isDropped) list.push(value);
    if (key !== undefined && known === undefined) first.set(key, { index, isWritten });
    items.push({ ...from, index });
  };
  values.forEach((value, written) => {
    if (!isReference(written)) add(value, { written }, true);
    else if (!isList(value)) add(value, { written }, false);
    else for (const [item, entry] of value.entries()) add(entry, { written, item }, false);
  });
  return { list, items };
}

function isList(value: Declared): value is readonly Declared[] {
  return Array.isArray(value);
}

/** Undefined for what cannot be compared. */
function keyOf(value: Declared, ignoresCase: boolean): string | undefined {
  if (value instanceof Secret) return undefined;
  return JSON.stringify(typeof value === 'string' && ignoresCase ? value.toLowerCase() : value);
}
