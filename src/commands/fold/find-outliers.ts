// Finds the few members that differ from the common form of all others. A text may have another spelling, or a time may
// be another one. With such members, the table has a column of otherwise equal texts.

import { groupBy } from '../../model/values/collections.ts';
import { canonicalJson, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, valueAt } from '../../model/values/pointer.ts';
import { inBackticks, shortText } from '../../model/values/words.ts';
import type { ItemsIn } from './item-rows.ts';
import { differingSlots, isWithinWord, type MemberValues, makeTemplate, type Template } from './make-template.ts';
import type { Member } from './read-members.ts';

/** At most one member in this many is an outlier. */
const fewestForOne = 10;

export const hintForOutliers =
  'Change the odd declaration so that it is like the others, and name it together with the loop: it becomes an item. Or name its address as well now: it becomes an item too, and each item has the value.';

export interface Outlier {
  readonly member: Member;
  /** Whole sentences. */
  readonly message: string;
}

/** `isMeant` is true for a member that a person named by its address, and so wants. */
export function findOutliers(
  members: readonly Member[],
  itemsIn: ItemsIn,
  isMeant: (member: Member) => boolean,
): readonly Outlier[] {
  const outliers = outliersIn(members, itemsIn, isMeant);
  const usualMembers = members.filter((member) => !outliers.has(member));
  const usual = makeTemplate(usualMembers, itemsIn);
  return [...outliers].map((member) => ({ member, message: outlierReason(member, usualMembers, usual, itemsIn) }));
}

/** The members without whom the items have fewer values. */
export function outliersIn(
  members: readonly Member[],
  itemsIn: ItemsIn,
  isMeant: (member: Member) => boolean = () => false,
): ReadonlySet<Member> {
  let sets = oddSets(members, itemsIn).map((rows) =>
    rows.flatMap((row) => members[row] ?? []).filter((member) => !isMeant(member)),
  );
  const countValues = (odd: readonly (readonly Member[])[]) => {
    const without = new Set(odd.flat());
    const usual = members.filter((member) => !without.has(member));
    return makeTemplate(usual, itemsIn).values.size;
  };
  if (sets.length === 0 || 2 * new Set(sets.flat()).size >= members.length) return new Set();
  const fewest = countValues(sets);
  if (fewest === countValues([])) return new Set();
  for (const each of sets) {
    const others = sets.filter((other) => other !== each);
    if (countValues(others) === fewest) sets = others;
  }
  return new Set(sets.flat());
}

/** The indexes of members that lack the others' common value, or the text that another part has in all others. */
function oddSets(members: readonly Member[], itemsIn: ItemsIn): readonly (readonly number[])[] {
  const most = Math.floor(members.length / fewestForOne);
  const rows = [...members.keys()];
  const slots = most === 0 ? [] : differingSlots(members, itemsIn);
  const unlikeMost = slots.flatMap(({ values }) => {
    const [same = [] as readonly number[]] = [
      ...groupBy(rows, (row) => canonicalJson(values[row] ?? null)).values(),
    ].sort((a, b) => b.length - a.length);
    // If most members leave a field out, the few that have it are the outliers.
    return values[same[0] ?? 0] === undefined ? [] : [rows.filter((row) => !same.includes(row))];
  });
  const inner = slots.map(({ values }) => innerTexts(values, members.length - most));
  const unlikeOthers = inner.flatMap((some, index) =>
    inner.slice(index + 1).map((others) => rows.filter((row) => some[row] === undefined || some[row] !== others[row])),
  );
  return [...unlikeMost, ...unlikeOthers].filter(({ length }) => length > 0 && length <= most);
}

/** The texts without their common beginning and end, in whole words. */
function innerTexts(values: MemberValues, needed: number): readonly (string | undefined)[] {
  const texts = values.filter((value): value is string => typeof value === 'string' && !value.includes('$'));
  if (texts.length < needed) return values.map(() => undefined);
  const start = sharedStart(texts, needed);
  const end = reversed(sharedStart(texts.map(reversed), needed));
  return values.map((value) => {
    const isUsual =
      typeof value === 'string' &&
      value.length > start.length + end.length &&
      value.startsWith(start) &&
      value.endsWith(end);
    return isUsual ? value.slice(start.length, value.length - end.length) : undefined;
  });
}

/** After sorting, the texts with the longest common start are neighbours. */
function sharedStart(texts: readonly string[], needed: number): string {
  const sorted = texts.toSorted();
  let longest = '';
  for (const [index, first] of sorted.entries()) {
    const last = sorted[index + needed - 1];
    if (last === undefined) break;
    let length = 0;
    while (length < first.length && first[length] === last[length]) length += 1;
    if (length > longest.length) longest = first.slice(0, length);
  }
  const sharing = texts.filter((text) => text.startsWith(longest));
  let { length } = longest;
  while (length > 0 && sharing.some((text) => isWithinWord(text, length))) length -= 1;
  return longest.slice(0, length);
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

function outlierReason(member: Member, usualMembers: readonly Member[], usual: Template, itemsIn: ItemsIn): string {
  const together = makeTemplate([...usualMembers, member], itemsIn);
  const changed = [...together.edits].flatMap(([pointer, text]) => {
    const before = usual.edits.get(pointer) ?? valueAt(usualMembers[0]?.fields, pointer);
    return before === text ? [] : [{ pointer, before, own: valueAt(member.fields, pointer) }];
  });
  const unlike = changed.filter(({ before, own }) => referenceIn(own, before) === undefined);
  const sentences = (unlike.length > 0 ? unlike : changed.slice(0, 1)).map(({ pointer, before, own }) => {
    const is = own === undefined ? 'is missing' : `is ${valueWords(own)}`;
    const name = referenceIn(own, before);
    const value = name === undefined ? undefined : together.values.get(name)?.at(-1);
    const but = value === undefined ? '' : `, and its \`${name}\` is ${valueWords(value)}`;
    return `${placeWords(pointer)} ${is}, and the other ${usualMembers.length} have ${valueWords(before)}${but}.`;
  });
  return sentences.join(' ');
}

/** The name of the value that a text has at the form's reference, if it has the form. */
function referenceIn(text: Json | undefined, form: Json | undefined): string | undefined {
  if (typeof text !== 'string' || typeof form !== 'string') return undefined;
  const [start = '', name, end = ''] = form.split(/\$\{each\.([^${}]*)\}/);
  return text.startsWith(start) && text.endsWith(end) ? name : undefined;
}

const maxValueLength = 80;

/** A list of one value is named like the value. */
export function placeWords(pointer: Pointer): string {
  return inBackticks(
    pointerSegments(pointer)
      .filter((segment) => segment !== '0')
      .join('.'),
  );
}

export function valueWords(value: Json | undefined): string {
  return inBackticks(shortText(typeof value === 'string' ? value : canonicalJson(value ?? null), maxValueLength));
}
