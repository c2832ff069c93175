// A declared resource after defaults, interpolation and validation: what the rest of Almanac means by "desired".

import type { Destination } from '../fields/field.ts';
import type { Address, Kind } from '../values/address.ts';
import type { JsonObject, JsonScalar } from '../values/json.ts';
import { pointerTo } from '../values/pointer.ts';
import { Secret } from '../values/secret.ts';
import type { Origin } from './diagnostic.ts';
import { type LocatedPlace, type Origins, placeIn, sourceOf, type ValueGiver, type ValueIn } from './origins.ts';

/** A declared value: JSON in which secret texts are Secrets. */
export type Declared = JsonScalar | Secret | readonly Declared[] | DeclaredObject;
export interface DeclaredObject {
  readonly [key: string]: Declared;
}

export interface Resource {
  readonly kind: Kind;
  readonly address: Address;
  /** The fields as declared, under the API's names. */
  readonly attributes: DeclaredObject;
  readonly origin: Origin;
  /** The line of its key, from 1; for an instance of a loop the line of its item, which may be in another file. */
  readonly line: number;
  /** The origins of values that do not simply appear in it; absent if all do. */
  readonly origins?: Origins | undefined;
  /** The item from which an instance of a loop was made. `origin` is the declaration, which all instances share. */
  readonly item?: Item;
  /** The only environments in which it exists; undefined for all. */
  readonly in?: readonly string[];
  readonly sink?: Sink;
  /** By id: the filters of defaults that its map of filters leaves out, until it is known which of them are joined. */
  readonly leftOut?: ReadonlyMap<string, LeftOutFilter> | undefined;
}

export interface LeftOutFilter {
  readonly value: Declared;
  readonly giver: ValueGiver;
  /** The dashboard of the default that gives it. */
  readonly identifier: Declared | undefined;
}

/**
 * A declaration that stands for many resources: one for each item of a map (`forEach`) or each row of a CSV file
 * (`forEachRow`).
 */
export interface Loop {
  readonly kind: Kind;
  /** `schedules.regional-sales`. */
  readonly address: Address;
  /** The declaration. */
  readonly origin: Origin;
  /** The line of its key, from 1. */
  readonly line: number;
  /** The keys of its items, in the order of the file, which has no meaning. */
  readonly keys: readonly string[];
  /** The only environments in which it exists; undefined for all. */
  readonly in?: readonly string[];
  /** The destination of all its instances; undefined if they differ, or if they deliver nothing. */
  readonly destination?: Destination | undefined;
  /** Only for a loop over a CSV file. */
  readonly rows?: RowChoice | undefined;
}

/** The rows of a CSV file that a loop takes, by column, and the texts that it reads in place of blank cells. */
export interface RowChoice {
  /** The path of the table, from the workspace. */
  readonly file: string;
  /** The column of the keys. */
  readonly key: string;
  readonly only: ReadonlyMap<string, readonly string[]>;
  readonly except: ReadonlyMap<string, readonly string[]>;
  readonly empty: ReadonlyMap<string, string>;
  /** The rows that the loop leaves out, by their keys: the place of the cell that decides it, and its text. */
  readonly leftOut?: ReadonlyMap<string, LeftOutRow>;
}

interface LeftOutRow {
  readonly line: number;
  readonly column: string;
  readonly text: string;
}

/** The item from which one instance of a loop is made. */
export interface Item {
  readonly key: string;
  /** The entry of the map, or the row: the pointer into a CSV file is the number of the row and the name of the column. */
  readonly origin: Origin;
  readonly loop: Loop;
  /** A row's cells, keyed by column; undefined for items that are not rows of a table. */
  readonly cells?: JsonObject | undefined;
}

/** A sink of the environment has replaced those who are declared. What is sent, and recorded, are the attributes. */
export interface Sink<D = DeclaredObject> {
  /** The name of the environment. */
  readonly environment: string;
  /** The fields that it replaced, as they are declared. */
  readonly declared: D;
}

/** The attributes as they are declared: what a sink has replaced is put back. */
export function declaredAttributes<D>(resource: { readonly attributes: D; readonly sink?: Sink<D> }): D {
  return resource.sink === undefined ? resource.attributes : { ...resource.attributes, ...resource.sink.declared };
}

/** The holder of a field: the resource, or the default that provided it. */
export function heldField({ origin, origins }: Pick<Resource, 'origin' | 'origins'>, field: string): HeldField {
  const at = pointerTo(field);
  const giver = sourceOf(origins, at);
  const { place } = giver ?? {};
  return place?.kind === 'default' || place?.kind === 'resource'
    ? { at, ...giver, place }
    : { place: { kind: 'resource', origin }, origins, at };
}

type HeldField = ValueIn<Extract<LocatedPlace, { readonly kind: 'resource' | 'default' }>>;

