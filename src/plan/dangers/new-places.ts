// Places that receive something for the first time: those that no tracked resource delivers to. A place that is adopted
// counts as new, because a plan takes the declaration's word for it.

import { type Danger, type DangerCode, dangerGravity } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import { kindOf } from '../../model/values/address.ts';
import { type PlaceKind, placesOf } from './destinations.ts';
import { counted, foldedItems, makeFound } from './folded.ts';
import { insideTest, namingWay } from './inside-test.ts';
import type { Tracked } from './tracked.ts';

interface NewPlace {
  readonly code: DangerCode;
  readonly kind: PlaceKind;
  /** Undefined where inside and outside make no difference. */
  readonly inside?: boolean;
  readonly one: string;
  readonly several: string;
}

const table: readonly NewPlace[] = [
  { code: 'outside-domain', kind: 'domain', inside: false, one: 'domain', several: 'domains' },
  { code: 'outside-host', kind: 'host', inside: false, one: 'host', several: 'hosts' },
  { code: 'new-bucket', kind: 'bucket', one: 'bucket', several: 'buckets' },
  { code: 'new-aws-account', kind: 'account', one: 'AWS account', several: 'AWS accounts' },
  { code: 'inside-domain', kind: 'domain', inside: true, one: 'inside domain', several: 'inside domains' },
  { code: 'inside-host', kind: 'host', inside: true, one: 'inside host', several: 'inside hosts' },
  { code: 'new-slack-channel', kind: 'channel', one: 'Slack channel', several: 'Slack channels' },
];

export function newPlaces(
  changes: readonly Change[],
  known: () => KnownPlaces,
  internalDomains: readonly string[],
): readonly Danger[] {
  const fresh = changes.flatMap(({ address, action, kind, after }) =>
    (after === null ? [] : placesOf(kind, after))
      .filter((place) => !known()[place.kind].has(place.name))
      .map((place) => ({ address, place, isAdopted: action === 'adopt' })),
  );
  const isInside = insideTest(internalDomains);
  return table.map(({ code, kind, inside, one, several }) => {
    const ofCode = fresh.filter(
      ({ place }) => place.kind === kind && (inside === undefined || isInside(place.name) === inside),
    );
    const found = makeFound(ofCode.map(({ address, place }) => [place.name, address] as const));
    // Nobody knows what is outside until almanac.yaml says what is inside.
    const isUnknown = inside === false && internalDomains.length === 0;
    const outside = inside === false && !isUnknown ? 'outside ' : '';
    const hint = isUnknown && kind === 'domain' ? `. To see what is outside, ${namingWay}` : '';
    const receive = counted(found.size, `${outside}${one} receives`, `${outside}${several} receive`);
    const what = ofCode.every(({ isAdopted }) => isAdopted) ? 'what is adopted' : 'something for the first time';
    return { code, gravity: dangerGravity[code], title: `${receive} ${what}${hint}`, items: foldedItems(found) };
  });
}

export type KnownPlaces = Readonly<Record<PlaceKind, ReadonlySet<string>>>;

export function knownPlaces(tracked: Tracked): KnownPlaces {
  const known = {
    domain: new Set<string>(),
    host: new Set<string>(),
    bucket: new Set<string>(),
    account: new Set<string>(),
    channel: new Set<string>(),
  };
  for (const [address, attributes] of tracked)
    for (const { kind, name } of placesOf(kindOf(address) ?? 'schedule', attributes)) known[kind].add(name);
  return known;
}
