// Which place is edited so that a field has the value that Omni has: the deepest one that gives the value to nothing else
// but fields that changed alike. What others share stays, and the value is written at the resource, or for an instance of a
// loop in its item.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { NotWrittenField } from '../../model/plan/drift-document.ts';
import type { Json } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { forAllReaders, type ValueEdit } from '../edit/edit-files.ts';
import type { Supply } from '../sources/value-source.ts';
import { type Goal, refusal } from './drift-goals.ts';
import { inFormOf, isPartlyReference, NotEditable, rewritten } from './edit-value.ts';
import { intoItems } from './into-items.ts';
import { inItem } from './item-value.ts';
import { editAt, ownedPlace, placesOf, plainOf, splicedIn } from './place-candidates.ts';
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
import { refusalWords } from './refusal-words.ts';

export interface ChosenPlaces {
  readonly places: readonly PlaceEdit[];
  readonly refused: readonly NotWrittenField[];
}

export function choosePlaces(goals: readonly Goal[], choice: PlaceChoice): ChosenPlaces {
  const all = new Map(goals.map((goal) => [goalKey(goal.resource.address, goal.field), goal]));
  const open = new Map(all);
  let places: readonly PlaceEdit[] = [];
  const refused = new Map<string, NotWrittenField>();
  /** Fields of a loop that are in its items now: what cannot be written there cannot be written at all. */
  const inItems = new Set<string>();
  for (const goal of goals) {
    const { resource, field } = goal;
    const key = goalKey(resource.address, field);
    if (!open.has(key)) continue;
    const ofLoop = goalKey(resource.item?.loop.address ?? '', field);
    const chosen = inItems.has(ofLoop)
      ? refuse(goal, new NotEditable('partly-reference'))
      : choosePlace(goal, { open, all }, choice);
    if ('goals' in chosen) {
      const keys = new Set(chosen.goals.map((each) => goalKey(each.resource.address, each.field)));
      for (const each of keys) {
        open.delete(each);
        refused.delete(each);
      }
      if (chosen.items !== undefined) {
        inItems.add(ofLoop);
        const isIncluded = (each: Goal) => keys.has(goalKey(each.resource.address, each.field));
        places = places.filter((place) => !place.goals.every(isIncluded));
      }
      places = [...places, chosen];
    } else {
      refused.set(key, chosen);
      open.delete(key);
    }
  }
  return { places, refused: [...refused.values()] };
}

interface Goals {
  /** Those that have no place yet. */
  readonly open: OpenGoals;
  readonly all: OpenGoals;
}

function refuse({ resource, field }: Goal, why: NotEditable): NotWrittenField {
  return refusal(resource.address, pointerTo(field), why.reason, refusalWords(why, resource));
}

function choosePlace(goal: Goal, goals: Goals, choice: PlaceChoice): PlaceEdit | NotWrittenField {
  const supplies = choice.sources.suppliesOf(goal.resource, goal.field);
  try {
    const chosen =
      inItem(goal, supplies[0], goals.open, choice) ??
      (goal.value === undefined
        ? unsetAt(goal, supplies, goals, choice)
        : setAt(goal, goal.value, supplies[0], goals, choice));
    if (chosen === undefined) return refuse(goal, new NotEditable('no-value'));
    return chosen.items === undefined ? { ...chosen, edits: editsOf(chosen, choice) } : chosen;
  } catch (error) {
    if (error instanceof NotEditable) return refuse(goal, error);
    throw error;
  }
}

function editsOf({ place, edits }: PlaceEdit, { sources }: PlaceChoice): readonly ValueEdit[] {
  const isText = place.kind === 'text-file' || (place.kind === 'item' && place.part === 'cell');
  return isText ? edits : forAllReaders(place.origin, edits, sources);
}

function setAt(goal: Goal, value: Json, supply: Supply | undefined, goals: Goals, choice: PlaceChoice): PlaceEdit {
  const { resource, field, declared } = goal;
  const isSet = isSetField(resource, field);
  const target = inFormOf(declared, value);
  if (supply === undefined)
    return atDeclaration(goal, rewritten(null, undefined, target, isSet), supply, goals, choice);
  const { raw } = supply;
  if (isPartlyReference(raw)) {
    if (resource.item !== undefined) return intoItems(goal, supply, goals.all, choice);
    // Refused wherever it would be written.
    throw new NotEditable('partly-reference');
  }
  for (const candidate of placesOf(supply, goal, choice)) {
    const users = usersThatAgree(candidate.usedAt, goal, goals.open, choice);
    const edit = users && editAt(candidate, users, target, goal);
    if (edit !== undefined) return edit;
  }
  if (resource.item === undefined && supply.place.kind === 'resource') throw new NotEditable('used-elsewhere');
  const own = () => rewritten(plainOf({ raw, ...splicedIn(resource, field) }), declared, target, isSet);
  return atDeclaration(goal, own, supply, goals, choice);
}

/** At the resource itself. That of a loop is for all its instances: unless all agree, their items get the value. */
function atDeclaration(
  goal: Goal,
  value: Json | (() => Json),
  supply: Supply | undefined,
  { open, all }: Goals,
  choice: PlaceChoice,
): PlaceEdit {
  const goals = instancesThatAgree(goal, open, choice);
  if (goals === undefined) return intoItems(goal, supply, all, choice);
  const origin = entryOf(goal);
  const written = typeof value === 'function' ? value() : value;
  return { goals, place: { kind: 'resource', origin }, edits: [{ pointer: origin.pointer, value: written }] };
}

/** Undefined if nothing that could be written means that there is no value. */
function unsetAt(
  goal: Goal,
  supplies: readonly Supply[],
  { open, all }: Goals,
  choice: PlaceChoice,
): PlaceEdit | undefined {
  const [supply, ...hidden] = supplies;
  const { resource, field } = goal;
  const { default: byDefault } = fieldsOf[resource.kind][field] ?? {};
  const owned = supply && ownedPlace(supply.place, choice);
  const goals = owned && usersThatAgree(owned.usedAt, goal, open, choice);
  if (owned !== undefined && goals !== undefined) {
    const { place, isNew } = owned;
    // Without the value here, a hidden one would take its place.
    const value = hidden.length === 0 && !isNew ? undefined : byDefault;
    if (value !== undefined || (hidden.length === 0 && !isNew))
      return { goals, place, edits: [{ pointer: place.origin.pointer, value }] };
  }
  if (resource.item === undefined && supply?.place.kind === 'resource' && goals === undefined)
    throw new NotEditable('used-elsewhere');
  if (byDefault === undefined) return undefined;
  return atDeclaration(goal, byDefault, supply, { open, all }, choice);
}
