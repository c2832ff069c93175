// Edits of an item that change a field of its instance. All uses of the value must have changed alike.

import { cellOfList } from '../../declare/expand/cells.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Pointer, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import {
  type LocatedPlace,
  type Origins,
  type SplicedItem,
  sourceOf,
  type ValueIn,
  type ValuePlace,
} from '../../model/workspace/origins.ts';
import type { Item } from '../../model/workspace/resource.ts';
import { isSetField } from '../../report/fields/set-differences.ts';
import { escapeInterpolation } from '../../yaml/format/print-string.ts';
import type { ParsedFiles } from '../../yaml/parsed-files.ts';
import { referencesIn } from '../../yaml/references-in.ts';
import type { WantedValue } from './drift-goals.ts';
import { NotEditable } from './not-editable.ts';
import {
  candidateKey,
  isSharedWithOthers,
  type PlaceChoice,
  type Placement,
  plainOf,
  rawIn,
  referredCandidates,
  splicedIn,
  type WrittenRaw,
} from './place-edit.ts';
import { inFormOf, listChanges, rewritten } from './rewrite-value.ts';

/** Empty if the value does not come from the item. Throws NotEditable. */
export function itemCandidates(
  goal: WantedValue,
  written: WrittenRaw | undefined,
  choice: PlaceChoice,
): readonly Placement[] {
  const part = itemPart(goal, written);
  const { item } = goal.resource;
  const { places } = choice;
  if (part === undefined || item === undefined || isKeyOf(item, part.name, places.documents)) return [];
  const { place, name: itemValue, meaning, target, isSet } = part;
  if (place.part !== undefined) {
    const users = () => places.usesOf(place);
    // An item's own cell overrides the value that `empty` gives to all blank cells.
    const own = { ...place, origin: { ...item.origin, pointer: item.origin.pointer + pointerTo(part.name) } };
    const isFilled = own.origin.pointer !== place.origin.pointer || own.origin.file !== place.origin.file;
    const ofItem = () => users().filter(({ resource }) => isSame(resource.item, item));
    return [
      { place, key: candidateKey(place, target, isSet), itemValue, users, value: () => cellText(part) },
      ...(isFilled
        ? [
            {
              place: own,
              key: candidateKey(own, target, isSet),
              itemValue,
              users: ofItem,
              value: () => cellText({ ...part, place: own }),
            },
          ]
        : []),
    ];
  }
  const found = rawIn(part, places.documents);
  if (found === undefined) return [];
  const at = (slot: LocatedPlace, users: Placement['users'], isHidden: boolean): Placement => {
    const value = () => {
      checkOwned(item, choice);
      return isHidden
        ? rewritten(plainOf(found), meaning, target, isSet)
        : rewritten(found.raw, meaning, target, isSet, splicedIn(found));
    };
    return { place: slot, key: candidateKey(slot, target, isSet), itemValue, users, value };
  };
  const { place: valuePlace, text } = found;
  const anchor = { kind: 'anchor' as const, origin: { ...valuePlace.origin, pointer: text } };
  const ofItem = () => places.usesOf(valuePlace).filter(({ resource }) => isSame(resource.item, item));
  return [
    ...(part.isWhole ? referredCandidates(found, target, goal, choice) : []),
    ...(text === valuePlace.origin.pointer ? [] : [at(anchor, () => places.usesOf(anchor), false)]),
    at(valuePlace, () => places.usesOf(valuePlace), false),
    // An item's own value overrides the one that others give to it.
    ...(valuePlace.origin.pointer === place.origin.pointer ? [] : [at(place, ofItem, true)]),
  ];
}

/**
 * Gives an item a value that other items need not have, if the field lacks one or a default gives it. If the
 * declaration does not refer to such a value yet, a reference is added.
 */
