// Which place is edited so that a field has the value that Omni has: the deepest one that gives the value to nothing else
// but fields that changed alike. What others share stays, and the value is written at the resource.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { NotWrittenField } from '../../model/plan/drift-document.ts';
import type { Json } from '../../model/values/json.ts';
import { isWithin, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { isVisible } from '../../model/values/unseen.ts';
import { valueAt } from '../../model/values/value-at.ts';
import type { SplicedItem } from '../../model/workspace/composed/composed.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import type { Origin } from '../../model/workspace/source-file.ts';
import { referencesIn } from '../../parse/written/references-in.ts';
import { type LocatedPlace, textFilePath, type ValuePlace } from '../sources/value-place.ts';
import type { Supply, ValueSources } from '../sources/value-source.ts';
import { type Goal, refusal } from './drift-goals.ts';
import { editsFor, equalMeaning, inFormOf, NotEditable, rewritten, type ValueEdit } from './edit-value.ts';

/** What is written for some fields at once: all of it or nothing. */
export interface PlaceEdit {
  readonly goals: readonly Goal[];
  readonly place: ValuePlace;
  /** Empty for a text file. */
  readonly edits: readonly ValueEdit[];
  /** The new text of a text file. */
  readonly text?: string;
}

/** The file that is edited. */
export function fileOf({ place }: PlaceEdit): string {
  return place.kind === 'text-file' ? place.path : place.origin.file;
}

export interface PlaceChoice {
  readonly sources: ValueSources;
  readonly configFile: string | undefined;
  /** The environment that --env chose, and those that almanac.yaml names beside it. */
  readonly environmentName: string | undefined;
  readonly otherEnvironments: readonly string[];
  /** Whether a file is a text for people, and neither a source nor a program. */
  readonly isProse: (path: string) => boolean;
}

export interface ChosenPlaces {
  readonly places: readonly PlaceEdit[];
  readonly refused: readonly NotWrittenField[];
}

export function choosePlaces(goals: readonly Goal[], choice: PlaceChoice): ChosenPlaces {
  const open = new Map(goals.map((goal) => [goalKey(goal.resource.address, goal.field), goal]));
  const places: PlaceEdit[] = [];
  const refused: NotWrittenField[] = [];
  for (const goal of goals) {
    const key = goalKey(goal.resource.address, goal.field);
    if (!open.has(key)) continue;
    const chosen = choosePlace(goal, open, choice);
    if ('goals' in chosen) {
      places.push(chosen);
      for (const { resource, field } of chosen.goals) open.delete(goalKey(resource.address, field));
    } else {
      refused.push(chosen);
      open.delete(key);
    }
  }
  return { places, refused };
}

type OpenGoals = ReadonlyMap<string, Goal>;

function goalKey(address: string, field: string): string {
  return `${address} ${field}`;
}

function choosePlace(goal: Goal, open: OpenGoals, choice: PlaceChoice): PlaceEdit | NotWrittenField {
  const supplies = choice.sources.suppliesOf(goal.resource, goal.field);
  const refuse = (reason: keyof typeof words) => {
    const { address } = goal.resource;
    return refusal(address, pointerTo(goal.field), reason, words[reason]);
  };
  try {
    const chosen =
      goal.value === undefined
        ? unsetAt(goal, supplies, open, choice)
        : setAt(goal, goal.value, supplies, open, choice);
    return chosen === undefined ? refuse('no-value') : { ...chosen, edits: forAllReaders(chosen, choice) };
  } catch (error) {
    if (error instanceof NotEditable) return refuse(error.reason);
    throw error;
  }
}

/** What others refer to changes at all places that have it: an edit of one of them alone would part them. */
function forAllReaders({ place, edits }: PlaceEdit, { sources }: PlaceChoice): readonly ValueEdit[] {
  if (place.kind === 'text-file') return edits;
  const { pointer } = place.origin;
  return sources
    .readersOf(place.origin)
    .flatMap((reader) => edits.map((edit) => ({ ...edit, pointer: reader + edit.pointer.slice(pointer.length) })));
}

export const sharedWords =
  'An anchor gives the same text to other resources, which did not change alike. Move the anchor, or change it yourself.';

const words = {
  'no-value': 'Omni has no value, a default or an anchor gives one, and no value that could be written means none.',
  'partly-reference':
    'The declared value is partly a reference, so what Omni has cannot be split up. Change it yourself.',
  'used-elsewhere': sharedWords,
  layout: 'The value is written in a form that cannot be edited in part. Change it yourself.',
};

function setAt(goal: Goal, value: Json, supplies: readonly Supply[], open: OpenGoals, choice: PlaceChoice): PlaceEdit {
  const { resource, field, declared } = goal;
  const isSet = fieldsOf[resource.kind][field]?.set === true;
  const target = inFormOf(declared, value);
  const [supply] = supplies;
  const atResource = { kind: 'resource' as const, origin: entryOf(goal) };
  if (supply === undefined) {
    return {
      goals: [goal],
      place: atResource,
      edits: [{ pointer: atResource.origin.pointer, value: rewritten(null, undefined, target, isSet) }],
    };
  }
  const { raw } = supply;
  // Refused wherever it would be written.
  if (typeof raw === 'string') rewritten(raw, declared, target, isSet);
  for (const { place, usedAt, isNew, ...part } of placesOf(supply, goal, choice)) {
    const goals = usersThatAgree(usedAt, goal, open, choice);
    if (goals === undefined) continue;
    if (place.kind === 'text-file') {
      if (typeof target === 'string' && isProse(target)) return { goals, place, edits: [], text: target };
      continue;
    }
    const { pointer: slot } = place.origin;
    const edits = isNew
      ? [{ pointer: slot, value: rewritten(plainOf(part), declared, target, isSet) }]
      : editsFor({ ...part, slot, meant: declared ?? null }, target, isSet);
    return { goals, place, edits };
  }
  if (supply.place.kind === 'resource') throw new NotEditable('used-elsewhere');
  const own = plainOf({ raw, ...splicedIn(resource, field) });
  const edits = [{ pointer: atResource.origin.pointer, value: rewritten(own, declared, target, isSet) }];
  return { goals: [goal], place: atResource, edits };
}

/** Whether a text file can hold a text so that a reader sees all of it. */
function isProse(text: string): boolean {
  return isVisible(text.replaceAll(/\r?\n|\t/g, ''));
}

/** A list that takes in others is written anew, without them: it has to differ from what it takes in. */
function plainOf({ raw, spliced }: Pick<Candidate, 'raw' | 'spliced'>): Json {
  return spliced === undefined ? raw : null;
}

/** Undefined if nothing that could be written means that there is no value. */
function unsetAt(goal: Goal, supplies: readonly Supply[], open: OpenGoals, choice: PlaceChoice): PlaceEdit | undefined {
  const [supply, ...hidden] = supplies;
  const { default: byDefault } = fieldsOf[goal.resource.kind][goal.field] ?? {};
  const owned = supply && ownedPlace(supply.place, choice);
  const goals = owned && usersThatAgree(owned.usedAt, goal, open, choice);
  if (owned !== undefined && goals !== undefined) {
    const { place, isNew } = owned;
    // Without the value here, a hidden one would take its place.
    const value = hidden.length === 0 && !isNew ? undefined : byDefault;
    if (value !== undefined || (hidden.length === 0 && !isNew))
      return { goals, place, edits: [{ pointer: place.origin.pointer, value }] };
  }
  if (supply?.place.kind === 'resource' && goals === undefined) throw new NotEditable('used-elsewhere');
  if (byDefault === undefined) return undefined;
  const origin = entryOf(goal);
  return { goals: [goal], place: { kind: 'resource', origin }, edits: [{ pointer: origin.pointer, value: byDefault }] };
}

/** The place of the field in its resource, whether it has it or not. */
function entryOf({ resource, field }: Goal): Origin {
  return { ...resource.origin, pointer: resource.origin.pointer + pointerTo(field) };
}

/** `usedAt`: where others would read it; `isNew`: nothing is written at the place yet. */
interface OwnedPlace<P extends ValuePlace> {
  readonly place: P;
  readonly usedAt: ValuePlace;
  readonly isNew: boolean;
}

interface Candidate extends OwnedPlace<ValuePlace> {
  readonly value: Supply['value'];
  readonly raw: Json;
  /** Of a list that takes in the items of others. */
  readonly spliced?: readonly SplicedItem[];
}

function splicedIn({ composed }: SealedResource, field: string): Pick<Candidate, 'spliced'> {
  const spliced = composed?.lists.get(pointerTo(field));
  return spliced === undefined ? {} : { spliced };
}

/** Where the value could be written, the deepest place first. */
function placesOf(supply: Supply, { resource, field }: Goal, choice: PlaceChoice): readonly Candidate[] {
  const { place, value, raw } = supply;
  const spliced = splicedIn(resource, field);
  const candidates: Candidate[] = [...referredPlaces(supply, resource, choice)];
  if (value.pointer !== place.origin.pointer) {
    const anchor = { kind: 'anchor' as const, origin: { ...place.origin, pointer: value.pointer } };
    if (!isSharedWithOthers(anchor.origin, choice)) {
      candidates.push({ place: anchor, usedAt: anchor, isNew: false, value, raw, ...spliced });
    }
  }
  const own = ownedPlace(place, choice);
  return own === undefined ? candidates : [...candidates, { value, raw, ...spliced, ...own }];
}

/** The variable, the audience or the text file that is the whole value. */
function referredPlaces(
  { place, value, raw }: Supply,
  resource: SealedResource,
  choice: PlaceChoice,
): readonly Candidate[] {
  const whole = typeof raw === 'string' ? referencesIn(raw).whole : undefined;
  if (whole?.namespace === 'file') {
    const file = { kind: 'text-file', path: textFilePath(place.origin.file, whole.name) } as const;
    if (!choice.isProse(file.path)) return [];
    return [{ place: file, usedAt: file, isNew: false, value, raw }];
  }
  if (whole?.namespace === 'audience') return audiencePlace(whole.name, resource, choice);
  const variable = whole?.namespace === 'var' ? choice.sources.variable(whole.name) : undefined;
  if (whole === undefined || variable === undefined) return [];
  const own = ownedPlace({ kind: 'variable', origin: variable.origin, name: whole.name } as const, choice);
  return own === undefined ? [] : [{ value: variable.value, raw: variable.raw, ...own }];
}

function audiencePlace(name: string, resource: SealedResource, { sources }: PlaceChoice): readonly Candidate[] {
  const audience = sources.audience(resource, name);
  if (audience === undefined) return [];
  const { origin, value, raw, composed } = audience;
  const place = { kind: 'audience', origin, name } as const;
  const spliced = composed?.lists.get(pointerTo(pointerSegments(origin.pointer).at(-1) ?? ''));
  return [{ place, usedAt: place, isNew: false, value, raw, ...(spliced === undefined ? {} : { spliced }) }];
}

/**
 * The place if no other environment reads it. With --env, a value in the part of almanac.yaml that all of them share is
 * overridden for this one.
 */
function ownedPlace<P extends LocatedPlace>(place: P, choice: PlaceChoice): OwnedPlace<P> | undefined {
  const { origin } = place;
  if (!isSharedWithOthers(origin, choice)) return { place, usedAt: place, isNew: false };
  const isInCommonPart = /^\/(?:variables|defaults)\//.test(origin.pointer);
  if (choice.environmentName === undefined || !isInCommonPart) return undefined;
  const pointer = pointerTo('environments', choice.environmentName) + origin.pointer;
  return { place: { ...place, origin: { ...origin, pointer } }, usedAt: place, isNew: true };
}

/** Whether another environment takes the value from this place of almanac.yaml. Source files are the same for all. */
function isSharedWithOthers(origin: Origin, { configFile, sources, ...choice }: PlaceChoice): boolean {
  if (origin.file !== configFile) return false;
  const { environmentName, otherEnvironments } = choice;
  if (environmentName !== undefined) return !isWithin(origin.pointer, pointerTo('environments', environmentName));
  const config = sources.documentAt(origin);
  return otherEnvironments.some(
    (name) => valueAt(config, pointerTo('environments', name) + origin.pointer) === undefined,
  );
}

/** The goals of all fields that have their whole value from a place; undefined unless all changed alike. */
function usersThatAgree(
  place: ValuePlace,
  goal: Goal,
  open: OpenGoals,
  { sources }: PlaceChoice,
): readonly Goal[] | undefined {
  const uses = sources.usesOf(place);
  if (place.kind === 'text-file' && uses.length > 1) return undefined;
  const goals = new Map<string, Goal>();
  const whole = new Set<string>();
  for (const use of uses) {
    const key = goalKey(use.resource.address, use.field);
    const other = open.get(key);
    if (other === undefined || !use.isWhole || !isAlike(other, goal)) return undefined;
    goals.set(key, other);
    if (use.path === '') whole.add(key);
  }
  if (goals.size !== whole.size) return undefined;
  goals.set(goalKey(goal.resource.address, goal.field), goal);
  return [...goals.values()];
}

function isAlike(a: Goal, b: Goal): boolean {
  const isSet = fieldsOf[a.resource.kind][a.field]?.set === true;
  return a.field === b.field && equalMeaning(a.value, b.value, isSet);
}
