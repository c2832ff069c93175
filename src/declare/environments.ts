// What keeps environments apart: in which of them a resource exists (`in`, and `skip` in `deliver`), and to whom it
// delivers there (`deliver`). Where a resource does not exist, nothing about it is checked but the names of its
// environments: a misspelt one would delete it everywhere.

import { groupOf, itemOf } from '../model/values/address.ts';
import { Secret } from '../model/values/secret.ts';
import type { Config } from '../model/workspace/config.ts';
import type { Finding, Origin } from '../model/workspace/diagnostic.ts';
import { endFinder } from '../model/workspace/move-ways.ts';
import {
  type Absence,
  type Adoption,
  type Desired,
  destinationOf,
  environmentsIn,
  isInherited,
  type Loop,
  type Move,
  originOf,
  type Removal,
  type Resource,
} from '../model/workspace/resource.ts';
import { environmentHint } from './findings/suggest.ts';

interface Presence extends Pick<Config, 'deliver'> {
  /** The environment of this run; without one, every resource counts as present. */
  readonly name: string | undefined;
  /** Every environment; undefined where almanac.yaml cannot be read. */
  readonly known: readonly string[] | undefined;
}

interface Split {
  readonly present: readonly Resource[];
  readonly absent: readonly Resource[];
  /** The loops that are absent, also those whose items cannot be read in this environment. */
  readonly loops: readonly Loop[];
  /** How many of the absent only `skip` in `deliver` leaves out. */
  readonly skipped: number;
  readonly findings: readonly Finding[];
}

export function splitByEnvironment(
  { resources, loops = [] }: { readonly resources: readonly Resource[]; readonly loops?: readonly Loop[] | undefined },
  { name, known, deliver }: Presence,
): Split {
  const limited = resources.filter(({ attributes }) => Object.hasOwn(attributes, 'in'));
  const isSkipped = (destination: Loop['destination']) =>
    destination !== undefined && deliver?.skips?.includes(destination) === true;
  const absentLoops = loops.filter(
    (loop) => (name !== undefined && loop.in?.includes(name) === false) || isSkipped(loop.destination),
  );
  const elsewhere = new Set(name === undefined ? [] : limited.filter((resource) => isElsewhere(resource, name)));
  const skipped =
    deliver?.skips === undefined
      ? []
      : resources.filter((resource) => !elsewhere.has(resource) && isSkipped(destinationOf(resource)));
  const absent = new Set([...elsewhere, ...skipped]);
  return {
    present: absent.size === 0 ? resources : resources.filter((resource) => !absent.has(resource)),
    absent: [...absent],
    loops: absentLoops,
    skipped: skipped.length,
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
        hint: environmentHint(name, known),
        ...(isInherited(resource, 'in') ? { concerns: address } : { address }),
        place,
      });
    }
  }
  return [...findings.values()];
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
  { absent, loops, skipped }: Omit<Split, 'present' | 'findings'>,
): Omit<Desired, 'resources'> {
  if (absent.length === 0 && loops.length === 0) return entries;
  const { moves, adoptions, removals } = entries;
  const elsewhere = new Map<string, Absence>(absent.map((resource) => [resource.address, resource]));
  for (const { address, origin, line } of loops) elsewhere.set(address, { address, origin, line, attributes: {} });
  const absenceOf = (address: string) => elsewhere.get(address) ?? elsewhere.get(groupOf(address));
  const here = new Set(present.map(({ address }) => address));
  const next = new Map(moves.map(({ from, to }) => [from, to]));
  const endOf = endFinder(next, (address) => here.has(address) || absenceOf(address) !== undefined);
  const former: Absence[] = [];
  const leftOut: Origin[] = [];
  const movesHere = moves.filter((move) => {
    // The first declared address on the way.
    const to = endOf(move.to);
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
    ...(skipped === 0 ? {} : { skipped }),
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
