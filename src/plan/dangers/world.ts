// What dangers are judged against: what was applied, which places it goes to, and whose these are. Most plans compare nothing
// with it, so it is made when the first danger asks.

import type { RowRules } from '../../declare/rows/judge-rows.ts';
import type { Permissions } from '../../declare/rows/permissions.ts';
import { type Delivery, deliveryOf } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import type { FoundDanger } from '../../model/plan/danger.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Standing } from '../../model/plan/standing.ts';
import { groupsOf, type State, type StateResource, trackedAt } from '../../model/plan/state.ts';
import { type Address, kindAt } from '../../model/values/address.ts';
import { domainOf, insideTest } from '../../model/values/domains.ts';
import { once } from '../../model/values/memoize.ts';
import type { Step } from '../plan.ts';

export interface DangerContext {
  readonly state: State | undefined;
  /** In lower case; where there are none, every domain counts as outside. */
  readonly internalDomains: readonly string[];
  readonly standing?: Standing;
  /** Whether the check `recipient-not-inside` is on, and judges who really receives. */
  readonly judgesRecipients?: boolean;
  /** Undefined where nothing says whose rows are whose, or where a sink replaces whoever receives them. */
  readonly rows?: RowRules | undefined;
  /** The table of the base branch; undefined where nobody has read it. */
  readonly baseRows?: Permissions | undefined;
}

export interface World extends DangerContext {
  readonly judgesRecipients: boolean;
  readonly standing: Standing;
  readonly plan: Plan;
  /** Everything that the state holds, read again each time: nobody keeps all of it. */
  readonly applied: () => Iterable<readonly [Address, Delivery]>;
  readonly appliedAt: (address: Address) => Delivery | undefined;
  /** Where that goes. */
  readonly knownPlaces: () => ReadonlySet<string>;
  /** Of a domain or a host. */
  readonly isInside: (name: string) => boolean;
  /**
   * Whether what is delivered may leave the company. Nobody can tell whose a bucket is, so it counts as outside; a Slack
   * channel is ours, and so is a user group of which the last read saw nobody outside.
   */
  readonly isOutside: (delivery: Delivery) => boolean;
}

/** One kind of danger, of all steps. */
export type DangerRule = (steps: readonly Step[], world: World) => readonly FoundDanger[];

export function worldOf(plan: Plan, context: DangerContext): World {
  const { state, internalDomains, standing = {}, judgesRecipients = false } = context;
  const groups = groupsOf(state);
  const read = (address: Address, { attributes }: StateResource) => deliveryOf(kindAt(address), attributes, groups);
  function* applied(): Iterable<readonly [Address, Delivery]> {
    for (const [address, resource] of Object.entries(state?.resources ?? {})) yield [address, read(address, resource)];
  }
  const isInside = insideTest(internalDomains);
  const mayLeave = (receiver: Receiver) =>
    receiver.group?.outside || placesIn(receiver).some(({ kind, name }) => isPlaceOutside[kind](isInside(name)));
  return {
    ...context,
    plan,
    standing,
    judgesRecipients,
    applied,
    appliedAt: (address) => {
      const resource = trackedAt(state, address);
      return resource && read(address, resource);
    },
    knownPlaces: once(() => {
      const known = new Set<string>();
      for (const [, delivery] of applied()) for (const place of placesOf(delivery)) known.add(placeKey(place));
      return known;
    }),
    isInside,
    isOutside: ({ to, inExtra }) => to.some(mayLeave) || inExtra.some(mayLeave),
  };
}

const isPlaceOutside: Readonly<Record<ReviewedPlace['kind'], (isInside: boolean) => boolean>> = {
  domain: (isInside) => !isInside,
  host: (isInside) => !isInside,
  bucket: () => true,
  account: () => true,
  channel: () => false,
};

/** What a reviewer knows as ours or not, whoever is there. */
export interface ReviewedPlace {
  readonly kind: 'domain' | 'host' | 'bucket' | 'account' | 'channel';
  readonly name: string;
  /** Another one on the same server is another place. */
  readonly path?: string | undefined;
}

/** Each once, however many people of it receive something. */
export function placesOf({ to, inExtra }: Delivery): readonly ReviewedPlace[] {
  const places = new Map<string, ReviewedPlace>();
  for (const receivers of [to, inExtra])
    for (const receiver of receivers) for (const place of placesIn(receiver)) places.set(placeKey(place), place);
  return [...places.values()];
}

/** What makes two places the same one. */
export function placeKey({ kind, name, path = '' }: ReviewedPlace): string {
  return `${kind} ${name}${path}`;
}

export function placesIn({ kind, shown, isHidden, isPerson, path, account }: Receiver): readonly ReviewedPlace[] {
  if (isHidden) return [];
  const placed = (at: ReviewedPlace['kind'], name: string | undefined): readonly ReviewedPlace[] =>
    name === undefined ? [] : [{ kind: at, name }];
  switch (kind) {
    case 'email':
      return placed('domain', domainOf(shown));
    case 'group':
      return [];
    case 'slack':
      return isPerson ? [] : placed('channel', shown);
    case 'webhook':
      return placed('host', shown);
    case 'sftp':
      return [{ kind: 'host', name: shown, path }];
    case 's3':
      return [...placed('bucket', shown), ...placed('account', account)];
  }
}
