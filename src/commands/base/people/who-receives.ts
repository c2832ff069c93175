// Everybody who receives something, with each delivery and the place that names them. Reads what was loaded and a state;
// sends nothing.

import { didYouMean } from '../../../declare/findings/suggest.ts';
import { invalidWorkspace, type Loaded } from '../../../declare/load/load.ts';
import { type ValuePlaces, valuePlaces } from '../../../declare/value-places.ts';
import type { State } from '../../../model/plan/state.ts';
import type { ListedSchedule } from '../../../model/service/remote.ts';
import type { Address } from '../../../model/values/address.ts';
import { byCodeUnit } from '../../../model/values/json.ts';
import { memoize } from '../../../model/values/memoize.ts';
import type { Pointer } from '../../../model/values/pointer.ts';
import { wildcard } from '../../../model/values/words.ts';
import { hasErrors } from '../../../model/workspace/diagnostic.ts';
import type { ValuePlace } from '../../../model/workspace/origins.ts';
import { type Desired, declaredAttributes, type Resource } from '../../../model/workspace/resource.ts';
import { resolveOrAll, selectablesAt } from '../../../plan/select.ts';
import { hasReceivers, idleOf, listedFacts, whenItRuns } from '../kinds.ts';
import { outsideDomainTest } from './outside-domain-test.ts';
import { distinctReceivers, type Receiver } from './receivers.ts';
import type { Delivery, DeliveryVia, Recipient } from './recipients-document.ts';
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
  /** What was read of schedules that are untracked, or that others receive than those who are declared; none offline. */
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
  const isOutside = request.external ? outsideDomainTest(config.safety.internalDomains) : () => true;
  const matchers = patterns.map((pattern) => wildcard(pattern, { ignoresCase: true }));
  const isAsked = ({ recipient }: NamedReceiver) =>
    matchers.length === 0 || matchers.some((matches) => matches(recipient));
  const received = desired.resources.flatMap((resource) =>
    distinctReceivers(resource).map((receiver) => ({ resource, receiver })),
  );
  const others = undeclaredIn(unmanaged, received, desired.moves);
  const isWanted = ({ receiver }: { readonly receiver: NamedReceiver }) => isAsked(receiver) && isOutside(receiver);
  const places = valuePlaces({ resources: desired.resources, fileNamed });
  const isSelected = selectedTest(request);
  const placeOf = placeReader(places);
  const placed = received
    .filter((each) => isWanted(each) && isSelected(each.resource))
    .map((each) => ({ ...each, place: placeOf(each.resource, each.receiver) }))
    // In the order of files, so that each is opened once.
    .sort((a, b) => byCodeUnit(fileOf(a.place), fileOf(b.place)));
  const given = [...deliveriesOf(placed, places, request), ...others.filter(isWanted).map(undeclaredDelivery)];
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

function selectedTest({ loaded, state, selectors = [] }: WhoRequest): (resource: Resource) => boolean {
  const among = loaded.desired.resources.flatMap(({ kind, address }) => (hasReceivers(kind) ? [address] : []));
  const selected = resolveOrAll(selectors, selectablesAt(among, loaded.desired, state), { source: loaded });
  return ({ address }) => selected.has(address);
}

type NamedReceiver = Pick<Receiver, 'recipient' | 'kind'>;

interface Placed {
  readonly resource: Resource;
  readonly receiver: Receiver;
  readonly place: ValuePlace;
}

interface Given {
  readonly receiver: NamedReceiver;
  readonly delivery: Delivery;
}

/** The first place where several give the same: the one that is read first. */
function placeReader(places: ValuePlaces): (resource: Resource, receiver: Receiver) => ValuePlace {
  let last:
    | { readonly resource: Resource; readonly field: string; readonly byPath: ReadonlyMap<Pointer, ValuePlace> }
    | undefined;
  return (resource, { field, path }) => {
    if (last?.resource !== resource || last.field !== field) {
      const value = declaredAttributes(resource)[field];
      const traces = places.tracesOf(resource, field, value).toReversed();
      last = { resource, field, byPath: new Map(traces.map((trace) => [trace.path, trace.place])) };
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
  readonly address: Address | undefined;
  readonly receiver: UnmanagedReceiver;
}

/** Of a tracked schedule, those who are declared are known. */
function undeclaredIn(
  read: readonly UnmanagedSchedule[],
  received: readonly { readonly resource: Resource; readonly receiver: Receiver }[],
  moves: Desired<unknown>['moves'],
): readonly Other[] {
  const now = new Map(moves.map(({ from, to }) => [from, to]));
  const keyOf = (address: Address, recipient: string) => `${address} ${recipient}`;
  const declared = new Set(
    read.length === 0 ? [] : received.map((each) => keyOf(each.resource.address, each.receiver.recipient)),
  );
  return read.flatMap(({ row, address: tracked, receivers }) => {
    const address = tracked && (now.get(tracked) ?? tracked);
    return receivers
      .filter(
        ({ recipient, group }) =>
          group !== undefined || address === undefined || !declared.has(keyOf(address, recipient)),
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

function gathered(given: readonly Given[]): readonly Recipient[] {
  const found = new Map<string, NamedReceiver & { readonly deliveries: Delivery[] }>();
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
  { kind, address, attributes, sink }: Resource,
  id: string | undefined,
): Omit<Delivery, 'via' | 'file' | 'line'> & { readonly address: Address } {
  const { identifier, format } = attributes;
  const texts = { name: listedFacts(kind, attributes).title, identifier, format, ...whenItRuns(kind, attributes) };
  return {
    address,
    id,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')),
    paused: idleOf(kind, attributes) === 'paused',
    managed: true,
    sink: sink?.environment,
  };
}
