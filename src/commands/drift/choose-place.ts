// Chooses the place to edit so that a field gets the value from Omni. It is the deepest place that gives the value only
// to fields that changed alike. Values that others share stay, and the new one is written at the resource, or in the
// item of a loop's instance.

import { forAllReaders } from '../../edit/edit-files.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { NotWritten } from '../../model/plan/drift-document.ts';
import { kinds } from '../../model/values/address.ts';
import { groupBy, pushAll } from '../../model/values/collections.ts';
import { equalJson, isJsonObject, type Json, mapAt } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { nameSome } from '../../model/values/words.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import { heldField, type SealedResource } from '../../model/workspace/resource.ts';
import type { ParsedFiles } from '../../yaml/parsed-files.ts';
import { filtersOfDelivery } from '../../yaml/raw-document.ts';
import { driftedField, type WantedValue } from './drift-goals.ts';
import { itemCandidates, lackedCandidates } from './item-value.ts';
import { itemsWords, NotEditable, refusalWords, sharedValueWords } from './not-editable.ts';
import {
  candidateKey,
  fileOf,
  isSetField,
  ownHolder,
  type PlaceChoice,
  type PlaceEdit,
  type Placement,
  plainOf,
  rawIn,
  type WrittenRaw,
  wholeCandidates,
} from './place-edit.ts';
import { inFormOf, isPartlyReference, rewritten } from './rewrite-value.ts';

interface ChosenPlaces {
  readonly places: readonly PlaceEdit[];
  readonly refused: readonly NotWritten[];
}

export function choosePlaces(goals: readonly WantedValue[], choice: PlaceChoice): ChosenPlaces {
  const ways = goals.map((goal) => ({ goal, candidates: candidatesOf(goal, choice) }));
  const byKey = new Map<string, Placement>();
  const wantedBy = new Map<string, ReadonlySet<string>>();
  for (const { goal, candidates } of ways) {
    const own = candidates.flatMap((each) => (each instanceof NotEditable ? [] : [each]));
    for (const each of own) byKey.set(each.key, byKey.get(each.key) ?? each);
    wantedBy.set(fieldKey(goal), new Set(own.map(({ key }) => key)));
  }
  const otherUses = memoize((key: string) =>
    (byKey.get(key)?.users() ?? []).filter((user) => !user.isWhole || !wantedBy.get(fieldKey(user))?.has(key)),
  );
  const firstOf = (goal: WantedValue, candidates: Candidates) => {
    for (const each of candidates) {
      if (each instanceof NotEditable)
        return (each.reason === 'items' && sharedIn(goal, candidates, otherUses)) || each;
      if (otherUses(each.key).length === 0) return byKey.get(each.key) ?? each;
    }
    return new NotEditable('used-elsewhere');
  };
  const places: PlaceEdit[] = [];
  const refused: NotWritten[] = [];
  for (const [first, group] of groupBy(ways, ({ goal, candidates }) => firstOf(goal, candidates))) {
    const together = group.map(({ goal }) => goal);
    const edit = first instanceof NotEditable ? first : orNotEditable(() => editFor(first, together, choice));
    if (edit instanceof NotEditable)
      pushAll(
        refused,
        together.map((goal) => refuse(goal, edit)),
      );
    else places.push(edit);
  }
  return { places, refused };
}

/** The item has the value, but another field that did not change alike gets it from there as well. */
function sharedIn(
  { resource, field }: WantedValue,
  candidates: Candidates,
  otherUses: (key: string) => readonly FieldUse[],
): NotEditable | undefined {
  for (const each of candidates) {
    if (each instanceof NotEditable || each.itemValue === undefined) continue;
    const others = otherUses(each.key).filter((user) => fieldKey(user) !== fieldKey({ resource, field }));
    const names = others.map((user) =>
      user.resource.address === resource.address
        ? `\`${user.field}\``
        : `\`${user.field}\` of \`${user.resource.address}\``,
    );
    if (names.length === 0) continue;
    const words = sharedValueWords(resource, field, each.itemValue, nameSome([...new Set(names)]));
    return new NotEditable('used-elsewhere', words);
  }
  return undefined;
}

