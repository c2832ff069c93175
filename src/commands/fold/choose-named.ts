// Which of the resources that somebody names become one loop, and why each of the others does not.

import { cellOfList } from '../../declare/expand/cells.ts';
import { groupBy } from '../../model/values/collections.ts';
import { canonicalJson, isJsonObject, type Json } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { isEqualInLoop, mayLack } from './choose-groups.ts';
import { type ItemsIn, isCellText, listCellsOf } from './item-rows.ts';
import type { Member } from './read-members.ts';

export interface LeftOut {
  readonly member: Member;
  /** A whole sentence. */
  readonly message: string;
}

/** Those that most have the form of, in their order. */
export function chooseNamed(
  members: readonly Member[],
  itemsIn: ItemsIn,
): { readonly group: readonly Member[]; readonly left: readonly LeftOut[] } {
  const formAt = memoize((member: Member) => formOf(member, itemsIn));
  const alike = groupBy(members, (member) => canonicalJson([...formAt(member)].sort().flat()));
  const [group = [] as readonly Member[]] = [...alike.values()].sort((a, b) => b.length - a.length);
  const left = members
    .filter((member) => !group.includes(member))
    .map((member) => ({ member, message: whyUnlike(formAt(member), formAt(group[0] ?? member), member) }));
  return { group, left };
}

/** What has to be the same in all items, by the place in the declaration. */
type Form = ReadonlyMap<string, string>;

/** A field that an item cannot leave out is there in all of them. */
const present = 'present';

function formOf(member: Member, itemsIn: ItemsIn): Form {
  const { kind, fields } = member;
  const listCells = listCellsOf(member);
  const form = new Map<string, string>();
  for (const [field, value] of Object.entries(fields)) {
    const isOptional = mayLack(kind, field);
    if (isEqualInLoop(kind, field)) form.set(field, canonicalJson(value));
    else if (itemsIn === 'declaration') {
      if (!isOptional) form.set(field, present);
    } else
      for (const [place, own] of cellForms([field], value)) if (!isOptional || own !== present) form.set(place, own);
  }
  return form;

  /** What no cell can hold is the same in all. */
  function cellForms(path: readonly string[], value: Json): readonly (readonly [string, string])[] {
    const place = path.join('.');
    const mayDiffer = [[place, present]] as const;
    const [field = ''] = path;
    if (isJsonObject(value) && !mayLack(kind, field) && Object.keys(value).length > 0)
      return Object.entries(value).flatMap(([name, part]) => cellForms([...path, name], part));
    if (Array.isArray(value)) {
      const texts = value.filter(isCellText);
      const isCell = listCells.includes(pointerTo(...path)) ? cellOfList(texts) !== undefined : value.length === 1;
      return isCell && texts.length === value.length ? mayDiffer : [[place, canonicalJson(value)]];
    }
    return typeof value === 'boolean' || typeof value === 'number' || isCellText(value)
      ? mayDiffer
      : [[place, canonicalJson(value)]];
  }
}

function whyUnlike(own: Form, others: Form, { kind }: Member): string {
  const place = [...others.keys(), ...own.keys()].find((each) => own.get(each) !== others.get(each)) ?? '';
  if (isEqualInLoop(kind, place)) return `\`${place}\` is another one, and a loop has only one.`;
  const isWhole = [own, others].every((form) => (form.get(place) ?? present) === present);
  return isWhole
    ? `Only some have \`${place}\`, and an item cannot leave it out.`
    : `\`${place}\` is another one, and a cell cannot hold it.`;
}
