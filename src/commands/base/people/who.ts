// Everybody who receives something, with each delivery and the place that names them. Reads what was loaded and a state;
// sends nothing.

import { resolve, selectablesAt } from '../../../apply/choose/select.ts';
import { didYouMean } from '../../../declare/findings/suggest.ts';
import { invalidWorkspace, type Loaded } from '../../../declare/load/load.ts';
import { type ValuePlaces, valuePlaces } from '../../../declare/value-places.ts';
import type { State } from '../../../model/plan/state.ts';
import type { ListedSchedule } from '../../../model/service/remote.ts';
import type { Address } from '../../../model/values/address.ts';
import { byCodeUnit, type Json, type JsonObject } from '../../../model/values/json.ts';
import { memoize } from '../../../model/values/memoize.ts';
import { type Pointer, pointerTo } from '../../../model/values/pointer.ts';
import { countOf, wildcard } from '../../../model/values/words.ts';
import { hasErrors } from '../../../model/workspace/diagnostic.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import type { ValuePlace } from '../../../model/workspace/origins.ts';
import { declaredAttributes, type Resource, shownAttributes } from '../../../model/workspace/resource.ts';
import { domainOf, hostOf, insideTest } from '../../../plan/dangers/destinations.ts';
import { elements } from '../../../plan/difference.ts';
import { type Doc, firstFew } from '../../../report/doc.ts';
import type { Page } from '../../../report/text/theme.ts';
import type { Delivery, DeliveryVia, Recipient, RecipientKind } from './recipients-document.ts';
import type { UnmanagedReceiver, UnmanagedSchedule } from './unmanaged-recipients.ts';

export interface WhoRequest {
  readonly loaded: Loaded;
  /** Undefined where nothing was applied. */
  readonly state: State | undefined;
  /** With `*` for any characters; everybody if empty. */
  readonly patterns: readonly string[];
  /** Only deliveries of what they choose. */
  readonly selectors?: readonly string[];
  /** Leaves out those of `safety.internalDomains`. */
  readonly external: boolean;
  /** What was read of the untracked schedules; none offline. */
  readonly unmanaged?: readonly UnmanagedSchedule[];
}

export interface WhoReceives {
  readonly recipients: readonly Recipient[];
  /** Patterns that nobody matches, each with what was probably meant. */
  readonly unmatched: readonly { readonly pattern: string; readonly hint: string | undefined }[];
}

/** Throws Failure invalid-workspace, and usage where no domain is internal. */
export function whoReceives(request: WhoRequest): WhoReceives {
  const { loaded, patterns, unmanaged = [] } = request;
  const { config, desired, findings, fileNamed } = loaded;
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors.', findings, loaded);
  const isOutside = request.external ? outsideTest(config.safety.internalDomains) : () => true;
  const matchers = patterns.map((pattern) => wildcard(pattern, { ignoresCase: true }));
  const isAsked = ({ recipient }: Named) => matchers.length === 0 || matchers.some((matches) => matches(recipient));
  const received = desired.resources.flatMap((resource) =>
    distinctReceivers(resource).map((receiver) => ({ resource, receiver })),
  );
  const others = unmanaged.flatMap(({ row, receivers }) => receivers.map((receiver) => ({ row, receiver })));
  const isWanted = ({ receiver }: { readonly receiver: Named }) => isAsked(receiver) && isOutside(receiver);
  const places = valuePlaces({ resources: desired.resources, fileNamed });
  const isSelected = selectedTest(request);
  const placeOf = placeReader(places);
  const placed = received
    .filter((each) => isWanted(each) && isSelected(each.resource))
    .map((each) => ({ ...each, place: placeOf(each.resource, each.receiver) }))
    // In the order of files, so that each is opened once.
    .sort((a, b) => byCodeUnit(fileOf(a.place), fileOf(b.place)));
  const given = [...deliveriesOf(placed, places, request), ...others.filter(isWanted).map(unmanagedDelivery)];
  // Compared only with patterns: there may be a million.
  const all = patterns.length === 0 ? [] : [...received, ...others];
  const known = [...new Set(all.map(({ receiver }) => receiver.recipient))];
  return {
    recipients: gathered(given),
    unmatched: patterns.flatMap((pattern, index) =>
      known.some((name) => matchers[index]?.(name)) ? [] : [{ pattern, hint: didYouMean(pattern, known) }],
    ),
  };
}

