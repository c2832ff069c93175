// Everybody who receives something, with each delivery and the place that names them. Reads what was loaded and a state;
// sends nothing.

import { didYouMean } from '../declare/findings/suggest.ts';
import type { SoundLoaded } from '../declare/load/load.ts';
import { type ValuePlaces, valuePlaces } from '../declare/value-places.ts';
import { deliveryOf, receiversAt } from '../model/fields/delivery.ts';
import { groupIdIn } from '../model/fields/ids.ts';
import type { Receiver } from '../model/fields/receiver.ts';
import type { NameOf } from '../model/plan/names.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { domainOf, insideTest, otherSpellings } from '../model/values/domains.ts';
import { byCodeUnit } from '../model/values/json.ts';
import { memoize } from '../model/values/memoize.ts';
import type { Pointer } from '../model/values/pointer.ts';
import type { Refusal } from '../model/values/refusal.ts';
import { wildcard } from '../model/values/wildcard.ts';
import { codeList } from '../model/values/words.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { ValuePlace } from '../model/workspace/origins.ts';
import { type Desired, declaredAttributes, type Resource } from '../model/workspace/resource.ts';
import type { Applied } from '../plan/applied.ts';
import {
  type Choice,
  choiceAmong,
  isKey,
  isSelector,
  likelySelectors,
  meaningsOf,
  resolveOrAll,
} from '../plan/select.ts';
import { listedFacts } from '../report/listed-facts.ts';
import type { DeliveryVia, ListedDelivery, Recipient } from './recipients-document.ts';
import { recipientOf, type StillReceiving, stillReceiving } from './still-receiving.ts';
import type { UnmanagedReceiver, UnmanagedSchedule } from './unmanaged-recipients.ts';

export interface WhoRequest {
  readonly loaded: SoundLoaded;
  readonly applied: Applied;
  /** With `*` for any characters; everybody if empty. */
  readonly patterns: readonly string[];
  /** Only deliveries of what they choose. */
  readonly selectors?: readonly string[];
  /** Leaves out those of `safety.internalDomains`. */
  readonly external: boolean;
  /** What was read of schedules that are untracked, or that others receive than those who are declared; none offline. */
  readonly unmanaged?: readonly UnmanagedSchedule[];
  /** What Omni calls dashboards and user groups. */
  readonly nameOf: NameOf;
}

export interface WhoReceives {
  readonly recipients: readonly Recipient[];
  /** Patterns that nobody matches, each with what was probably meant. */
  readonly unmatched: readonly Refusal<string>[];
  /** Of an address that is asked for, others that are probably the same mailbox. */
  readonly also: readonly { readonly asked: string; readonly others: readonly string[] }[];
}

/** Throws Failure usage where no domain is internal. */
export function whoReceives(request: WhoRequest): WhoReceives {
  const { loaded, applied, patterns, unmanaged = [], nameOf } = request;
  const { config, desired, fileNamed } = loaded;
  const isOutside = request.external ? outsideDomainTest(config.safety.internalDomains) : () => true;
  const matchers = patterns.map((pattern) => wildcard(pattern, { ignoresCase: true }));
  const isAsked = ({ recipient }: NamedReceiver) =>
    matchers.length === 0 || matchers.some((matches) => matches(recipient));
  const { received, still, known } = receiversOf(applied);
  const others = undeclaredIn(unmanaged, known, desired.moves);
  const isWanted = ({ receiver }: { readonly receiver: NamedReceiver }) => isAsked(receiver) && isOutside(receiver);
  const places = valuePlaces({ resources: applied.resources, fileNamed });
  const selected = resolveOrAll(request.selectors ?? [], choiceIn(request)).addresses;
  const placeOf = placeReader(places);
  const placed = received
    .filter((each) => isWanted(each) && selected.has(each.resource.address))
    .map((each) => ({ ...each, place: placeOf(each.resource, each.receiver) }))
    // In the order of files, so that each is opened once.
    .sort((a, b) => byCodeUnit(fileOf(a.place), fileOf(b.place)));
  const given = [
    ...deliveriesOf(placed, places, request),
    ...still.filter((each) => isWanted(each) && selected.has(each.of.address)).map(stillDelivery),
    ...others.filter(isWanted).map(undeclaredDelivery),
  ];
  // Compared only with patterns: there may be a million.
  const all = patterns.length === 0 ? [] : [...known, ...others];
  const names = [...new Set(all.map(({ receiver }) => receiver.recipient))];
  return {
    recipients: gathered(given, nameOf),
    unmatched: patterns.flatMap((pattern, index) =>
      names.some((name) => matchers[index]?.(name)) ? [] : [nobodyIs(pattern, names, request)],
    ),
    also: patterns.flatMap((asked) => {
      const others = otherSpellings(asked, names).filter((name) => !matchers.some((matches) => matches(name)));
      return asked.includes('@') && others.length > 0 ? [{ asked, others }] : [];
    }),
  };
}