export function lackedCandidates(
  { resource, field }: WantedValue,
  target: Json,
  choice: PlaceChoice,
): readonly Placement[] {
  const { kind, origin, item } = resource;
  const { documents } = choice.places;
  const declaration = { ...origin, pointer: origin.pointer + pointerTo(field) };
  const raw = documents.valueAt(declaration);
  const { namespace, name = field } = (typeof raw === 'string' ? referencesIn(raw).whole : undefined) ?? {};
  if (item === undefined || !fieldsOf[kind][field]?.mayLack || (raw !== undefined && namespace !== 'each')) return [];
  const isRow = documents.valueAt({ ...origin, pointer: `${origin.pointer}/forEachRow` }) !== undefined;
  const items = choice.instancesOf(item.loop.address).map((each) => documents.valueAt(each.item?.origin ?? origin));
  const isTaken = items.some((each) => isJsonObject(each ?? null) && Object.hasOwn(each as JsonObject, name));
  if (raw === undefined && (isRow || isTaken)) return [];
  const value = documents.valueAt(item.origin) ?? null;
  if (!isRow && value !== null && !isJsonObject(value)) return [];
  const at = { ...item.origin, pointer: item.origin.pointer + pointerTo(name) };
  const place = { kind: 'item', origin: at, name: item.key, ...(isRow ? { part: 'cell' as const } : {}) } as const;
  return [
    {
      place,
      key: candidateKey(place, target, isSetField(resource.kind, [field])),
      users: () => [{ resource, field, isWhole: true }],
      value: () => {
        checkOwned(item, choice);
        return isRow ? cellText({ target, name, place }) : escapeInterpolation(target);
      },
      also: raw === undefined ? { origin: declaration, value: `\${each.${name}}` } : undefined,
    },
  ];
}

function cellText({ target, name, place }: Pick<ItemPart, 'target' | 'name' | 'place'>): string {
  const cell = `the column \`${name}\` of ${place.origin.file}`;
  const value = Array.isArray(target) ? cellOfList(target) : target;
  if (value === undefined || typeof value === 'object')
    throw new NotEditable(
      'items',
      `A cell of a CSV file holds one text, so ${cell} cannot hold this list or map. Declare this instance outside of the loop, or use \`forEach\`.`,
    );
  const text = String(escapeInterpolation(value));
  if (/^[=+\-@\t\r]/.test(text))
    throw new NotEditable(
      'items',
      `A spreadsheet would take the value for a formula, so it is not written into ${cell}. Write it there yourself.`,
    );
  return text;
}

/** A map of items in almanac.yaml is a variable that other environments may read, too. Throws NotEditable. */
function checkOwned({ origin, loop }: Item, choice: PlaceChoice): void {
  const map = pointerSegments(origin.pointer).slice(0, -1);
  if (!isSharedWithOthers({ ...origin, pointer: pointerTo(...map) }, choice)) return;
  const { environment } = choice.config;
  const way =
    environment === undefined
      ? 'Change it there yourself.'
      : `Give ${environment} a map of its own under \`environments.${environment}.variables\`, or change it yourself.`;
  throw new NotEditable(
    'used-elsewhere',
    `The items of \`${loop.address}\` are the variable \`${map.at(-1) ?? ''}\` of ${origin.file}, which other environments read as well. ${way}`,
  );
}

/** True if a name is the key of an item, which nothing may change. */
function isKeyOf({ loop: { origin } }: Item, name: string, { valueAt }: ParsedFiles): boolean {
  return name === 'key' || valueAt({ ...origin, pointer: `${origin.pointer}/forEachRow/key` }) === name;
}

interface ItemPart extends ValueIn<Extract<ValuePlace, { readonly kind: 'item' }>> {
  readonly name: string;
  readonly meaning: Json;
  readonly target: Json;
  readonly isSet: boolean;
  /** True if it is all of the field. */
  readonly isWhole: boolean;
}

function itemPart(goal: WantedValue, written: WrittenRaw | undefined): ItemPart | undefined {
  const { resource, field, declared } = goal;
  // The default if Omni has no value.
  const value = goal.value ?? fieldsOf[resource.kind][field]?.default;
  if (resource.item === undefined || written === undefined || declared === undefined || value === undefined)
    return undefined;
  const { raw, origins, at } = written;
  const target = inFormOf(declared, value);
  return partOf(
    raw,
    { meaning: declared, target, isSet: isSetField(resource.kind, [field]), isWhole: true, at },
    origins,
  );
}

interface ItemStep extends Pick<ItemPart, 'meaning' | 'target' | 'isSet' | 'isWhole'> {
  /** The place of the reference in the record. */
  readonly at: Pointer;
}