function selectedTest({ loaded, selectors = [] }: WhoRequest): (resource: Resource) => boolean {
  // A dashboard delivers nothing.
  const among = loaded.desired.resources.flatMap(({ kind, address }) => (kind === 'dashboard' ? [] : [address]));
  const selected = resolve(selectors, selectablesAt(among, loaded.desired), { source: loaded });
  return ({ address }) => selected.has(address);
}

type Named = Pick<Receiver, 'recipient' | 'kind'>;

interface Placed {
  readonly resource: Resource;
  readonly receiver: Receiver;
  readonly place: ValuePlace;
}

interface Given {
  readonly receiver: Named;
  readonly delivery: Delivery;
}

/** The first place where several give the same: the one that is read first. */
function placeReader(places: ValuePlaces): (resource: Resource, receiver: Receiver) => ValuePlace {
  let last: { readonly resource: Resource; readonly byPath: ReadonlyMap<Pointer, ValuePlace> } | undefined;
  return (resource, { field, path }) => {
    if (last?.resource !== resource) {
      const value = declaredAttributes(resource)[field];
      const traces = places.tracesOf(resource, field, value).toReversed();
      last = { resource, byPath: new Map(traces.map((trace) => [trace.path, trace.place])) };
    }
    return last.byPath.get(path) ?? last.byPath.get('') ?? { kind: 'resource', origin: resource.origin };
  };
}

function deliveriesOf(
  placed: readonly Placed[],
  { viaOf }: ValuePlaces,
  { loaded, state }: WhoRequest,
): readonly Given[] {
  const former = new Map<Address, Address>(loaded.desired.moves.map(({ from, to }) => [to, from]));
  const idOf = (address: Address): string | undefined =>
    (state?.resources[address] ?? state?.resources[former.get(address) ?? ''])?.id;
  // A schedule may have thousands of recipients.
  const aboutOf = memoize((resource: Resource) => aboutResource(resource, idOf(resource.address)));
  return placed.map(({ resource, receiver, place }) => {
    const { kind, file, line, name } = viaOf(place);
    const isCell = place.kind === 'item' && place.part === 'cell';
    const via: DeliveryVia = { kind: isCell ? 'row' : kind, name };
    return { receiver, delivery: { ...aboutOf(resource), via, file, line } };
  });
}

interface Other {
  readonly row: ListedSchedule;
  readonly receiver: UnmanagedReceiver;
}

function unmanagedDelivery({ row, receiver }: Other): Given {
  const { id, name, identifier, format, schedule, timezone, paused } = row;
  const { group } = receiver;
  const texts = Object.entries({ id, name, identifier, format, schedule, timezone }).filter(([, text]) => text !== '');
  const via: DeliveryVia = group === undefined ? { kind: 'resource' } : { kind: 'group', name: group };
  return { receiver, delivery: { ...Object.fromEntries(texts), paused, managed: false, via } };
}

function gathered(given: readonly Given[]): readonly Recipient[] {
  const found = new Map<string, Named & { readonly deliveries: Delivery[] }>();
  for (const { receiver, delivery } of given) {
    const key = `${receiver.kind} ${receiver.recipient}`;
    const entry = found.get(key) ?? { ...receiver, deliveries: [] };
    found.set(key, entry);
    entry.deliveries.push(delivery);
  }
  return [...found.values()]
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient) || byCodeUnit(a.kind, b.kind))
    .map(({ recipient, kind, deliveries }) => ({ recipient, kind, deliveries: deliveries.sort(inOrder) }));
}

function inOrder(a: Delivery, b: Delivery): number {
  if (a.managed !== b.managed) return a.managed ? -1 : 1;
  const of = (field: 'address' | 'file' | 'name' | 'id') => byCodeUnit(a[field] ?? '', b[field] ?? '');
  const ofGroup = byCodeUnit(a.via.name ?? '', b.via.name ?? '');
  return a.managed ? of('address') || of('file') || (a.line ?? 0) - (b.line ?? 0) : of('name') || of('id') || ofGroup;
}

function fileOf(place: ValuePlace): string {
  return place.kind === 'text-file' ? place.path : place.origin.file;
}

