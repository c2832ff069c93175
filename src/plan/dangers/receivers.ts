// Dangers in who receives something, who no longer does, and whose rights are used. A place counts as known where a tracked
// resource delivers to it; a place of an adopted resource counts as new, because a plan takes the word of the declaration for
// what is adopted.

import { type Delivery, peopleAt } from '../../model/fields/delivery.ts';
import { idKey } from '../../model/fields/ids.ts';
import { type Receiver, shownNames } from '../../model/fields/receiver.ts';
import { actions } from '../../model/plan/action.ts';
import { concernedBySubject, type DangerCode, type FoundDanger, foldedItems } from '../../model/plan/danger.ts';
import type { Change } from '../../model/plan/plan.ts';
import { type Address, kinds, kindsInWords } from '../../model/values/address.ts';
import { once } from '../../model/values/collections.ts';
import { domainOf } from '../../model/values/domains.ts';
import { isWithin } from '../../model/values/pointer.ts';
import { sensitive } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import type { Step } from '../plan.ts';
import { type DangerRule, placeKey, placesIn, placesOf, type ReviewedPlace } from './world.ts';

interface NewPlace {
  readonly code: 'reaches-outside' | 'new-receiver';
  readonly kind: ReviewedPlace['kind'];
  /** Absent if inside and outside make no difference. */
  readonly inside?: boolean;
  readonly one: string;
  readonly several: string;
}

const table: readonly NewPlace[] = [
  { code: 'reaches-outside', kind: 'domain', inside: false, one: 'domain', several: 'domains' },
  { code: 'reaches-outside', kind: 'host', inside: false, one: 'host', several: 'hosts' },
  { code: 'reaches-outside', kind: 'bucket', one: 'bucket', several: 'buckets' },
  { code: 'reaches-outside', kind: 'account', one: 'AWS account', several: 'AWS accounts' },
  { code: 'new-receiver', kind: 'domain', inside: true, one: 'inside domain', several: 'inside domains' },
  { code: 'new-receiver', kind: 'host', inside: true, one: 'inside host', several: 'inside hosts' },
  { code: 'new-receiver', kind: 'channel', one: 'Slack channel', several: 'Slack channels' },
];

/** The advice in titles about places that count as outside only because no domain is listed. */
const namingWay = 'list your own domains under safety.internalDomains in almanac.yaml';

export const newPlaces: DangerRule = (steps, { knownPlaces, isInside, internalDomains }) => {
  const fresh = steps.flatMap(({ change: { address, action }, delivered }) =>
    placesAfter(delivered().after)
      .filter((place) => !knownPlaces().has(placeKey(place)))
      .map((place) => ({ address, place, isAdopted: action === 'adopt' })),
  );
  return table.flatMap(({ code, kind, inside, one, several }) => {
    const ofRow = fresh.filter(
      ({ place }) => place.kind === kind && (inside === undefined || isInside(place.name) === inside),
    );
    const found = concernedBySubject(
      ofRow.map(({ address, place: { name, path = '' } }) => [name + path, address] as const),
    );
    if (found.size === 0) return [];
    // Nobody knows what is outside until almanac.yaml says what is inside.
    const isUnknown = inside === false && internalDomains.length === 0;
    const outside = inside === false && !isUnknown ? 'outside ' : '';
    const hint = isUnknown && kind === 'domain' ? `. To see what is outside, ${namingWay}` : '';
    const receive = countOf(found.size, `${outside}${one} receives`, `${outside}${several} receive`);
    const what = ofRow.every(({ isAdopted }) => isAdopted) ? 'what is adopted' : 'something for the first time';
    return { code, title: `${receive} ${what}${hint}`, items: foldedItems(found) };
  });
};

function placesAfter(delivery: Delivery | undefined): readonly ReviewedPlace[] {
  return delivery === undefined ? [] : placesOf(delivery);
}

/**
 * The places outside that a new schedule goes to, also where their domain receives something else already. An update names whom
 * it adds, and an adopted schedule delivers already. Where no domain is listed as inside, one line says so: a list would call
 * everybody's own company outside.
 */
export const outsideRecipients: DangerRule = (steps, { knownPlaces, isInside, internalDomains }) => {
  const fresh = steps.filter(({ change }) => isNewDelivery(change));
  const isOutside = ({ kind, name }: ReviewedPlace) => kind === 'domain' && !isInside(name);
  if (internalDomains.length > 0) {
    const goesOutside = (each: Receiver) => each.group?.outside || placesIn(each).some(isOutside);
    const receiving = new Set<Change>();
    // The recipients are yielded one after the other: there may be a million of them.
    function* named(): Iterable<NamedRecipient> {
      for (const { change, delivered } of fresh) {
        const { to = [], inExtra = [] } = delivered().after ?? {};
        for (const receivers of [to, inExtra])
          for (const each of receivers) {
            if (!goesOutside(each)) continue;
            receiving.add(change);
            for (const recipient of shownNames(each)) yield [recipient, change.address];
          }
      }
    }
    const items = foldedItems(concernedBySubject(named()));
    const title = `${countOf(items.length, 'outside recipient gets', 'outside recipients get')} new ${pluralsOf([...receiving])}`;
    return items.length === 0 ? [] : [{ code: 'new-receiver', title, items }];
  }
  const outside = fresh.flatMap(({ change: { kind }, delivered }) =>
    placesAfter(delivered().after)
      .filter(isOutside)
      .map((place) => ({ place, kind })),
  );
  // A new domain is named as a place that receives something for the first time.
  const domains = new Set(outside.flatMap(({ place }) => (knownPlaces().has(placeKey(place)) ? place.name : [])));
  if (domains.size === 0) return [];
  const where = countOf(domains.size, 'known domain', 'known domains');
  const title = `Recipients at ${where} get new ${pluralsOf(outside)}. To see who is outside, ${namingWay}`;
  return [{ code: 'new-receiver', title, items: [] }];
};