type FieldUse = ReturnType<Placement['users']>[number];

function fieldKey({
  resource,
  field,
}: Pick<WantedValue, 'field'> & { readonly resource: Pick<SealedResource, 'address'> }) {
  return `${resource.address} ${field}`;
}

function refuse(goal: WantedValue, why: NotEditable): NotWritten {
  return { about: [driftedField(goal)], reason: why.reason, message: refusalWords(why, goal.resource) };
}

function orNotEditable<T>(make: () => T): T | NotEditable {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotEditable) return error;
    throw error;
  }
}

function editFor(candidate: Placement, goals: readonly WantedValue[], choice: PlaceChoice): PlaceEdit {
  const { places, readOnlyReason } = choice;
  const { place, also } = candidate;
  const written = overOthers(candidate.value(), place, goals[0], choice);
  for (const file of [fileOf(candidate), ...(also === undefined ? [] : [also.origin.file])]) {
    const why = readOnlyReason(file);
    if (why !== undefined) throw new NotEditable('read-only', `${file} cannot be written: ${why}.`);
  }
  if (place.kind === 'text-file') return { goals, place, edits: [], text: String(written) };
  const editsAt = (origin: Origin, value: Json | undefined) =>
    forAllReaders(origin, [{ pointer: origin.pointer, value }], places.documents).map((edit) => ({
      ...origin,
      ...edit,
    }));
  const edits = editsAt(place.origin, written);
  return { goals, place, edits: also === undefined ? edits : [...edits, ...editsAt(also.origin, also.value)] };
}

/** A map of filters as it is written over those of defaults: its null stays, and what is joined with it is not repeated. */
function overOthers(
  written: Json | undefined,
  place: ValuePlace,
  goal: WantedValue | undefined,
  { places }: PlaceChoice,
): Json | undefined {
  const isOfDeclaration = place.kind === 'resource' || place.kind === 'default';
  if (goal?.field !== filtersOfDelivery || !isOfDeclaration || !isJsonObject(written)) return written;
  const own = places.documents.valueAt(place.origin);
  if (!isJsonObject(own)) return written;
  const isJoined = (id: string) =>
    !Object.hasOwn(own, id) && equalJson(mapAt(goal.value)[id], mapAt(goal.declared)[id]);
  const takenAway = Object.entries(own).filter(([, filter]) => filter === null);
  return {
    ...Object.fromEntries(takenAway),
    ...Object.fromEntries(Object.entries(written).filter(([id]) => !isJoined(id))),
  };
}

/** The deepest place first. A refusal among them says that those behind it are not for this field. */
type Candidates = readonly (Placement | NotEditable)[];

function candidatesOf(goal: WantedValue, choice: PlaceChoice): Candidates {
  const written = rawIn(heldField(goal.resource, goal.field), choice.places.documents);
  const found = orNotEditable(() => itemCandidates(goal, written, choice));
  if (found instanceof NotEditable) return [found];
  const others = goal.value === undefined ? toUnset(goal, written, choice) : toSet(goal, goal.value, written, choice);
  return [...found, ...others];
}

