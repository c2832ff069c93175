// Which findings concern the environment of this run. What exists elsewhere only is judged there, and a secret that a sink
// replaced is not needed.

import { isWithin } from '../../model/values/pointer.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { type Desired, originOf } from '../../model/workspace/resource.ts';
import type { Origin } from '../../model/workspace/source-file.ts';

export function findingsHere(findings: readonly Finding[], { resources, absent = [] }: Desired): readonly Finding[] {
  const replaced = resources.flatMap((resource) =>
    resource.sink === undefined ? [] : Object.keys(resource.sink.declared).map((field) => originOf(resource, field)),
  );
  if (replaced.length === 0 && absent.length === 0) return findings;
  const unneeded = placesOf(replaced);
  const elsewhere = placesOf(absent.map(({ origin }) => origin));
  return findings.filter(
    (finding) =>
      !(finding.code === 'missing-variable' && isAt(finding, unneeded)) &&
      !(ofReferences.has(finding.code) && isAt(finding, elsewhere)),
  );
}

/** What the values of an environment decide: variables and files need not exist where the resource does not. */
const ofReferences: ReadonlySet<Finding['code']> = new Set<Finding['code']>([
  'unknown-variable',
  'missing-variable',
  'unreadable-reference',
  'reference-outside',
  'reference-private',
]);

type Places = ReadonlyMap<string, readonly Origin[]>;

function placesOf(origins: readonly Origin[]): Places {
  const places = new Map<string, Origin[]>();
  for (const origin of origins) {
    const known = places.get(origin.file);
    if (known === undefined) places.set(origin.file, [origin]);
    else known.push(origin);
  }
  return places;
}

function isAt({ place }: Finding, places: Places): boolean {
  if (place === undefined || !('pointer' in place)) return false;
  const { file, document, pointer } = place;
  return (places.get(file) ?? []).some((origin) => origin.document === document && isWithin(pointer, origin.pointer));
}
