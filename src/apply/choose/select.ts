// What --select, --target and --replace name: tags and owners that are declared in `meta`, and addresses. A selector that
// matches nothing is refused, because a typing mistake must not look like "nothing to do".

import { didYouMean } from '../../declare/findings/suggest.ts';
import { invalidWorkspace, type Loaded } from '../../declare/load/load.ts';
import { ownerInMeta, tagsInMeta } from '../../model/fields/common-fields.ts';
import type { State, StateResource } from '../../model/plan/state.ts';
import { type Address, groupOf, type Kind, kindOf } from '../../model/values/address.ts';
import { byCodeUnit, type JsonObject } from '../../model/values/json.ts';
import { wildcard } from '../../model/values/words.ts';
import { type Finding, hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure, type FindingSource } from '../../model/workspace/failure.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { recipientsOf } from '../../plan/dangers/destinations.ts';

interface Selectable {
  readonly address: Address;
  /** As they are declared; undefined for what is no longer declared, which has no tags and no owner. */
  readonly attributes?: DeclaredObject | undefined;
}

/** What a selector with a label looks at. */
const labels = {
  tag: tagsInMeta,
  owner: (attributes: DeclaredObject) => {
    const owner = ownerInMeta(attributes);
    return owner === undefined ? [] : [owner];
  },
} as const;

type Label = keyof typeof labels;

/** The addresses that any of the selectors matches, in the order of `known`. Throws Failure usage. */
export function resolve(
  selectors: readonly string[],
  known: readonly Selectable[],
  source: FindingSource,
): ReadonlySet<Address> {
  const found = new Set<Address>();
  const findings = selectors.flatMap((selector): readonly Finding[] => {
    const matched = matchedBy(selector, known);
    for (const { address } of matched) found.add(address);
    return matched.length > 0 ? [] : [noMatch(selector, known, source)];
  });
  if (findings.length > 0)
    throw new Failure('usage', 'Nothing has a name that was given; nothing was done.', {
      hint: 'A selector is tag:NAME, owner:NAME or an address, where * stands for any characters. What was applied is listed by `almanac state list`.',
      findings,
      source,
    });
  return new Set(known.flatMap(({ address }) => (found.has(address) ? [address] : [])));
}

/**
 * What --select matches among the schedules that were applied. Their tags and owners are those that are declared now. Throws
 * Failure usage for a selector that matches none, and invalid-workspace: a file that cannot be read hides tags.
 */
export function selectApplied(
  selectors: readonly string[],
  loaded: Loaded,
  state: State | undefined,
): ReadonlySet<Address> {
  const { desired, findings } = loaded;
  if (hasErrors(findings))
    throw invalidWorkspace(
      'The declarations have errors, so --select cannot know everything it matches.',
      findings,
      loaded,
    );
  const declared = new Map(desired.resources.map(({ address, attributes }) => [address, attributes]));
  const later = new Map(desired.moves.map(({ from, to }) => [from, to]));
  const applied = Object.entries(state?.resources ?? {})
    .filter(([address, { id }]) => kindOf(address) === 'schedule' && id !== undefined)
    .map(([address]) => ({ address, attributes: declared.get(address) ?? declared.get(later.get(address) ?? '') }));
  return resolve(selectors, applied, loaded);
}

function matchedBy(selector: string, known: readonly Selectable[]): readonly Selectable[] {
  const { label, text } = read(selector);
  const matches = wildcard(text);
  return label === undefined
    ? known.filter(({ address }) => matches(address) || matches(groupOf(address)))
    : known.filter((each) => labelled(each, label).some(matches));
}

function read(selector: string): { readonly label: Label | undefined; readonly text: string } {
  const at = selector.indexOf(':');
  const label = Object.keys(labels).find((name): name is Label => name === selector.slice(0, Math.max(0, at)));
  return { label, text: label === undefined ? selector : selector.slice(at + 1) };
}