/** The place of a field: in the resource, or in the default that provided it. */
export function originOf(resource: Pick<Resource, 'origin' | 'origins'>, field: string): Origin {
  return placeIn(heldField(resource, field)).origin;
}

/** True if a default provided a field. */
export function isInherited(resource: Pick<Resource, 'origin' | 'origins'>, field: string): boolean {
  return heldField(resource, field).place.kind === 'default';
}

/** A resource as the planner sees it: secrets are fingerprints. */
export interface SealedResource extends Omit<Resource, 'attributes' | 'sink'> {
  readonly attributes: JsonObject;
  readonly sink?: Sink<JsonObject>;
}

/** An entry of `moved`, `adopt` or `removed`. */
export interface Move {
  readonly from: Address;
  readonly to: Address;
  readonly origin: Origin;
  /** The move as written, if the entry moves a whole loop: this is the move of one of its instances. */
  readonly group?: { readonly from: Address; readonly to: Address };
}
export interface Adoption {
  readonly to: Address;
  readonly id: string;
  readonly origin: Origin;
  /** The only environments in which it takes effect; all if undefined. */
  readonly in?: readonly string[] | undefined;
}
export interface Removal {
  readonly from: Address;
  readonly origin: Origin;
  /** As of an adoption. */
  readonly in?: readonly string[] | undefined;
}

/** The environments that `in` names; undefined for what is not a list of names. */
export function environmentsIn(value: Declared | undefined): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const list: readonly Declared[] = value;
  const names = list.flatMap((each) => (typeof each === 'string' ? each : []));
  return names.length === list.length ? names : undefined;
}

/** True if there is an environment in which both exist, or take effect. */
export function meet({ in: a }: Pick<Resource, 'in'>, { in: b }: Pick<Resource, 'in'>): boolean {
  return a === undefined || b === undefined || a.some((name) => b.includes(name));
}

/** Everything that a workspace declares. */
export interface Desired<R = Resource> {
  readonly resources: readonly R[];
  readonly moves: readonly Move[];
  readonly adoptions: readonly Adoption[];
  readonly removals: readonly Removal[];
  /** The declarations with `forEach` or `forEachRow`, even those without an item; absent if there are none. */
  readonly loops?: readonly Loop[];
  /** The resources that exist only in other environments, under their present and former addresses. */
  readonly absent?: readonly Absence[];
  /** The number of these that only `skip` in `deliver` leaves out; absent for none. */
  readonly skipped?: number;
  /** The entries about absent resources, which have no effect in this environment. */
  readonly leftOut?: readonly Origin[];
}

/** An address whose resource does not exist in this environment. */
export interface Absence extends Pick<Resource, 'address' | 'origin' | 'line' | 'item' | 'origins'> {
  /** Empty for a former address. */
  readonly attributes: DeclaredObject;
}

export const nothingDeclared: Desired = { resources: [], moves: [], adoptions: [], removals: [] };

/**
 * An audience: people who receive reports together, with an owner of their own. It is no resource: nothing of it reaches
 * Omni but through the schedules that use it.
 */
export const audienceSection = 'audiences';

export interface Audience {
  readonly name: string;
  /** `emails`, `slack` and `note` as declared, with references resolved. */
  readonly attributes: DeclaredObject;
  readonly origin: Origin;
  /** The line of its key, from 1. */
  readonly line: number;
  readonly origins?: Origins;
  /** It is not a map, which is reported, so nothing is known about it. */
  readonly isMisshapen?: boolean;
}

/** The audiences by name. */
export type Audiences = ReadonlyMap<string, Audience>;

export const noAudiences: Audiences = new Map();

/** Finds secrets without map-leaves.ts, which follows the path to each value: most workspaces have no secret. */
export function secretsIn(values: readonly DeclaredObject[]): readonly Secret[] {
  const secrets: Secret[] = [];
  const visit = (value: Declared): void => {
    if (typeof value !== 'object' || value === null) return;
    if (value instanceof Secret) secrets.push(value);
    else if (Array.isArray(value)) for (const entry of value) visit(entry);
    else for (const key in value) visit((value as DeclaredObject)[key] as Declared);
  };
  for (const attributes of values) visit(attributes);
  return secrets;
}

// Reads and replaces `paused` and `userGroups` in the attributes of a resource.

export function isPaused(attributes: JsonObject | undefined): boolean {
  return attributes?.['paused'] === true;
}

export function withPaused({ paused: _, ...rest }: JsonObject, paused: boolean): JsonObject {
  return paused ? { ...rest, paused: true } : rest;
}

/** The groups as they are declared: names or ids. */
export function userGroupsIn({ userGroups }: JsonObject): readonly string[] {
  return Array.isArray(userGroups) ? userGroups.filter((each): each is string => typeof each === 'string') : [];
}

export function withUserGroups({ userGroups: _, ...rest }: JsonObject, names: readonly string[]): JsonObject {
  return names.length === 0 ? rest : { ...rest, userGroups: names };
}
