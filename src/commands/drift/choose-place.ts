// Which place is edited so that a field has the value that Omni has: the deepest one that gives the value to nothing else
// but fields that changed alike. What others share stays, and the value is written at the resource, or for an instance of a
// loop in its item.

import { movedTo } from '../../declare/value-places.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { NotWrittenField } from '../../model/plan/plan.ts';
import { sectionOf } from '../../model/values/address.ts';
import type { Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { isVisible } from '../../model/values/words.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import {
  giverOf,
  type Held,
  type LocatedPlace,
  placeIn,
  type SplicedItem,
  type ValuePlace,
} from '../../model/workspace/origins.ts';
import { heldField, type SealedResource } from '../../model/workspace/resource.ts';
import type { OpenDocuments, WrittenValue } from '../../yaml/written/written-values.ts';
import { forAllReaders, type ValueEdit } from '../base/edit/edit-files.ts';
import { type Goal, refusal } from './drift-goals.ts';
import { inFormOf, inItem, isPartlyReference, NotEditable, rewritten } from './item-value.ts';
import {
  entryOf,
  goalKey,
  instancesThatAgree,
  isSetField,
  isSharedWithOthers,
  type OpenGoals,
  type PlaceChoice,
  type PlaceEdit,
  usersThatAgree,
} from './place-edit.ts';
import { itemsWords, refusalWords } from './prove-edits.ts';

interface ChosenPlaces {
  readonly places: readonly PlaceEdit[];
  readonly refused: readonly NotWrittenField[];
}

export function choosePlaces(goals: readonly Goal[], choice: PlaceChoice): ChosenPlaces {
  const open = new Map(goals.map((goal) => [goalKey(goal.resource.address, goal.field), goal]));
  const places: PlaceEdit[] = [];
  const refused = new Map<string, NotWrittenField>();
  for (const goal of goals) {
    const { resource, field } = goal;
    const key = goalKey(resource.address, field);
    if (!open.has(key)) continue;
    const chosen = choosePlace(goal, open, choice);
    if ('goals' in chosen) {
      for (const each of chosen.goals) {
        const theirs = goalKey(each.resource.address, each.field);
        open.delete(theirs);
        refused.delete(theirs);
      }
      places.push(chosen);
    } else {
      refused.set(key, chosen);
      open.delete(key);
    }
  }
  return { places, refused: [...refused.values()] };
}

function refuse({ resource, field }: Goal, why: NotEditable): NotWrittenField {
  return refusal(resource.address, pointerTo(field), why.reason, refusalWords(why, resource));
}

function choosePlace(goal: Goal, open: OpenGoals, choice: PlaceChoice): PlaceEdit | NotWrittenField {
  const supply = rawIn(heldField(goal.resource, goal.field), choice.places.documents);
  try {
    const chosen =
      inItem(goal, supply, open, choice) ??
      (goal.value === undefined ? unsetAt(goal, supply, open, choice) : setAt(goal, goal.value, supply, open, choice));
    if (chosen === undefined) return refuse(goal, new NotEditable('no-value'));
    return { ...chosen, edits: editsOf(chosen, choice) };
  } catch (error) {
    if (error instanceof NotEditable) return refuse(goal, error);
    throw error;
  }
}

function editsOf({ place, edits }: PlaceEdit, { places }: PlaceChoice): readonly ValueEdit[] {
  const isText = place.kind === 'text-file' || (place.kind === 'item' && place.part === 'cell');
  return isText ? edits : forAllReaders(place.origin, edits, places.documents);
}