/** Follows the one thing that changed to a reference that gives all of it. */
function partOf(raw: Json | undefined, step: ItemStep, origins: Origins | undefined): ItemPart | undefined {
  const { at, ...part } = step;
  const { meaning, target, isSet } = part;
  if (typeof raw === 'string') {
    const valueGiver = sourceOf(origins, at);
    const { name = '' } = referencesIn(raw).whole ?? {};
    return valueGiver?.place.kind === 'item' ? { ...part, name, ...valueGiver, place: valueGiver.place } : undefined;
  }
  if (Array.isArray(raw) && Array.isArray(meaning) && Array.isArray(target)) {
    const { removed, added } = listChanges(meaning, target, isSet);
    const list = { ...step, raw, meaning, target, removed, added, spliced: origins?.lists.get(at)?.() };
    const inside = replacedIn(list) ?? takenIn(list, origins);
    return (
      inside && partOf(raw[inside.written], { ...inside, isWhole: false, at: at + pointerTo(inside.written) }, origins)
    );
  }
  if (!isJsonObject(raw) || !isJsonObject(meaning) || !isJsonObject(target)) return undefined;
  const keys = [...new Set([...Object.keys(meaning), ...Object.keys(target)])];
  const [key = '', ...others] = keys.filter((name) => !equalJson(meaning[name], target[name]));
  const [now, then] = [meaning[key], target[key]];
  if (others.length > 0 || now === undefined || then === undefined) return undefined;
  return partOf(
    raw[key],
    { meaning: now, target: then, isSet: false, isWhole: false, at: at + pointerTo(key) },
    origins,
  );
}

interface ChangedList {
  readonly raw: readonly Json[];
  readonly meaning: readonly Json[];
  readonly target: readonly Json[];
  readonly isSet: boolean;
  readonly at: Pointer;
  /** Indexes in the present meaning. */
  readonly removed: readonly number[];
  /** Indexes in the target. */
  readonly added: readonly number[];
  readonly spliced: readonly SplicedItem[] | undefined;
}

/** A change of a list: the written entry, its present meaning, and its target. */
interface Inside extends Pick<ItemStep, 'meaning' | 'target' | 'isSet'> {
  readonly written: number;
}

/** The one entry that was replaced or removed, if nothing else gives the same. */
function replacedIn({ raw, meaning, target, isSet, removed, added, spliced }: ChangedList): Inside | undefined {
  const [gone, ...more] = removed;
  const [came, ...others] = added;
  if (gone === undefined || more.length + others.length > 0) return undefined;
  // In an ordered list it must be at the same index.
  if (!isSet && came !== undefined && gone !== came) return undefined;
  // Two equal entries, or an empty cell, have no index of their own in the meaning.
  const plain = (): readonly SplicedItem[] =>
    raw.length === meaning.length ? raw.map((_, index) => ({ index, written: index })) : [];
  const [source, ...same] = (spliced ?? plain()).filter(({ index }) => index === gone);
  if (source === undefined || same.length > 0 || source.item !== undefined) return undefined;
  // An empty value of an item gives a list no entry.
  const wanted = came === undefined ? '' : (target[came] ?? null);
  return { written: source.written, meaning: meaning[gone] ?? null, target: wanted, isSet: false };
}

/** The item's list inside this list, if only its part changed. Added entries belong to the only list of the item. */
function takenIn(
  { meaning, target, isSet, at, removed, added, spliced = [] }: ChangedList,
  origins: Origins | undefined,
): Inside | undefined {
  const taken = new Set(spliced.flatMap(({ item, written }) => (item === undefined ? [] : written)));
  const isOfItem = (written: number) => sourceOf(origins, at + pointerTo(written))?.place.kind === 'item';
  const [written, ...others] = [...taken].filter(isOfItem);
  if (written === undefined || others.length > 0 || !isSet) return undefined;
  if (!removed.every((gone) => spliced.every(({ index, ...each }) => index !== gone || each.written === written)))
    return undefined;
  const itemsAt = (indexes: readonly number[], list: readonly Json[]) => indexes.map((index) => list[index] ?? null);
  const inner = spliced.filter((each) => each.written === written);
  const indexes = inner.toSorted((a, b) => (a.item ?? 0) - (b.item ?? 0)).map(({ index }) => index);
  const keptIndexes = indexes.filter((index) => !removed.includes(index));
  return {
    written,
    meaning: itemsAt(indexes, meaning),
    target: [...itemsAt(keptIndexes, meaning), ...itemsAt(added, target)],
    isSet,
  };
}

function isSame(item: Item | undefined, other: Item): boolean {
  return item?.origin.file === other.origin.file && item.origin.pointer === other.origin.pointer;
}