function noMatch(selector: string, known: readonly Selectable[], { desired }: FindingSource): Finding {
  const code = 'unknown-selector';
  if (desired.absent?.some(({ address }) => address === selector))
    return {
      code,
      message: `\`${selector}\` does not exist in this environment.`,
      hint: 'It is declared for other environments (`in`, or `skip` in `deliver`).',
    };
  const { label, text } = read(selector);
  const names = [...new Set(known.flatMap((each) => namesOf(each, label)))];
  const near = didYouMean(text, names);
  return {
    code,
    message: `\`${selector}\` matches nothing.`,
    hint: near === undefined ? whatThereIs(label) : near.replace('`', `\`${label === undefined ? '' : `${label}:`}`),
  };
}

function namesOf(each: Selectable, label: Label | undefined): readonly string[] {
  if (label !== undefined) return labelled(each, label);
  const ofLabel = (own: Label) => labelled(each, own).map((name) => `${own}:${name}`);
  return [each.address, groupOf(each.address), ...ofLabel('tag'), ...ofLabel('owner')];
}

function labelled({ attributes }: Selectable, label: Label): readonly string[] {
  return attributes === undefined ? [] : labels[label](attributes);
}

function whatThereIs(label: Label | undefined): string {
  switch (label) {
    case undefined:
      return 'A selector is `tag:NAME`, `owner:NAME` or an address, such as `schedules.fin-*`.';
    case 'tag':
      return 'Declare it in `meta: { tags: […] }`. What is no longer declared has no tags: use its address.';
    case 'owner':
      return 'Declare it in `meta: { owner: … }`. What is no longer declared has no owner: use its address.';
  }
}

// Which schedules a question is about: those with one of the addresses, one of the recipients, one of the dashboards and
// one of the kinds of destination. A value that no schedule has is refused, because a typing mistake must not look like
// "none".

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
type ResourceFilter = Omit<ScheduleFilter, 'addresses' | 'selected'>;

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
function chooseResources<R extends Choosable>(resources: readonly R[], filter: ResourceFilter): readonly R[] {
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

/**
 * Which resources of the state a question is about. An address that nothing has is refused, because a typing mistake must
 * not look like "none".
 */
export interface TrackedFilter extends ResourceFilter {
  /** With `*` for any characters; that of a loop means all its instances. */
  readonly addresses: readonly string[];
  readonly kinds: readonly string[];
}

export type Tracked = readonly [Address, StateResource];

/** Sorted by address. Throws Failure usage for an address, recipient or dashboard that nothing in the state has. */
export function chooseTracked({ resources }: State, filter: TrackedFilter): readonly Tracked[] {
  const all = Object.entries(resources)
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map((tracked) => ({ tracked, address: tracked[0], kind: kindAt(tracked[0]), attributes: tracked[1].attributes }));
  const matchers = filter.addresses.map((text) => wildcard(text));
  const addresses = all.map(({ address }) => address);
  const isNamed = (matches: (text: string) => boolean, address: Address) =>
    matches(address) || matches(groupOf(address));
  matchers.forEach((matches, index) => {
    if (!addresses.some((address) => isNamed(matches, address)))
      throw noAddress(filter.addresses[index] ?? '', addresses);
  });
  return chooseResources(all, filter)
    .filter(({ address }) => matchers.length === 0 || matchers.some((matches) => isNamed(matches, address)))
    .filter(({ kind }) => filter.kinds.length === 0 || filter.kinds.includes(kind))
    .map(({ tracked }) => tracked);
}

function kindAt(address: Address): Kind {
  return kindOf(address) ?? 'schedule';
}

function noAddress(text: string, addresses: readonly Address[]): Failure {
  const message = text.includes('*') ? `No address in the state matches ${text}.` : `The state holds no ${text}.`;
  return new Failure('usage', message, {
    hint: didYouMean(text, addresses) ?? 'almanac state list shows what it holds.',
  });
}