/** Something that is delivered and was not there before, also a schedule that only runs once. */
export function isNewDelivery({ kind, action, before }: Change): boolean {
  return kinds[kind].life === 'recurring' && (action === 'create' || (action === 'run' && before === null));
}

function pluralsOf(of: readonly Pick<Change, 'kind'>[]): string {
  return kindsInWords(
    of.map(({ kind }) => kind),
    'and',
    's',
  );
}

/**
 * The people who will own a schedule, or as whom an AI job runs. Omni runs them with the rights of that person, who may change a
 * schedule, too. So another owner, also of a new schedule, is a danger, and an owner of a domain that is not ours a graver one.
 */
export const newOwners: DangerRule = (steps, { applied, isInside }) => {
  const known = once(() => new Set([...applied()].map(([, delivery]) => domainOf(ownerIn(delivery, false)))));
  const isOutside = (owner: string) => {
    const domain = domainOf(owner);
    return domain !== undefined && !known().has(domain) && !isInside(domain);
  };
  const sent = steps.flatMap(({ change: { address, kind, action }, delivered }) => {
    const { before, after } = delivered();
    const isPosted = actions[action].posts === true;
    const owner = ownerIn(after, isPosted);
    const isSame = before !== undefined && idKey(ownerIn(before, isPosted)) === idKey(owner);
    return owner === '' || isSame ? [] : [{ address, kind, owner }];
  });
  const changed = sent.filter(({ owner }) => !isOutside(owner));
  const outside = sent.filter(({ owner }) => isOutside(owner));
  return [
    ownersGet('outside-owner', outside, 'outside owner gets', 'outside owners get'),
    ownersGet('new-owner', changed, 'owner gets', 'owners get'),
  ];
};

interface OwnerOfChange {
  readonly address: Address;
  readonly kind: Change['kind'];
  readonly owner: string;
}

function ownersGet(code: DangerCode, owned: readonly OwnerOfChange[], one: string, several: string): FoundDanger {
  const found = concernedBySubject(owned.map(({ address, owner }) => [owner, address] as const));
  const title = `${countOf(found.size, one, several)} ${pluralsOf(owned)}, which then run with their rights`;
  return { code, title, items: foldedItems(found) };
}

/** '' where nobody is declared. What is posted belongs to whom the POST acts for, if it has no other owner. */
function ownerIn(delivery: Delivery | undefined, isPosted: boolean): string {
  const { name = '', isOwner = false } = delivery?.asWhom ?? {};
  return isOwner || isPosted ? name : '';
}

/**
 * The recipients who get more than before, from schedules that already existed. A recipient that is hidden behind a secret counts
 * as added, since nobody can check that it was there.
 */
export const addedRecipients: DangerRule = (steps) => {
  const added = steps.flatMap((step) => [...recipientsIn(step, 'after', 'before'), ...hidden(step)]);
  const items = foldedItems(concernedBySubject(added));
  const title = `${countOf(items.length, 'recipient is', 'recipients are')} added`;
  return items.length === 0 ? [] : [{ code: 'new-receiver', title, items }];
};

/** Recipients whom a sink replaces are left out: the plan counts them itself. */
export const removedRecipients: DangerRule = (steps) => {
  const removed = steps.flatMap((step) => (step.change.reason === 'sink' ? [] : recipientsIn(step, 'before', 'after')));
  const items = foldedItems(concernedBySubject(removed));
  const title = `${countOf(items.length, 'recipient is', 'recipients are')} removed`;
  return [{ code: 'recipient-removed', title, items }];
};

type Side = 'before' | 'after';
type NamedRecipient = readonly [recipient: string, address: string];

/** The recipients that one side of a change has and the other has not. */
function recipientsIn({ change: { address }, delivered }: Step, side: Side, other: Side): readonly NamedRecipient[] {
  const { [side]: these, [other]: those } = delivered();
  if (these === undefined || those === undefined) return [];
  const known = new Set(recipientsOf(those).map(({ compared }) => compared));
  return recipientsOf(these)
    .filter(({ compared }) => !known.has(compared))
    .flatMap(shownNames)
    .map((recipient) => [recipient, address] as const);
}

/** People, groups and channels, and whoever `extra` may mean. */
function recipientsOf({ to, inExtra }: Delivery): readonly Receiver[] {
  return [...to, ...inExtra].filter(({ kind }) => kind === 'email' || kind === 'group' || kind === 'slack');
}

function hidden({ change: { address, kind, diff }, delivered }: Step): readonly NamedRecipient[] {
  const { before, after } = delivered();
  if (after === undefined || !recipientsOf(after).some(({ isHidden }) => isHidden)) return [];
  const differs = diff.some(({ path }) => peopleAt(kind).some((people) => isWithin(path, people)));
  return before === undefined || differs ? [[sensitive, address]] : [];
}
