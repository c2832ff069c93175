// Chooses which named resources become one loop, and explains why the others do not.

import { groupBy, memoize } from '../../model/values/collections.ts';
import { canonicalJson, isJsonObject, type Json } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo, valueAt } from '../../model/values/pointer.ts';
import type { PlacedRefusal } from '../../model/values/refusal.ts';
import { isEqualInLoop, mayLack } from './choose-groups.ts';
import { findOutliers, hintForOutliers } from './find-outliers.ts';
import { cellProblem, type ItemsIn, listCellsOf, notSingle } from './item-rows.ts';
import type { Member } from './read-members.ts';

export interface ChosenMembers {
  readonly group: readonly Member[];
  readonly notFolded: readonly PlacedRefusal[];
}

/** The members of the commonest form, in their order. `isMeant` is true for one that was named by its address. */
export function chooseNamed(
  members: readonly Member[],
  itemsIn: ItemsIn,
  isMeant: (member: Member) => boolean = () => false,
): ChosenMembers {
  const formAt = memoize((member: Member) => formOf(member, itemsIn));
  const alike = groupBy(members, (member) => canonicalJson([...formAt(member)].sort().flat()));
  const [same = [] as readonly Member[]] = [...alike.values()].sort((a, b) => b.length - a.length);
  const differing = members
    .filter((member) => !same.includes(member))
    .map((member) => refusedMember(member, whyUnlike(formAt(member), formAt(same[0] ?? member), member)));
  const { kept, lost } = splitByComments(same);
  const outliers = findOutliers(kept, itemsIn, isMeant);
  const outlierMembers = new Set(outliers.map(({ member }) => member));
  return {
    group: kept.filter((member) => !outlierMembers.has(member)),
    notFolded: [
      ...differing,
      ...(lost.length > 0 ? [commented(lost)] : []),
      ...outliers.map(({ member, message }) => ({ ...refusedMember(member, message), hint: hintForOutliers })),
    ],
  };
}

export function refusedMember({ file, address }: Pick<Member, 'file' | 'address'>, message: string): PlacedRefusal {
  return { about: [address], message, place: { file } };
}

/** A member's comments would be lost, unless the first one has the same. */
function splitByComments(group: readonly Member[]): {
  readonly kept: readonly Member[];
  readonly lost: readonly Member[];
} {
  const [first, ...rest] = group;
  if (first === undefined) return { kept: [], lost: [] };
  const said = new Set(first.entry.comments);
  const isKept = ({ entry }: Member) => !entry.hasCommentAbove && entry.comments.every((comment) => said.has(comment));
  return { kept: [first, ...rest.filter(isKept)], lost: rest.filter((member) => !isKept(member)) };
}

function commented(members: readonly Member[]): PlacedRefusal {
  const message =
    members.length === 1
      ? 'It has comments of its own, which an item cannot hold.'
      : 'They have comments of their own, which an item cannot hold.';
  return { about: members.map(({ address }) => address), message, place: { file: members[0]?.file ?? '' } };
}

/** The parts that must be the same in all items, keyed by their place in the declaration. */
type Form = ReadonlyMap<string, string>;

/** A field that an item cannot leave out is there in all of them. */
const present = 'present';

function formOf(member: Member, itemsIn: ItemsIn): Form {
  const { kind, fields } = member;
  const listCells = listCellsOf(member);
  const form = new Map<string, string>();
  for (const [field, value] of Object.entries(fields)) {
    const isOptional = mayLack(kind, field);
    if (isEqualInLoop(kind, field)) form.set(pointerTo(field), canonicalJson(value));
    else if (itemsIn === 'declaration') {
      if (!isOptional) form.set(pointerTo(field), present);
    } else
      for (const [place, own] of cellForms([field], value)) if (!isOptional || own !== present) form.set(place, own);
  }
  return form;

  /** A value that no cell can hold is the same in all items. */
  function cellForms(path: readonly string[], value: Json): readonly (readonly [string, string])[] {
    const [field = ''] = path;
    if (isJsonObject(value) && !mayLack(kind, field) && Object.keys(value).length > 0)
      return Object.entries(value).flatMap(([name, part]) => cellForms([...path, name], part));
    return [[pointerTo(...path), whyNoCellAt(path, value, listCells) === undefined ? present : canonicalJson(value)]];
  }
}

/** A list of one value is written as a list of one reference. */
function whyNoCellAt(path: readonly string[], value: Json, listCells: readonly Pointer[]): string | undefined {
  const isListCell = listCells.includes(pointerTo(...path));
  const [only, ...others] = Array.isArray(value) && !isListCell ? (value as readonly Json[]) : [value];
  return only === undefined || others.length > 0 ? notSingle : cellProblem(only, isListCell);
}

function whyUnlike(form: Form, usualForm: Form, member: Member): string {
  const pointer = [...usualForm.keys(), ...form.keys()].find((each) => form.get(each) !== usualForm.get(each)) ?? '';
  const path = pointerSegments(pointer);
  const place = path.join('.');
  if (isEqualInLoop(member.kind, place)) return `\`${place}\` differs, and all items of a loop share it.`;
  const isWhole = [form, usualForm].every((each) => (each.get(pointer) ?? present) === present);
  if (isWhole) return `Only some have \`${place}\`, and an item cannot leave it out.`;
  const own = valueAt(member.fields, pointer);
  const why = own === undefined ? undefined : whyNoCellAt(path, own, listCellsOf(member));
  return `\`${place}\` differs, and a cell cannot hold it${why === undefined ? '' : `: ${why}`}.`;
}