function setAt(
  goal: Goal,
  value: Json,
  supply: WrittenRaw | undefined,
  open: OpenGoals,
  choice: PlaceChoice,
): PlaceEdit {
  const { resource, field, declared } = goal;
  const isSet = isSetField(resource, field);
  const target = inFormOf(declared, value);
  if (supply === undefined) return atDeclaration(goal, rewritten(null, undefined, target, isSet), open, choice);
  const { raw } = supply;
  if (isPartlyReference(raw)) {
    if (resource.item !== undefined) throw forEveryItem(goal, choice);
    // Refused wherever it would be written.
    throw new NotEditable('partly-reference');
  }
  for (const candidate of placesOf(supply, choice)) {
    const users = usersThatAgree(candidate.usedAt, goal, open, choice);
    const edit = users && editAt(candidate, users, target, goal);
    if (edit !== undefined) return edit;
  }
  if (resource.item === undefined && supply.place.kind === 'resource') throw new NotEditable('used-elsewhere');
  const own = () => rewritten(plainOf(supply), declared, target, isSet);
  return atDeclaration(goal, own, open, choice);
}

/** At the resource itself. That of a loop is for all its instances, which must agree. */
function atDeclaration(goal: Goal, value: Json | (() => Json), open: OpenGoals, choice: PlaceChoice): PlaceEdit {
  const goals = instancesThatAgree(goal, open, choice);
  if (goals === undefined) throw forEveryItem(goal, choice);
  const origin = entryOf(goal);
  const written = typeof value === 'function' ? value() : value;
  return { goals, place: { kind: 'resource', origin }, edits: [{ pointer: origin.pointer, value: written }] };
}

/** Every item would have to be rewritten for one of them. */
function forEveryItem({ resource, field }: Goal, { places }: PlaceChoice): NotEditable {
  const { item } = resource;
  if (item === undefined) return new NotEditable('used-elsewhere');
  return new NotEditable('items', itemsWords(resource, field, places.documents.valueAt(item.origin)));
}

/** Undefined if nothing that could be written means that there is no value. */
function unsetAt(
  goal: Goal,
  supply: WrittenRaw | undefined,
  open: OpenGoals,
  choice: PlaceChoice,
): PlaceEdit | undefined {
  const { resource, field } = goal;
  const { default: byDefault } = fieldsOf[resource.kind][field] ?? {};
  const owned = supply && ownedPlace(supply.place, choice);
  const goals = owned && usersThatAgree(owned.usedAt, goal, open, choice);
  if (owned !== undefined && goals !== undefined) {
    const { place, isNew } = owned;
    // Without the value here, a hidden one would take its place.
    const isLast = !isNew && !hidesAnother(resource, field, choice.defaults, choice.places.documents);
    const value = isLast ? undefined : byDefault;
    if (value !== undefined || isLast) return { goals, place, edits: [{ pointer: place.origin.pointer, value }] };
  }
  if (resource.item === undefined && supply?.place.kind === 'resource' && goals === undefined)
    throw new NotEditable('used-elsewhere');
  if (byDefault === undefined) return undefined;
  return atDeclaration(goal, byDefault, open, choice);
}

// Where the value of a field could be written, the deepest place first: what the value refers to, what is behind an alias,
// and the entry itself. Whether others agree is not decided here.

/** `usedAt`: where others would read it; `isNew`: nothing is written at the place yet. */
interface OwnedPlace<P extends ValuePlace> {
  readonly place: P;
  readonly usedAt: ValuePlace;
  readonly isNew: boolean;
}

type Candidate = OwnedPlace<ValuePlace> & Omit<WrittenRaw, 'place'>;

function placesOf(supply: WrittenRaw, choice: PlaceChoice): readonly Candidate[] {
  const { place, value } = supply;
  const candidates: Candidate[] = [...referredPlaces(supply, choice)];
  if (value.pointer !== place.origin.pointer) {
    const anchor = { kind: 'anchor' as const, origin: { ...place.origin, pointer: value.pointer } };
    if (!isSharedWithOthers(anchor.origin, choice))
      candidates.push({ ...supply, place: anchor, usedAt: anchor, isNew: false });
  }
  const own = ownedPlace(place, choice);
  return own === undefined ? candidates : [...candidates, { ...supply, ...own }];
}

