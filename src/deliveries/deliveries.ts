// A row for each thing that is delivered again and again. One source gives all rows: the declarations, the state, or
// Omni. A row names those who receive it by that source and by none before it. Sends nothing.

import { type ValuePlaces, valuePlaces } from '../declare/value-places.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import { timeFields } from '../model/fields/fields.ts';
import { type Receiver, type ReceiverKind, receiverKey, recipientOf } from '../model/fields/receiver.ts';
import type { Neighbours, TrackedBy } from '../model/plan/neighbours.ts';
import { groupsIn } from '../model/plan/user-groups.ts';
import { type Address, deliversDashboard, type Kind, kindAt } from '../model/values/address.ts';
import { groupBy, memoize, once } from '../model/values/collections.ts';
import { domainOf, insideTest } from '../model/values/domains.ts';
import { byCodeUnit, stringIn } from '../model/values/json.ts';
import type { Pointer } from '../model/values/pointer.ts';
import { Failure } from '../model/workspace/failure.ts';
import { type DeclaredObject, declaredAttributes, type Resource } from '../model/workspace/resource.ts';
import type { AppliedResource, AppliedState } from '../plan/applied.ts';
import { listedFacts } from '../report/listed-facts.ts';
import type { FileNamed } from '../yaml/parsed-files.ts';
import type { UnmanagedSchedule } from './unmanaged-recipients.ts';
import type { DeliveryVia } from './via-document.ts';

export interface DeliveryRow {
  /** `unresolved`: a change whose outcome is unknown. */
  readonly source: 'declared' | 'applied' | 'unresolved' | 'omni';
  readonly kind: Kind;
  /** The declared address, even before its move is applied; undefined if nothing tracks it. */
  readonly address: Address | undefined;
  readonly id: string | undefined;
  /** The declared values, with what ignoreChanges keeps, and without the sink of the environment. */
  readonly attributes: DeclaredObject;
  /** The fields that ignoreChanges keeps, as far as lists of deliveries show them. */
  readonly keptFields: readonly string[];
  readonly resource?: Resource;
  /** Whoever tracks it in place of this workspace. */
  readonly trackedBy?: TrackedBy;
  /** The receivers, each once. They are found when they are asked for: there may be a million of them. */
  readonly receivers: () => readonly RowReceiver[];
}

export interface RowReceiver {
  readonly kind: ReceiverKind;
  /** E-mail addresses and hosts are in lower case. */
  readonly recipient: string;
  /** The place that names them. Only this opens the file. */
  readonly place: () => ReceiverPlace;
}

interface ReceiverPlace {
  readonly via: DeliveryVia;
  readonly file?: string;
  readonly line?: number | undefined;
}

/** Rows by address and source; then what this workspace does not track, by name and id. `unmanaged`: as read from Omni. */
export function deliveryRows(
  applied: AppliedState,
  fileNamed: FileNamed,
  unmanaged: readonly UnmanagedSchedule[] = [],
  ofNeighbours: readonly DeliveryRow[] = [],
): readonly DeliveryRow[] {
  const { resources, running } = applied;
  const places = valuePlaces({ resources, fileNamed });
  const managed = [...resources.map((each) => declaredRow(each, applied, places)), ...appliedRows(running)];
  const byAddress = once(() => groupBy(managed, ({ address }) => address));
  const byName = unmanaged.toSorted((a, b) => byCodeUnit(a.row.name, b.row.name) || byCodeUnit(a.row.id, b.row.id));
  const inOmni = byName.map((read) => {
    const address = applied.addressOf(read.row.id);
    return omniRow(read, address, address === undefined ? [] : (byAddress().get(address) ?? []));
  });
  const isUntracked = ({ address }: DeliveryRow) => Number(address === undefined);
  return [...managed, ...inOmni, ...ofNeighbours].sort(
    (a, b) => isUntracked(a) - isUntracked(b) || byCodeUnit(a.address ?? '', b.address ?? ''),
  );
}

/** Whoever is named twice, such as in upper and in lower case, receives it once. */
function declaredRow(resource: Resource, applied: AppliedState, places: ValuePlaces): DeliveryRow {
  const { kind, address } = resource;
  const attributes = declaredAttributes<DeclaredObject>(resource);
  return {
    source: 'declared',
    kind,
    address,
    id: applied.idOf(address),
    attributes,
    keptFields: applied.keptIn(address).filter((field) => field === 'name' || timeFields.has(field)),
    resource,
    receivers: () => {
      const listedRecipients = new Set<string>();
      const placeAt = placeReader(resource, attributes, places);
      return deliveryOf(kind, attributes)
        .to.map((receiver) => listed(receiver, () => placeAt(receiver.at)))
        .filter(({ recipient }) => listedRecipients.size < listedRecipients.add(recipient).size);
    },
  };
}

