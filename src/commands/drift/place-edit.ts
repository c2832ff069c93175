// What is written for some fields at once, and which fields have their value from one place: a place is edited only if all
// of them changed alike.

import type { Use, ValuePlaces } from '../../declare/value-places.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import type { Address } from '../../model/values/address.ts';
import { isWithin, pointerTo } from '../../model/values/pointer.ts';
import type { DefaultsLayer } from '../../model/workspace/config.ts';
import type { Origin } from '../../model/workspace/diagnostic.ts';
import type { ValuePlace } from '../../model/workspace/origins.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import type { ValueEdit } from '../base/edit/edit-files.ts';
import type { Goal } from './drift-goals.ts';
import { equalMeaning } from './item-value.ts';

/** What is written for some fields at once: all of it or nothing. */
export interface PlaceEdit {
  readonly goals: readonly Goal[];
  readonly place: ValuePlace;
  /** Empty for a text file. */
  readonly edits: readonly ValueEdit[];
  /** The new text of a text file. */
  readonly text?: string;
}

/** The file in which the place is. */
export function fileOf({ place }: PlaceEdit): string {
  return place.kind === 'text-file' ? place.path : place.origin.file;
}

/** Of all its edits in YAML and CSV. */
export function editsByOrigin({ place, edits }: PlaceEdit): readonly (ValueEdit & Origin)[] {
  return place.kind === 'text-file' ? [] : edits.map((edit) => ({ ...place.origin, ...edit }));
}

export interface PlaceChoice {
  readonly places: ValuePlaces;
  /** Those of almanac.yaml. */
  readonly defaults: readonly DefaultsLayer[];
  readonly configFile: string | undefined;
  /** The environment that --env chose, and those that almanac.yaml names beside it. */
  readonly environment: string | undefined;
  readonly otherEnvironments: readonly string[];
  /** Whether a file is a text for people, and neither a source nor a program. */
  readonly isProse: (path: string) => boolean;
  /** All instances of a loop, by its address. */
  readonly instancesOf: (loop: Address) => readonly SealedResource[];
}

/** By goalKey. */
export type OpenGoals = ReadonlyMap<string, Goal>;

export function goalKey(address: string, field: string): string {
  return `${address} ${field}`;
}

export function isSetField({ kind }: Pick<SealedResource, 'kind'>, field: string): boolean {
  return fieldsOf[kind][field]?.set === true;
}

/** The place of the field in its declaration, whether it has it or not. */
export function entryOf({ resource, field }: Goal): Origin {
  return { ...resource.origin, pointer: resource.origin.pointer + pointerTo(field) };
}

/** Whether another environment takes the value from this place of almanac.yaml. Source files are the same for all. */
export function isSharedWithOthers(origin: Origin, { configFile, places, ...choice }: PlaceChoice): boolean {
  if (origin.file !== configFile) return false;
  const { environment, otherEnvironments } = choice;
  if (environment !== undefined) return !isWithin(origin.pointer, pointerTo('environments', environment));
  const isOwn = (name: string) => {
    const pointer = pointerTo('environments', name) + origin.pointer;
    return places.documents.valueAt({ ...origin, pointer }) !== undefined;
  };
  return !otherEnvironments.every(isOwn);
}

/** The goals of all fields that have their whole value from a place; undefined unless all changed alike. */
export function usersThatAgree(
  place: ValuePlace,
  goal: Goal,
  open: OpenGoals,
  { places }: Pick<PlaceChoice, 'places'>,
): readonly Goal[] | undefined {
  const uses = places.usesOf(place);
  if (place.kind === 'text-file' && uses.length > 1) return undefined;
  const goals = goalsOf(uses, open, (other) => isAlike(other, goal));
  if (goals === undefined) return undefined;
  const whole = new Set(
    uses.filter(({ path }) => path === '').map(({ resource, field }) => goalKey(resource.address, field)),
  );
  if (goals.size !== whole.size) return undefined;
  goals.set(goalKey(goal.resource.address, goal.field), goal);
  return [...goals.values()];
}

/** The goals of all uses, by goalKey; undefined unless all are wanted alike. */
export function goalsOf(
  uses: readonly Use[],
  open: OpenGoals,
  isWanted: (other: Goal) => boolean,
): Map<string, Goal> | undefined {
  const goals = new Map<string, Goal>();
  for (const use of uses) {
    const key = goalKey(use.resource.address, use.field);
    const other = open.get(key);
    if (other === undefined || !use.isWhole || !isWanted(other)) return undefined;
    goals.set(key, other);
  }
  return goals;
}

/** The goals of one field of all instances of a loop; undefined unless all changed alike. */
export function instancesThatAgree(goal: Goal, open: OpenGoals, choice: PlaceChoice): readonly Goal[] | undefined {
  const { resource, field } = goal;
  if (resource.item === undefined) return [goal];
  const goals = choice.instancesOf(resource.item.loop.address).map(({ address }) => open.get(goalKey(address, field)));
  return goals.every((other) => other !== undefined && isAlike(other, goal)) ? (goals as readonly Goal[]) : undefined;
}

function isAlike(a: Goal, b: Goal): boolean {
  return a.field === b.field && equalMeaning(a.value, b.value, isSetField(a.resource, a.field));
}
