// The facts that dangers are judged against. They are what was applied, which places it goes to, and whose these are; and every
// schedule before and after the plan. Most plans compare nothing with them, so they are made when the first danger asks.

import type { RowRules } from '../../declare/rows/judge-rows.ts';
import type { DashboardFinding } from '../../declare/rows/on-dashboards.ts';
import type { Permissions } from '../../declare/rows/permissions.ts';
import { type Delivery, deliveryOf } from '../../model/fields/delivery.ts';
import type { Receiver } from '../../model/fields/receiver.ts';
import type { CheckoutPosition } from '../../model/plan/checkout-position.ts';
import type { FoundDanger } from '../../model/plan/danger.ts';
import type { GonePart } from '../../model/plan/observation.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { groupsOf, type State, type StateResource, trackedAt } from '../../model/plan/state.ts';
import { type Address, deliversDashboard, kindAt } from '../../model/values/address.ts';
import { once } from '../../model/values/collections.ts';
import { domainOf, insideTest } from '../../model/values/domains.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { FollowingSchedule } from '../dashboard-filters.ts';
import type { EndedDelivery } from '../ended-lines.ts';
import type { PlanResult, Step } from '../plan.ts';
import { sendsDeclaration } from '../requests.ts';

export interface DangerContext {
  readonly state: State | undefined;
  /** The company's own domains, in lower case; if the list is empty, every domain counts as outside. */
  readonly internalDomains: readonly string[];
  readonly standing?: CheckoutPosition;
  /** True if the check `recipient-not-inside` is on, and judges who really receives. */
  readonly judgesRecipients?: boolean;
  /** Absent if nothing says whose rows are whose, or if a sink replaces whoever receives them. */
  readonly rows?: RowRules | undefined;
  /** The deliveries that go on although their line of the table has ended. */
  readonly ended?: readonly EndedDelivery[];
  /** The findings about the filters of reports on the dashboards that a look has read. */
  readonly dashboards?: readonly DashboardFinding[];
  /** What a look found gone of what reports show or watch. */
  readonly gone?: readonly GonePart[] | undefined;
  /** The table of the base branch; undefined where nobody has read it. */
  readonly baseRows?: Permissions | undefined;
  /** How the files differ from the base branch. */
  readonly fromBase?: readonly FoundDanger[] | undefined;
}

/** A schedule that is tracked or planned, as the plan finds it and leaves it. */
export interface Report extends FollowingSchedule {
  /** The same as `before`, but undefined for an adopted report: no plan has shown it yet. */
  readonly known: Delivery | undefined;
}

export interface World extends DangerContext {
  readonly judgesRecipients: boolean;
  readonly standing: CheckoutPosition;
  readonly plan: Plan;
  /** Everything that the state holds, read again each time: nobody keeps all of it. */
  readonly applied: () => Iterable<readonly [Address, Delivery]>;
  readonly appliedAt: (address: Address) => Delivery | undefined;
  /** The delivery before a change: as a look saw it in Omni, otherwise as it was applied, even if it is gone from Omni. */
  readonly shownBefore: (step: Step) => Delivery | undefined;
  /** The reports that the plan changes. */
  readonly planned: () => readonly Report[];
  /** Every report, to compare those of one dashboard with each other. */
  readonly reports: () => readonly Report[];
  /** The places that the applied deliveries go to. */
  readonly knownPlaces: () => ReadonlySet<string>;
  /** True if a domain or a host is the company's own. */
  readonly isInside: (name: string) => boolean;
  readonly mayLeave: (receiver: Receiver) => boolean;
  /**
   * True if the delivery may leave the company. Nobody can tell whose a bucket is, so it counts as outside; a Slack channel is
   * ours, and so is a user group of which the last read saw nobody outside.
   */
  readonly isOutside: (delivery: Delivery) => boolean;
}

export type DangerRule = (steps: readonly Step[], world: World) => readonly FoundDanger[];

export function worldOf({ plan, steps }: Pick<PlanResult, 'plan' | 'steps'>, context: DangerContext): World {
  const { state, internalDomains, standing = {}, judgesRecipients = false } = context;
  const groups = groupsOf(state);
  const read = (address: Address, { attributes }: StateResource) => deliveryOf(kindAt(address), attributes, groups);
  function* applied(): Iterable<readonly [Address, Delivery]> {
    for (const [address, resource] of Object.entries(state?.resources ?? {})) yield [address, read(address, resource)];
  }
  const isInside = insideTest(internalDomains);
  const mayLeave = (receiver: Receiver) =>
    receiver.group?.outside === true ||
    placesIn(receiver).some(({ kind, name }) => isPlaceOutside[kind](isInside(name)));
  const appliedAt = (address: Address) => {
    const resource = trackedAt(state, address);
    return resource && read(address, resource);
  };
  const shownBefore = ({ change: { address, previousAddress = address, reason }, delivered }: Step) =>
    delivered().before ?? (reason === 'missing' ? appliedAt(previousAddress) : undefined);
  // A resource that a replacement left has an address that another schedule has now.
  const own = steps.filter(({ change: { kind, reason } }) => deliversDashboard(kind) && reason !== 'replaced');
  const planned = once(() => own.map((step) => plannedReport(step, shownBefore(step))));
  return {
    ...context,
    plan,
    standing,
    judgesRecipients,
    applied,
    appliedAt,
    shownBefore,
    planned,
    reports: once(() => {
      const changing = new Set(own.map(({ change: { address, previousAddress = address } }) => previousAddress));
      const all = [...planned()];
      for (const [address, delivery] of applied())
        if (deliversDashboard(kindAt(address)) && !changing.has(address))
          all.push({
            address,
            before: delivery,
            known: delivery,
            after: delivery,
            unread: trackedAt(state, address)?.unread ?? [],
          });
      return all;
    }),
    knownPlaces: once(() => {
      const known = new Set<string>();
      for (const [, delivery] of applied()) for (const place of placesOf(delivery)) known.add(placeKey(place));
      return known;
    }),
    isInside,
    mayLeave,
    isOutside: ({ to, inExtra }) => to.some(mayLeave) || inExtra.some(mayLeave),
  };
}

function plannedReport(step: Step, before: Delivery | undefined): Report {
  const { change, delivered, unread = [], calls } = step;
  const { address, action } = change;
  const { after } = delivered();
  // It is there before the plan, and its filters may be the dashboard's, whatever is declared: nothing is sent for it.
  if (action === 'adopt') return { address, before: after, known: undefined, after, unread: allUnread(after) };
  const isSent = sendsDeclaration(calls);
  return { address, before, known: before, after, unread, isSent };
}

function allUnread(delivery: Delivery | undefined): readonly string[] {
  return [...(delivery?.rows.keys() ?? [])].map((id) => pointerTo('filterConfig', id));
}

const isPlaceOutside: Readonly<Record<ReviewedPlace['kind'], (isInside: boolean) => boolean>> = {
  domain: (isInside) => !isInside,
  host: (isInside) => !isInside,
  bucket: () => true,
  account: () => true,
  channel: () => false,
};

/** A place that a reviewer knows as ours or not, whoever is there. */
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

/** Two places are the same one if their keys are equal. */
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