/** The first place where several give the same: the one that is read first. */
function placeReader(
  resource: Resource,
  attributes: DeclaredObject,
  { tracesOf, viaOf }: ValuePlaces,
): (at: Pointer) => ReceiverPlace {
  const placesIn = memoize((field: string) => {
    const traces = tracesOf(resource, field, attributes[field]).toReversed();
    return new Map(traces.map(({ path, place }) => [path, place]));
  });
  return (at) => {
    const end = at.indexOf('/', 1);
    const [field, path] = end < 0 ? [at.slice(1), ''] : [at.slice(1, end), at.slice(end)];
    const found = placesIn(field);
    const place = found.get(path) ?? found.get('') ?? { kind: 'resource', origin: resource.origin };
    const { kind, name, file, line } = viaOf(place);
    const isCell = place.kind === 'item' && place.part === 'cell';
    return { via: { kind: isCell ? 'row' : kind, name }, file, line };
  };
}

/** Each receiver is in the first row of its address: what was applied comes before a change whose outcome is unknown. */
function appliedRows(running: readonly AppliedResource[]): readonly DeliveryRow[] {
  const listedReceivers = new Set<string>();
  return running.map(({ kind, address, id, attributes, declared, groups = [], isOpen }) => {
    const known = groupsIn(() => groups);
    // The receivers to whom the next apply sends it as well.
    const sent = new Set(declared === undefined ? [] : deliveryOf(kind, declared, known).to.map(receiverKey));
    const onlyApplied = deliveryOf(kind, attributes, known)
      .to.filter((receiver) => !sent.has(receiverKey(receiver)))
      .filter((receiver) => listedReceivers.size < listedReceivers.add(`${address} ${receiverKey(receiver)}`).size);
    const source = isOpen ? 'unresolved' : 'applied';
    const receivers = () => onlyApplied.map((receiver) => listed(receiver, () => ({ via: { kind: source } })));
    return { source, kind, address, id, attributes, keptFields: [], receivers };
  });
}

/** The deliveries that neighbours have applied, as their states say, which costs no request. `isThere`: whether Omni lists a schedule of that id. */
export function rowsOfNeighbours(
  { read }: Pick<Neighbours, 'read'>,
  isThere: (id: string) => boolean,
): readonly DeliveryRow[] {
  return read.flatMap(({ who, state }) =>
    Object.entries(state?.resources ?? {}).flatMap(
      ([address, { id, attributes, groups = [] }]): readonly DeliveryRow[] => {
        const kind = kindAt(address);
        if (deliversDashboard(kind) && (id === undefined || !isThere(id))) return [];
        const receivers = () =>
          deliveryOf(
            kind,
            attributes,
            groupsIn(() => groups),
          ).to.map((receiver) => listed(receiver, () => ({ via: { kind: 'resource' } })));
        const trackedBy = { who, address };
        return [{ source: 'applied', kind, address: undefined, id, attributes, keptFields: [], trackedBy, receivers }];
      },
    ),
  );
}

/** Named receivers come first; members of a group may be among them again. `managed`: rows by the other sources. */
function omniRow(
  { row, receivers }: UnmanagedSchedule,
  address: Address | undefined,
  managed: readonly DeliveryRow[],
): DeliveryRow {
  const { id, name, identifier, format, schedule, timezone, paused } = row;
  const filledFields = Object.entries({ name, identifier, format, schedule, timezone, paused }).filter(
    ([, of]) => of !== '',
  );
  return {
    source: 'omni',
    kind: 'schedule',
    address,
    id,
    attributes: Object.fromEntries(filledFields),
    keptFields: [],
    receivers: () => {
      const known = new Set(managed.flatMap((each) => each.receivers().map(({ recipient }) => recipient)));
      return receivers
        .filter(({ recipient, group }) => group !== undefined || !known.has(recipient))
        .toSorted((a, b) => byCodeUnit(a.group ?? '', b.group ?? ''))
        .map(({ kind, recipient, group }) => ({
          kind,
          recipient,
          place: () => ({ via: group === undefined ? { kind: 'resource' } : { kind: 'group', name: group } }),
        }));
    },
  };
}

function listed(receiver: Receiver, place: RowReceiver['place']): RowReceiver {
  return { kind: receiver.kind, recipient: recipientOf(receiver), place };
}

export function aboutDelivery({ kind, address, id, attributes, resource, trackedBy, keptFields }: DeliveryRow) {
  const { when, paused } = deliveryOf(kind, attributes);
  const text = (field: string) => stringIn(attributes[field]);
  return {
    address,
    id,
    name: listedFacts(kind, attributes).title,
    identifier: text('identifier'),
    format: text('format'),
    schedule: when?.schedule,
    timezone: when?.timezone,
    paused,
    managed: address !== undefined,
    trackedBy,
    sink: resource?.sink?.environment,
    kept: keptFields.length === 0 ? undefined : keptFields,
  };
}

/**
 * Keeps recipients with a domain that is not ours, for `--external`. It judges no risk: a bucket has no domain, and yet
 * is outside to a plan (src/plan/dangers/world.ts). Throws Failure usage: without a list, all would be outside.
 */
export function outsideDomainTest(
  internalDomains: readonly string[],
): (receiver: Pick<RowReceiver, 'kind' | 'recipient'>) => boolean {
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