/** The variable, the audience or the text file that is the whole value. */
export function referredPlaces(written: WrittenRaw, choice: PlaceChoice): readonly Candidate[] {
  const giver = giverOf(written.origins, written.at);
  if (giver === undefined) return [];
  const { place } = giver;
  if (place.kind === 'text-file')
    return choice.isProse(place.path) ? [{ ...written, place, usedAt: place, isNew: false }] : [];
  const there = rawIn({ ...giver, place }, choice.places.documents);
  if (there === undefined) return [];
  if (place.kind === 'audience') return [{ ...there, usedAt: there.place, isNew: false }];
  const own = place.kind === 'variable' ? ownedPlace(there.place, choice) : undefined;
  return own === undefined ? [] : [{ ...there, ...own }];
}

/**
 * The place if no other environment reads it. With --env, a value in the part of almanac.yaml that all of them share is
 * overridden for this one.
 */
function ownedPlace<P extends LocatedPlace>(place: P, choice: PlaceChoice): OwnedPlace<P> | undefined {
  const { origin } = place;
  if (!isSharedWithOthers(origin, choice)) return { place, usedAt: place, isNew: false };
  const isInCommonPart = /^\/(?:variables|defaults)\//.test(origin.pointer);
  if (choice.environment === undefined || !isInCommonPart) return undefined;
  const pointer = pointerTo('environments', choice.environment) + origin.pointer;
  return { place: { ...place, origin: { ...origin, pointer } }, usedAt: place, isNew: true };
}

/** The edit that gives a candidate another meaning; undefined if it cannot hold it. Throws NotEditable. */
export function editAt(
  { place, isNew, ...part }: Candidate,
  goals: readonly Goal[],
  target: Json,
  { resource, field, declared }: Goal,
): PlaceEdit | undefined {
  // A text file can hold a text if a reader sees all of it.
  if (place.kind === 'text-file')
    return typeof target === 'string' && isVisible(target.replaceAll(/\r?\n|\t/g, ''))
      ? { goals, place, edits: [], text: target }
      : undefined;
  const isSet = isSetField(resource, field);
  const value = isNew
    ? rewritten(plainOf(part), declared, target, isSet)
    : rewritten(part.raw, declared ?? null, target, isSet, splicedIn(part));
  return { goals, place, edits: [{ pointer: place.origin.pointer, value }] };
}

/** A list that takes in others is written as a whole, without them: it has to differ from what it takes in. */
export function plainOf(written: Pick<WrittenRaw, 'raw' | 'origins' | 'at'>): Json {
  return splicedIn(written) === undefined ? written.raw : null;
}

// What is written at a place, and whether something else would give the value if it did not.

/** A value as it is written, with what the record says of it. */
export interface WrittenRaw extends Pick<Held, 'origins' | 'at'> {
  /** Where an alias of it may stand. */
  readonly place: LocatedPlace;
  /** With aliases followed. */
  readonly value: WrittenValue;
  /** With references. */
  readonly raw: Json;
}

/** Undefined where nothing is written. */
export function rawIn(held: Held, { suppliersAt, valueAt }: OpenDocuments): WrittenRaw | undefined {
  const place = placeIn(held);
  const [first] = suppliersAt(place.origin);
  if (first === undefined) return undefined;
  const slot = movedTo(place, first.slot);
  const raw = valueAt(slot.origin) ?? valueAt(place.origin) ?? null;
  return { place: slot, value: first.value, raw, origins: held.origins, at: held.at };
}

/** The items that a list takes from others. */
export function splicedIn({ origins, at }: Pick<Held, 'origins' | 'at'>): readonly SplicedItem[] | undefined {
  return origins?.lists.get(at);
}

/** Whether a field would have another value if what gives it one did not. */
function hidesAnother(
  { kind, origin }: SealedResource,
  field: string,
  defaults: readonly DefaultsLayer[],
  { documentsOf, suppliersAt }: OpenDocuments,
): boolean {
  const section = sectionOf[kind];
  const layers = [
    ...defaults.map((layer) => below(layer.origin, section)),
    ...documentsOf(origin.file).map((document) => below(document, 'defaults', section)),
  ];
  return [origin, ...layers].flatMap((holder) => suppliersAt(below(holder, field))).length > 1;
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}