/** The part of a delivery that says what is delivered, and not why. */
function aboutResource(
  { address, attributes, sink }: Resource,
  id: string | undefined,
): Omit<Delivery, 'via' | 'file' | 'line'> & { readonly address: Address } {
  const texts = ['name', 'identifier', 'format', 'schedule', 'timezone'].flatMap((field) => {
    const value = attributes[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  return {
    address,
    id,
    ...Object.fromEntries(texts),
    paused: attributes['paused'] === true,
    managed: true,
    sink: sink?.environment,
  };
}

// Whether a recipient is outside of the company, as `safety.internalDomains` of almanac.yaml says.

/** Throws Failure usage: without a list, everybody would be outside. */
function outsideTest(internalDomains: readonly string[]): (receiver: Pick<Receiver, 'kind' | 'recipient'>) => boolean {
  if (internalDomains.length === 0)
    throw new Failure('usage', '--external needs to know who belongs to you: no domain is listed as internal.', {
      hint: 'List your domains in almanac.yaml: `safety: { internalDomains: [example.com] }`.',
    });
  const isInside = insideTest(internalDomains);
  return ({ kind, recipient }) => {
    // A Slack workspace and a bucket have no domain.
    if (kind === 'slack' || kind === 's3') return false;
    return !isInside(kind === 'email' ? (domainOf(recipient) ?? recipient) : recipient);
  };
}

// Who receives what a resource delivers, as it is declared: what a sink of the environment replaces counts, the sink does
// not. One table for every kind of destination.

/** One of those who receive something. */
interface Receiver {
  /** E-mail addresses and hosts are in lower case. */
  readonly recipient: string;
  readonly kind: RecipientKind;
  readonly field: string;
  /** The part of the field that names it; empty for all of it. */
  readonly path: Pointer;
}

export function receiversOf(resource: Resource): readonly Receiver[] {
  const attributes = shownAttributes(declaredAttributes(resource));
  if (resource.kind === 'aiJob') return atHost('webhook', 'webhookUrl', attributes);
  if (resource.kind !== 'schedule') return [];
  switch (attributes['destinationType']) {
    case 'email':
      return listed('email', attributes);
    case 'slack':
      return listed('slack', attributes);
    case 'webhook':
      return atHost('webhook', 'url', attributes);
    case 'sftp':
      return atHost('sftp', 'address', attributes);
    case 's3':
      return whole('s3', 'bucketName', attributes['bucketName']);
    default:
      return [];
  }
}

/** The first of those who are named twice, such as in upper and in lower case. */
export function distinctReceivers(resource: Resource): readonly Receiver[] {
  const seen = new Set<string>();
  return receiversOf(resource).filter(({ recipient }) => seen.size < seen.add(recipient).size);
}

function listed(kind: RecipientKind, { recipients }: JsonObject): readonly Receiver[] {
  const field = 'recipients';
  if (!Array.isArray(recipients)) return namesIn(recipients ?? []).map((name) => receiver(kind, name, field, ''));
  return recipients.flatMap((each: Json, index) =>
    namesIn(each).map((name) => receiver(kind, name, field, pointerTo(index))),
  );
}

/** One text may name several Slack users. */
function namesIn(value: Json): readonly string[] {
  return elements(value).flatMap((each) => (typeof each === 'string' ? [each] : []));
}

function atHost(kind: RecipientKind, field: string, attributes: JsonObject): readonly Receiver[] {
  return whole(kind, field, hostOf(attributes[field]) ?? attributes[field]);
}

function whole(kind: RecipientKind, field: string, name: Json | undefined): readonly Receiver[] {
  return typeof name === 'string' ? [receiver(kind, name, field, '')] : [];
}

function receiver(kind: RecipientKind, name: string, field: string, path: Pointer): Receiver {
  const hasCase = kind === 'slack' || kind === 's3';
  return { recipient: hasCase ? name : name.toLowerCase(), kind, field, path };
}

// Words about who receives what, and about whom Omni did not tell.

// Why somebody receives something, in words: `audience partners`. Reports show the place beside it.

/** Empty for what the declaration itself says. */
export function viaWords({ kind, name }: DeliveryVia): string {
  if (kind === 'resource') return '';
  const words = kind === 'default' ? 'defaults' : kind === 'text-file' ? 'text' : kind;
  return name === undefined ? words : `${words} ${name}`;
}

/** What `who --online` and `offboard` could not find out, in sentences. */
export interface Unread {
  readonly left: number;
  readonly refused: readonly { readonly row: Pick<ListedSchedule, 'id' | 'name'>; readonly reason: string }[];
  readonly knowsMembers: boolean;
}

export function unreadDoc({ left, refused, knowsMembers }: Unread, page: Page): Doc {
  const notRead = ({ row, reason }: Unread['refused'][number]) => `Not read: ${row.name} (id ${row.id}). ${reason}`;
  return [
    ...firstFew(refused, notRead, page, (more) => `Not read: ${more}`),
    !knowsMembers && 'Whether an address belongs to a member is not known: only an organization key may ask for that.',
    left > 0 && `${countOf(left, 'schedule')} left by --limit: continue with --resume.`,
  ];
}
