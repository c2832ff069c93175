// In which environments a resource exists. Where it does not, nothing about it is checked but the names of its
// environments: a misspelt one would delete it everywhere.

import { groupOf, itemOf } from '../../model/values/address.ts';
import { Secret } from '../../model/values/secret.ts';
import type { Finding, Origin } from '../../model/workspace/diagnostic.ts';
import {
  type Absence,
  type Adoption,
  type Desired,
  environmentsIn,
  isInherited,
  type Loop,
  type Move,
  originOf,
  type Removal,
  type Resource,
} from '../../model/workspace/resource.ts';
import { didYouMean } from '../findings/suggest.ts';
import { wayFrom } from '../rules/moved-and-adopted.ts';

export interface Presence {
  /** The environment of this run; without one, every resource counts as present. */
  readonly name: string | undefined;
  /** Every environment; undefined where almanac.yaml cannot be read. */
  readonly known: readonly string[] | undefined;
}

export interface Split {
  readonly present: readonly Resource[];
  readonly absent: readonly Resource[];
  /** The loops that are absent, also those whose items cannot be read in this environment. */
  readonly loops: readonly Loop[];
  readonly findings: readonly Finding[];
}

export function splitByEnvironment(
  { resources, loops = [] }: { readonly resources: readonly Resource[]; readonly loops?: readonly Loop[] | undefined },
  { name, known }: Presence,
): Split {
  const limited = resources.filter(({ attributes }) => Object.hasOwn(attributes, 'in'));
  const absentLoops = loops.filter((loop) => name !== undefined && loop.in?.includes(name) === false);
  if (limited.length === 0) return { present: resources, absent: [], loops: absentLoops, findings: [] };
  const elsewhere = new Set(name === undefined ? [] : limited.filter((resource) => isElsewhere(resource, name)));
  return {
    present: resources.filter((resource) => !elsewhere.has(resource)),
    absent: [...elsewhere],
    loops: absentLoops,
    findings: known === undefined ? [] : unknownNames(limited, known),
  };
}

/** Where `in` is no list of names, which is an error, the resource counts as present. */
function isElsewhere({ attributes }: Resource, name: string): boolean {
  const names = environmentsIn(attributes['in']);
  return names !== undefined && !names.includes(name);
}

/** The resource with its environments apart from its attributes: the service and the state know nothing of them. */
export function withoutIn(resource: Resource): Resource {
  if (!Object.hasOwn(resource.attributes, 'in')) return resource;
  const { in: value, ...attributes } = resource.attributes;
  if (value === undefined || value instanceof Secret) return resource;
  return { ...resource, attributes, in: environmentsIn(value) };
}

/** The names in a default are reported once. */
function unknownNames(limited: readonly Resource[], known: readonly string[]): readonly Finding[] {
  const findings = new Map<string, Finding>();
  for (const resource of limited) {
    const { file, document, pointer } = originOf(resource, 'in');
    const address = resource.item?.loop.address ?? resource.address;
    for (const [index, name] of (environmentsIn(resource.attributes['in']) ?? []).entries()) {
      const place = { file, document, pointer: `${pointer}/${index}`, at: 'value' } as const;
      const key = JSON.stringify(place);
      if (known.includes(name) || findings.has(key)) continue;
      findings.set(key, {
        code: 'unknown-environment',
        message: `There is no environment \`${name}\` in almanac.yaml, so \`${address}\` would not exist where it was meant to.`,
        hint: didYouMean(name, known) ?? knownWords(known),
        ...(isInherited(resource, 'in') ? { concerns: address } : { address }),
        place,
      });
    }
  }
  return [...findings.values()];
}

function knownWords(known: readonly string[]): string {
  return known.length === 0 ? 'Declare it under `environments` in almanac.yaml.' : `Declared: ${known.join(', ')}.`;
}

interface Entries {
  readonly moves: readonly Move[];
  readonly adoptions: readonly Adoption[];
  readonly removals: readonly Removal[];
}

/** The entries that have an effect in this environment, and what is absent from it. */
export function entriesHere(
  entries: Entries,
  present: readonly Resource[],
  { absent, loops }: Pick<Split, 'absent' | 'loops'>,
): Omit<Desired, 'resources'> {
  if (absent.length === 0 && loops.length === 0) return entries;
  const { moves, adoptions, removals } = entries;
  const elsewhere = new Map<string, Absence>(absent.map((resource) => [resource.address, resource]));
  for (const { address, origin, line } of loops) elsewhere.set(address, { address, origin, line, attributes: {} });
  const absenceOf = (address: string) => elsewhere.get(address) ?? elsewhere.get(groupOf(address));
  const here = new Set(present.map(({ address }) => address));
  const next = new Map(moves.map(({ from, to }) => [from, to]));
  const former: Absence[] = [];
  const leftOut: Origin[] = [];
  const movesHere = moves.filter((move) => {
    // The first declared address on the way.
    const to = wayFrom(move.to, next).find((address) => here.has(address) || absenceOf(address) !== undefined);
    const end = to === undefined ? undefined : absenceOf(to);
    if (end === undefined) return true;
    leftOut.push(move.origin);
    if (!here.has(move.from) && absenceOf(move.from) === undefined)
      former.push({ ...end, address: move.from, attributes: {} });
    return false;
  });
  const adoptionsHere = adoptions.filter(({ to, origin }) => {
    const isHere = absenceOf(to) === undefined;
    if (!isHere) leftOut.push(origin);
    return isHere;
  });
  return {
    moves: movesHere,
    adoptions: adoptionsHere,
    removals,
    absent: [...elsewhere.values(), ...former],
    leftOut,
  };
}

/** Without the entries about instances of absent loops that only another environment knows. */
export function knownEntries<E extends Pick<Entries, 'moves' | 'adoptions'>>(
  entries: E,
  { absent, loops }: Pick<Split, 'absent' | 'loops'>,
): E {
  if (loops.length === 0) return entries;
  const known = new Set(absent.map(({ address }) => address));
  const isKnown = ({ to }: { readonly to: string }) =>
    itemOf(to) === undefined || known.has(to) || !loops.some(({ address }) => address === groupOf(to));
  return { ...entries, moves: entries.moves.filter(isKnown), adoptions: entries.adoptions.filter(isKnown) };
}

/** Whether there is an environment in which both exist. */
export function mayMeet(a: Resource, b: Resource): boolean {
  return a.in === undefined || b.in === undefined || a.in.some((name) => b.in?.includes(name));
}