function nobodyIs(pattern: string, names: readonly string[], request: WhoRequest): Refusal<string> {
  const asWhole = /[@*]/.test(pattern) ? undefined : `Names are matched as a whole: try '*${pattern}*'.`;
  return { about: [pattern], message: `Nobody is ${pattern}.`, hint: nearPattern(pattern, names, request) ?? asWhole };
}

/** A word without a sign of a recipient may be a misspelt key. */
function nearPattern(pattern: string, names: readonly string[], request: WhoRequest): string | undefined {
  const near = didYouMean(pattern, names);
  if (near !== undefined || !isKey(pattern)) return near;
  const [selector] = likelySelectors(pattern, choiceIn(request));
  return selector && `Did you mean \`${selector}\`?`;
}

/** What is still running is chosen as what is declared is. */
export function choiceIn({ loaded, applied }: Pick<WhoRequest, 'loaded' | 'applied'>): Choice {
  const namesReceivers = ({ kind }: Pick<Resource, 'kind'>) => Object.keys(receiversAt(kind)).length > 0;
  const named = [...applied.resources, ...applied.running].filter(namesReceivers);
  const whyNot = () => ({ why: 'names nobody who receives it' });
  return choiceAmong(new Set(named.map(({ address }) => address)), { loaded, state: applied.state, whyNot });
}

/**
 * Which words name recipients, and which choose what they receive: an address, a label, and a key. Throws Failure usage for a
 * key that a recipient has as well.
 */
export function splitWords(
  words: readonly string[],
  request: Pick<WhoRequest, 'loaded' | 'applied'>,
): Required<Pick<WhoRequest, 'patterns' | 'selectors'>> {
  const choice = choiceIn(request);
  const keys = new Set(words.filter((word) => meaningsOf(word, choice).length > 0));
  const receivers = keys.size === 0 ? [] : receiversOf(request.applied).known;
  for (const key of keys) {
    const isNamed = wildcard(key, { ignoresCase: true });
    const receiver = receivers.find(({ receiver: { recipient } }) => isNamed(recipient))?.receiver;
    if (receiver !== undefined)
      throw new Failure(
        'usage',
        `\`${key}\` may be ${codeList(meaningsOf(key, choice), 'or')}, or the recipient ${receiver.recipient}.`,
        { hint: `Write the whole address, or \`'${key}*'\` for recipients.` },
      );
  }
  const selects = (word: string) => keys.has(word) || isSelector(word);
  return { patterns: words.filter((word) => !selects(word)), selectors: words.filter(selects) };
}

/**
 * Whether a recipient has a domain, and it is none of ours: what `--external` keeps. It is no judgement of risk: a bucket has no domain, and yet a plan
 * counts it as outside (src/plan/dangers/world.ts). Throws Failure usage: without a list, everybody would be outside.
 */
export function outsideDomainTest(
  internalDomains: readonly string[],
): (receiver: Pick<Recipient, 'kind' | 'recipient'>) => boolean {
  if (internalDomains.length === 0)
    throw new Failure('usage', '--external needs to know who belongs to you: no domain is listed as internal.', {
      hint: 'List your domains in almanac.yaml: `safety: { internalDomains: [example.com] }`.',
    });
  const isInside = insideTest(internalDomains);
  return ({ kind, recipient }) => {
    // A Slack workspace, a bucket and a user group have no domain.
    if (kind === 'slack' || kind === 's3' || kind === 'group') return false;
    return !isInside(kind === 'email' ? (domainOf(recipient) ?? recipient) : recipient);
  };
}

