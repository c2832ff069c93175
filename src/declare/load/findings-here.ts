// Which findings concern the environment of this run. What exists elsewhere only is judged there, and a secret that a sink
// replaced is not needed.

import { groupOf } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { isWithin, pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import type { Finding, Origin } from '../../model/workspace/diagnostic.ts';
import { audiencesIn } from '../../model/workspace/origins.ts';
import { type Absence, type Audiences, type Desired, originOf, type Resource } from '../../model/workspace/resource.ts';

export function findingsHere(
  findings: readonly Finding[],
  { resources, absent = [] }: Desired,
  audiences: Audiences,
): readonly Finding[] {
  if (findings.length === 0) return findings;
  const replaced = replacedIn(resources);
  if (replaced.fields.length === 0 && absent.length === 0) return findings;
  const unneeded = placesOf(replaced.fields);
  const elsewhere = placesOf([
    ...absent.map(({ origin }) => origin),
    ...defaultsElsewhere(resources, absent),
    ...audiencesElsewhere(resources, absent, audiences),
  ]);
  const addresses = new Set(absent.map(({ address }) => address));
  const isElsewhere = (finding: Finding) =>
    isAt(finding, elsewhere) ||
    (finding.address !== undefined && (addresses.has(finding.address) || addresses.has(groupOf(finding.address))));
  return findings.filter(
    (finding) =>
      !(finding.code === 'missing-variable' && isUnneeded(finding, replaced.values, unneeded)) &&
      !(ofValues.has(finding.code) && isElsewhere(finding)),
  );
}

/** What the values of an environment decide: where the resource does not exist, nobody needs them. */
const ofValues: ReadonlySet<Finding['code']> = new Set<Finding['code']>([
  'unknown-variable',
  'missing-variable',
  'unreadable-reference',
  'reference-outside',
  'reference-private',
  'for-each-list',
  'for-each-key',
  'for-each-missing',
  'for-each-unused',
  'for-each-empty',
  'for-each-many',
  'for-each-rows',
  'not-interpolated',
  'unknown-audience',
  'audience-incomplete',
]);

interface Replaced {
  /** The fields that sinks replaced, as they are declared. */
  readonly fields: readonly Origin[];
  /** The same by the address of the resource, for values that stand elsewhere, such as in the item of a loop. */
  readonly values: ReadonlyMap<string, Resource>;
}

function replacedIn(resources: readonly Resource[]): Replaced {
  const values = new Map<string, Resource>();
  const fields = resources.flatMap((resource) => {
    if (resource.sink === undefined) return [];
    values.set(resource.address, resource);
    return Object.keys(resource.sink.declared).map((field) => originOf(resource, field));
  });
  return { fields, values };
}

/** At a replaced field, or at the value of an item that such a field takes over as a whole. */
function isUnneeded(finding: Finding, values: Replaced['values'], unneeded: Places): boolean {
  if (isAt(finding, unneeded)) return true;
  const resource = finding.address === undefined ? undefined : values.get(finding.address);
  if (resource === undefined) return false;
  return finding.related?.some(({ place }) => isAt({ ...finding, place }, unneeded)) === true;
}

/** The defaults of files in which everything of a kind is declared for other environments. */
function defaultsElsewhere(resources: readonly Resource[], absent: readonly Absence[]): readonly Origin[] {
  const sectionOf = (origin: Origin) => JSON.stringify([origin.file, pointerSegments(origin.pointer)[0]]);
  const here = new Set(resources.map(({ origin }) => sectionOf(origin)));
  return absent
    .filter(({ origin }) => !here.has(sectionOf(origin)))
    .map(({ origin }) => ({ ...origin, pointer: pointerTo('defaults', pointerSegments(origin.pointer)[0] ?? '') }));
}

/** The audiences that only absent resources use. */
function audiencesElsewhere(
  resources: readonly Resource[],
  absent: readonly Absence[],
  audiences: Audiences,
): readonly Origin[] {
  if (audiences.size === 0) return [];
  const here = namesIn(resources);
  return [...namesIn(absent)].flatMap((name) => (here.has(name) ? [] : (audiences.get(name)?.origin ?? [])));
}

function namesIn(users: readonly Pick<Resource, 'origins'>[]): ReadonlySet<string> {
  return new Set(users.flatMap(({ origins }) => audiencesIn(origins)));
}

type Places = ReadonlyMap<string, readonly Origin[]>;

function placesOf(origins: readonly Origin[]): Places {
  return groupBy(origins, ({ file }) => file);
}

function isAt({ place }: Finding, places: Places): boolean {
  if (place === undefined || !('pointer' in place)) return false;
  const { file, document, pointer } = place;
  return (places.get(file) ?? []).some((origin) => origin.document === document && isWithin(pointer, origin.pointer));
}
