// Which place is edited so that a field has the value that Omni has: the deepest one that gives the value to nothing else
// but fields that changed alike. What others share stays, and the value is written at the resource, or for an instance of a
// loop in its item.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { NotWrittenField } from '../../model/plan/plan.ts';
import type { Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { heldField } from '../../model/workspace/resource.ts';
import { forAllReaders, type ValueEdit } from '../base/edit/edit-files.ts';
import { type Goal, refusal } from './drift-goals.ts';
import { inFormOf, isPartlyReference, NotEditable, rewritten } from './edit-value.ts';
import { inItem } from './item-value.ts';
import { editAt, ownedPlace, placesOf, plainOf } from './place-candidates.ts';
import {
  entryOf,
  goalKey,
  instancesThatAgree,
  isSetField,
  type OpenGoals,
  type PlaceChoice,
  type PlaceEdit,
  usersThatAgree,
} from './place-edit.ts';
import { itemsWords, refusalWords } from './refusal-words.ts';
import { hidesAnother, rawIn, type WrittenRaw } from './written-raw.ts';

export interface ChosenPlaces {
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