/** Declared, still delivered to, and both by address. */
function receiversOf(applied: Applied) {
  const received = applied.resources.flatMap((resource) =>
    distinctReceivers(resource).map((receiver) => ({ resource, receiver })),
  );
  const still = stillReceiving(applied.running).map(({ of, receiver }) => ({ of, receiver: named(receiver) }));
  const known = [
    ...received.map(({ resource: { address }, receiver }) => ({ address, receiver })),
    ...still.map(({ of: { address }, receiver }) => ({ address, receiver })),
  ];
  return { received, still, known };
}

type NamedReceiver = Pick<Recipient, 'recipient' | 'kind'>;

interface DeclaredReceiver extends NamedReceiver {
  readonly at: Pointer;
}

function named(receiver: Receiver): DeclaredReceiver {
  return { recipient: recipientOf(receiver), kind: receiver.kind, at: receiver.at };
}

/**
 * Everybody whom it declares, also where a sink of the environment replaces them. Who is named twice, such as in upper and in
 * lower case, counts once.
 */
function distinctReceivers(resource: Resource): readonly DeclaredReceiver[] {
  const seen = new Set<string>();
  return deliveryOf(resource.kind, declaredAttributes(resource))
    .to.map(named)
    .filter(({ recipient }) => seen.size < seen.add(recipient).size);
}

interface Placed {
  readonly resource: Resource;
  readonly receiver: DeclaredReceiver;
  readonly place: ValuePlace;
}

interface Given {
  readonly receiver: NamedReceiver;
  readonly delivery: ListedDelivery;
}

/** The first place where several give the same: the one that is read first. */
function placeReader(places: ValuePlaces): (resource: Resource, receiver: DeclaredReceiver) => ValuePlace {
  let last:
    | { readonly resource: Resource; readonly field: string; readonly byPath: ReadonlyMap<Pointer, ValuePlace> }
    | undefined;
  return (resource, { at }) => {
    const end = at.indexOf('/', 1);
    const [field, path] = end < 0 ? [at.slice(1), ''] : [at.slice(1, end), at.slice(end)];
    if (last?.resource !== resource || last.field !== field) {
      const value = declaredAttributes(resource)[field];
      const traces = places.tracesOf(resource, field, value).toReversed();
      last = { resource, field, byPath: new Map(traces.map((trace) => [trace.path, trace.place])) };
    }
    return last.byPath.get(path) ?? last.byPath.get('') ?? { kind: 'resource', origin: resource.origin };
  };
}

function deliveriesOf(placed: readonly Placed[], { viaOf }: ValuePlaces, { applied }: WhoRequest): readonly Given[] {
  // A schedule may have thousands of recipients.
  const aboutOf = memoize((resource: Resource) => ({
    ...aboutResource(resource, applied.idOf(resource.address)),
    ...keptOf(applied.keptIn(resource.address)),
  }));
  return placed.map(({ resource, receiver, place }) => {
    const { kind, file, line, name } = viaOf(place);
    const isCell = place.kind === 'item' && place.part === 'cell';
    const via: DeliveryVia = { kind: isCell ? 'row' : kind, name };
    return { receiver, delivery: { ...aboutOf(resource), via, file, line } };
  });
}

/** As far as a delivery shows them. */
function keptOf(fields: readonly string[]): Pick<ListedDelivery, 'kept'> {
  const kept = fields.filter((field) => shownFields.includes(field));
  return kept.length === 0 ? {} : { kept };
}

const shownFields: readonly string[] = ['name', 'schedule', 'timezone', 'paused'];

/** What was applied, and is declared otherwise. */
function stillDelivery({ of, receiver }: Pick<StillReceiving, 'of'> & Pick<Given, 'receiver'>): Given {
  const via: DeliveryVia = { kind: of.isOpen ? 'unresolved' : 'applied' };
  return { receiver, delivery: { ...aboutResource(of, of.id), via } };
}

