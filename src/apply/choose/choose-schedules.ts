// Which schedules a question is about: those with one of the addresses, one of the recipients, one of the dashboards and
// one of the kinds of destination. A value that no schedule has is refused, because a typing mistake must not look like
// "none".

import { didYouMean } from '../../declare/findings/suggest.ts';
import { groupOf, type Kind } from '../../model/values/address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { wildcard } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { recipientsOf } from '../../plan/dangers/destinations.ts';

/** Any of the values of a list; all lists that are not empty. */
export interface ScheduleFilter {
  readonly addresses: readonly string[];
  /** Addresses that --select matches, beside those. */
  readonly selected?: ReadonlySet<string> | undefined;
  /** E-mail addresses, Slack ids, and with `*` for any characters patterns of them: `*@partner.com`. */
  readonly recipients: readonly string[];
  /** Identifiers of dashboards. */
  readonly dashboards: readonly string[];
  readonly destinations: readonly string[];
}

/** A resource, declared or in the state. */
export interface Choosable {
  readonly kind: Kind;
  readonly address: string;
  readonly attributes: DeclaredObject;
}

/** What resources of any kind can be chosen by. */
export type ResourceFilter = Omit<ScheduleFilter, 'addresses' | 'selected'>;

/** In the order of `resources`. Throws Failure usage for an address, recipient or dashboard that no schedule has. */
export function chooseSchedules<R extends Choosable>(resources: readonly R[], filter: ScheduleFilter): readonly R[] {
  const schedules = resources.filter(({ kind }) => kind === 'schedule');
  for (const address of filter.addresses) requireSchedule(resources, address);
  const addresses = new Set(filter.addresses);
  const named =
    addresses.size === 0 && filter.selected === undefined
      ? schedules
      : schedules.filter(
          ({ address }) => addresses.has(address) || addresses.has(groupOf(address)) || filter.selected?.has(address),
        );
  checkFilter(schedules, filter);
  return named.filter(testOf(filter));
}

/** Of any kind, in the order of `resources`. Throws Failure usage for a recipient or dashboard that none has. */
export function chooseResources<R extends Choosable>(resources: readonly R[], filter: ResourceFilter): readonly R[] {
  checkFilter(resources, filter);
  return resources.filter(testOf(filter));
}

function checkFilter(resources: readonly Choosable[], { recipients, dashboards }: ResourceFilter): void {
  for (const recipient of recipients) requireRecipient(resources, recipient);
  for (const identifier of dashboards) requireDashboard(resources, identifier);
}

function testOf({ recipients, dashboards, destinations }: ResourceFilter): (resource: Choosable) => boolean {
  const matchers = recipients.map(matcherOf);
  return ({ attributes }) =>
    (matchers.length === 0 || recipientTexts(attributes).some((text) => matchers.some((matches) => matches(text)))) &&
    (dashboards.length === 0 || dashboards.includes(String(attributes['identifier']))) &&
    (destinations.length === 0 || destinations.includes(String(attributes['destinationType'])));
}

function requireSchedule(resources: readonly Choosable[], address: string): void {
  const found =
    resources.find((resource) => resource.address === address) ??
    resources.find((resource) => groupOf(resource.address) === address);
  if (found?.kind === 'schedule') return;
  const why = found === undefined ? 'is not declared' : 'is not a schedule';
  const names = resources.map((resource) => resource.address);
  throw new Failure('usage', `${address} ${why}.`, {
    hint:
      (found === undefined ? didYouMean(address, names) : undefined) ??
      'Use the address of a schedule, such as `schedules.weekly-sales`; `almanac state list` lists what was applied.',
  });
}

function requireRecipient(schedules: readonly Choosable[], recipient: string): void {
  const matches = matcherOf(recipient);
  const known = [...new Set(schedules.flatMap(({ attributes }) => recipientTexts(attributes)))];
  if (known.some(matches)) return;
  throw new Failure('usage', `No schedule delivers to ${recipient}.`, {
    hint:
      didYouMean(recipient, known) ??
      "Use an e-mail address, a domain such as '*@partner.com', or the id of a Slack channel or user.",
  });
}

function requireDashboard(schedules: readonly Choosable[], identifier: string): void {
  const known = new Set(schedules.map(({ attributes }) => String(attributes['identifier'])));
  if (known.has(identifier)) return;
  const part = identifier.split(/[/?#]/).find((each) => known.has(each));
  throw new Failure('usage', `No schedule delivers the dashboard ${identifier}.`, {
    hint:
      part === undefined
        ? (didYouMean(identifier, [...known]) ??
          'Use its identifier, the last part of its URL, such as `12db1a0a`; `almanac documents` lists them.')
        : `Its identifier is \`${part}\`.`,
  });
}

function recipientTexts(attributes: DeclaredObject): readonly string[] {
  // No secret is allowed among recipients, and one that is there all the same has no text.
  return recipientsOf(attributes as JsonObject);
}

/** Letters of either case are the same. */
function matcherOf(recipient: string): (text: string) => boolean {
  return wildcard(recipient, { ignoresCase: true });
}