function toSet(goal: WantedValue, value: Json, written: WrittenRaw | undefined, choice: PlaceChoice): Candidates {
  const { resource, field, declared } = goal;
  const isSet = isSetField(resource, field);
  const target = inFormOf(declared, value);
  const rewrite = () => {
    const instances = resource.item === undefined ? [] : choice.instancesOf(resource.item.loop.address);
    const isAlike = instances.every(({ attributes }) => equalJson(attributes[field], declared));
    return rewritten(written === undefined || !isAlike ? null : plainOf(written), declared, target, isSet);
  };
  const own = () => atDeclaration(goal, target, rewrite, choice);
  if (written === undefined) return own();
  // The item leaves it out.
  if (resource.item !== undefined && declared === undefined)
    return [...lackedCandidates(goal, target, choice), forEveryItem(goal, choice)];
  // Refused wherever it would be written.
  if (isPartlyReference(written.raw))
    return [resource.item === undefined ? new NotEditable('partly-reference') : forEveryItem(goal, choice)];
  const held = wholeCandidates(written, target, goal, choice);
  return [...held, ...(isOwnText(goal, written) ? [new NotEditable('used-elsewhere')] : own())];
}

/** A resource cannot hide text of its own that others use. */
function isOwnText({ resource }: WantedValue, { place }: WrittenRaw): boolean {
  return resource.item === undefined && place.kind === 'resource';
}

/** The place at the resource itself. A loop's place is for all its instances, which must agree. */
function atDeclaration(goal: WantedValue, target: Json, value: () => Json, choice: PlaceChoice): Candidates {
  const { resource, field } = goal;
  const { origin, item } = resource;
  const place = { kind: 'resource' as const, origin: below(origin, field) };
  const instances = item === undefined ? [] : choice.instancesOf(item.loop.address);
  const users = () => instances.map((instance) => ({ resource: instance, field, isWhole: true }));
  const key = `declared ${candidateKey(place, target, isSetField(resource, field))}`;
  const declared = { place, key, users, value };
  return item === undefined
    ? [declared]
    : [declared, ...lackedCandidates(goal, target, choice), forEveryItem(goal, choice)];
}

/** Every item would have to be rewritten for one of them. */
function forEveryItem({ resource, field }: WantedValue, { places }: PlaceChoice): NotEditable {
  const { item, origin } = resource;
  return new NotEditable('items', itemsWords(resource, field, places.documents.valueAt(item?.origin ?? origin)));
}

/** If nothing can be written, there may be no value. */
function toUnset(goal: WantedValue, written: WrittenRaw | undefined, choice: PlaceChoice): Candidates {
  const { resource, field } = goal;
  const { places, config } = choice;
  const { default: byDefault } = fieldsOf[resource.kind][field] ?? {};
  const ways: (Placement | NotEditable)[] = [];
  const holder = written && ownHolder(written, choice);
  if (holder !== undefined) {
    const { place, overridden } = holder;
    const value = () => {
      // Without the value here, a hidden one would take effect.
      const isLast = overridden === undefined && !hidesAnother(resource, field, config.defaults, places.documents);
      if (!isLast && byDefault === undefined) throw new NotEditable('no-value');
      return isLast ? undefined : byDefault;
    };
    const key = candidateKey(place, undefined, isSetField(resource, field));
    ways.push({ place, key, users: () => places.usesOf(overridden ?? place), value });
  }
  if (written !== undefined && isOwnText(goal, written)) ways.push(new NotEditable('used-elsewhere'));
  else if (byDefault === undefined) ways.push(new NotEditable('no-value'));
  else
    pushAll(
      ways,
      atDeclaration(goal, byDefault, () => byDefault, choice),
    );
  return ways;
}

/** True if a field would have another value after its present source stops giving one. */
function hidesAnother(
  { kind, origin }: SealedResource,
  field: string,
  defaults: readonly DefaultsLayer[],
  { documentsOf, suppliersAt }: ParsedFiles,
): boolean {
  const section = kinds[kind].section;
  const layers = [
    ...defaults.map((layer) => below(layer.origin, section)),
    ...documentsOf(origin.file).map((document) => below(document, 'defaults', section)),
  ];
  return [origin, ...layers].flatMap((holder) => suppliersAt(below(holder, field))).length > 1;
}

function below(origin: Origin, ...segments: readonly string[]): Origin {
  return { ...origin, pointer: origin.pointer + pointerTo(...segments) };
}