interface Other {
  readonly row: ListedSchedule;
  readonly address: Address | undefined;
  readonly receiver: UnmanagedReceiver;
}

/** Of a tracked schedule, those whom declarations or the state name are known. */
function undeclaredIn(
  read: readonly UnmanagedSchedule[],
  named: readonly { readonly address: Address; readonly receiver: NamedReceiver }[],
  moves: Desired<unknown>['moves'],
): readonly Other[] {
  const now = new Map(moves.map(({ from, to }) => [from, to]));
  const keyOf = (address: Address, recipient: string) => `${address} ${recipient}`;
  const known = new Set(read.length === 0 ? [] : named.map((each) => keyOf(each.address, each.receiver.recipient)));
  return read.flatMap(({ row, address: tracked, receivers }) => {
    const address = tracked && (now.get(tracked) ?? tracked);
    return receivers
      .filter(
        ({ recipient, group }) => group !== undefined || address === undefined || !known.has(keyOf(address, recipient)),
      )
      .map((receiver) => ({ row, address, receiver }));
  });
}

function undeclaredDelivery({ row, address, receiver }: Other): Given {
  const { id, name, identifier, format, schedule, timezone, paused } = row;
  const { group } = receiver;
  const texts = Object.entries({ id, name, identifier, format, schedule, timezone }).filter(([, text]) => text !== '');
  const via: DeliveryVia = group === undefined ? { kind: 'resource' } : { kind: 'group', name: group };
  const managed = address !== undefined;
  return { receiver, delivery: { address, ...Object.fromEntries(texts), paused, managed, via } };
}

function gathered(given: readonly Given[], nameOf: NameOf): readonly Recipient[] {
  const found = new Map<string, NamedReceiver & { readonly deliveries: ListedDelivery[] }>();
  for (const { receiver, delivery } of given) {
    const key = `${receiver.kind} ${receiver.recipient}`;
    const entry = found.get(key) ?? { ...receiver, deliveries: [] };
    found.set(key, entry);
    entry.deliveries.push(delivery);
  }
  return [...found.values()]
    .sort((a, b) => byCodeUnit(a.recipient, b.recipient) || byCodeUnit(a.kind, b.kind))
    .map(({ recipient, kind, deliveries }) => ({
      recipient,
      kind,
      name: kind === 'group' ? nameOf(groupIdIn(recipient) ?? '') : undefined,
      deliveries: deliveries.sort(inOrder).map((each) => withDashboardName(each, nameOf)),
    }));
}

function withDashboardName(delivery: ListedDelivery, nameOf: NameOf): ListedDelivery {
  const dashboardName = delivery.identifier && nameOf(delivery.identifier);
  return dashboardName === undefined ? delivery : { ...delivery, dashboardName };
}

function inOrder(a: ListedDelivery, b: ListedDelivery): number {
  if (a.managed !== b.managed) return a.managed ? -1 : 1;
  const isPlaced = ({ file }: ListedDelivery) => Number(file === undefined);
  const of = (field: 'address' | 'file' | 'name' | 'id') => byCodeUnit(a[field] ?? '', b[field] ?? '');
  const ofGroup = byCodeUnit(a.via.name ?? '', b.via.name ?? '');
  return a.managed
    ? of('address') || isPlaced(a) - isPlaced(b) || of('file') || (a.line ?? 0) - (b.line ?? 0)
    : of('name') || of('id') || ofGroup;
}

function fileOf(place: ValuePlace): string {
  return place.kind === 'text-file' ? place.path : place.origin.file;
}

/** The part of a delivery that says what is delivered, and not why. */
function aboutResource(
  { kind, address, attributes, sink }: Pick<Resource, 'kind' | 'address' | 'attributes' | 'sink'>,
  id: string | undefined,
): Omit<ListedDelivery, 'via' | 'file' | 'line'> & { readonly address: Address } {
  const { identifier, format } = attributes;
  const { when, paused } = deliveryOf(kind, attributes);
  const { schedule, timezone } = when ?? {};
  const texts = { name: listedFacts(kind, attributes).title, identifier, format, schedule, timezone };
  return {
    address,
    id,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')),
    paused,
    managed: true,
    sink: sink?.environment,
  };
}
