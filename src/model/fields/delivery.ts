// The one view of what a resource delivers, made from its attributes. The view says who receives it and where, what it
// shows and which rows, when it runs and with whose rights. Attributes may be declared, in which secrets are Secrets,
// or sealed, masked or answered by Omni. Nothing is judged; no document and no digest holds the view.

import { type Groups, noGroups } from '../plan/user-groups.ts';
import { type Kind, kinds, kindsInOrder } from '../values/address.ts';
import { memoize, memoizeObject } from '../values/collections.ts';
import { isJsonObject, type Json, type JsonObject, ownValue } from '../values/json.ts';
import { type Pointer, parentOf, pointerSegments, pointerTo } from '../values/pointer.ts';
import { isSecret, knownText, variablesIn } from '../values/secret.ts';
import { conditionOf } from './conditions.ts';
import { type Destination, destinations } from './field.ts';
import { fieldsOf } from './fields.ts';
import { ownerOf } from './identity.ts';
import {
  hidden,
  inBucket,
  inGroup,
  inSlack,
  mailed,
  onServer,
  posted,
  type Receiver,
  type ReceiverKind,
  receiverKey,
  receiversUnder,
} from './receiver.ts';

/** Attributes as they are declared, planned, shown or recorded, or as Omni answers them. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A filter that limits the rows of one delivery. */
export interface Limit {
  readonly written: Json;
  readonly condition: JsonObject;
  readonly at: Pointer;
  /** It may be the dashboard's: nothing was sent of it since the adoption. */
  readonly isUnread?: boolean;
}

/** The member with whose rights it runs. */
interface AsWhom {
  /** An e-mail address, or a membership id. */
  readonly name: string;
  /** It belongs to them; otherwise only its POST acts for them. */
  readonly isOwner: boolean;
}

/** The time at which it runs by itself. A value that is masked, or is no plain text, is left out. */
interface When {
  readonly schedule: string | undefined;
  readonly timezone: string | undefined;
  /** It runs only once, as soon as it is created. */
  readonly isOnce: boolean;
}

/** A secret that goes out with it. */
interface SentSecret {
  readonly field: string;
  /** The variables that its text names; empty if only a mask is known. */
  readonly variables: readonly string[];
  /** The host that gets it. */
  readonly host: string;
}

export interface Delivery {
  /** Undefined if it delivers nothing, or if the attributes are wrong about it. */
  readonly way: Destination | undefined;
  readonly to: readonly Receiver[];
  /** The addresses and URLs anywhere under `extra`: nobody knows what these fields mean, so each may receive it. */
  readonly inExtra: readonly Receiver[];
  /** The fields of `extra`. */
  readonly extras: readonly string[];
  /** The identifier of its dashboard; undefined for what shows none. */
  readonly dashboard: Json | undefined;
  /** The values of the fields that say what it shows besides its filters, and whose rights it is rendered with; undefined if absent. */
  readonly shows: ReadonlyMap<string, Json | undefined>;
  /** The filters that it sets itself, by their ids. */
  readonly rows: ReadonlyMap<string, Limit>;
  /** The values of the fields that decide at each run whether it delivers; undefined if absent. */
  readonly alert: ReadonlyMap<string, Json | undefined>;
  readonly asWhom: AsWhom | undefined;
  /** Each person gets it with their own rights. */
  readonly isFannedOut: boolean;
  /** The time of its runs; undefined for a kind that does not run by itself. */
  readonly when: When | undefined;
  readonly paused: boolean;
  readonly secrets: readonly SentSecret[];
}

/** The fields of a kind that tell its delivery; those for the time and the rights have the same names in all kinds. */
interface DeliveryFields {
  /** The field that says how it is delivered. Without it, the receiver itself says so. */
  readonly saidIn?: Pointer;
  readonly receivers: Readonly<Partial<Record<ReceiverKind, Pointer>>>;
  readonly filters?: string;
  readonly alert: readonly string[];
}

const fieldsOfDelivery: Readonly<Record<Kind, DeliveryFields>> = {
  dashboard: { receivers: {}, filters: 'filters', alert: [] },
  schedule: {
    saidIn: '/destinationType',
    receivers: {
      email: '/recipients',
      group: '/userGroups',
      slack: '/recipients',
      webhook: '/url',
      sftp: '/address',
      s3: '/bucketName',
    },
    filters: 'filterConfig',
    alert: ['conditionType', 'conditionQueryMapKey'],
  },
  routine: {
    saidIn: '/destination/type',
    receivers: {
      email: '/destination/recipientEmails',
      group: '/destination/userGroupIds',
      slack: '/destination/recipientId',
    },
    alert: [],
  },
  aiJob: {
    receivers: { webhook: '/webhookUrl' },
    alert: [],
  },
};

/** Each part is read when it is asked for: there may be as many deliveries as resources. */
export function deliveryOf(kind: Kind, attributes: Attributes, groups: Groups = noGroups): Delivery {
  return new View({ kind, attributes, groups });
}

interface AttributesToRead {
  readonly kind: Kind;
  readonly attributes: Attributes;
  readonly groups: Groups;
}

class View implements Delivery {
  readonly #read: AttributesToRead;
  #to: readonly Receiver[] | undefined;
  #inExtra: readonly Receiver[] | undefined;
  #shows: Delivery['shows'] | undefined;
  #rows: ReadonlyMap<string, Limit> | undefined;

  constructor(read: AttributesToRead) {
    this.#read = read;
  }

  get way(): Delivery['way'] {
    return destinationOf(this.#read);
  }

  get to(): Delivery['to'] {
    this.#to ??= receiversIn(this.way, this.#read);
    return this.#to;
  }

  get inExtra(): Delivery['inExtra'] {
    this.#inExtra ??= receiversUnder(this.#read.attributes['extra'], '/extra');
    return this.#inExtra;
  }

  get extras(): Delivery['extras'] {
    const { extra } = this.#read.attributes;
    return isJsonObject(extra) ? Object.keys(extra) : [];
  }

  get dashboard(): Delivery['dashboard'] {
    return dashboardIn(this.#read);
  }

  get shows(): Delivery['shows'] {
    this.#shows ??= shownIn(this.#read);
    return this.#shows;
  }

  get rows(): Delivery['rows'] {
    this.#rows ??= limitsIn(this.#read);
    return this.#rows;
  }

  get alert(): Delivery['alert'] {
    const { kind, attributes } = this.#read;
    return new Map(fieldsOfDelivery[kind].alert.map((name) => [name, attributes[name] as Json | undefined]));
  }

  get asWhom(): Delivery['asWhom'] {
    const { kind, attributes } = this.#read;
    return kinds[kind].life === 'settings' ? undefined : asWhomIn(attributes);
  }

  get isFannedOut(): boolean {
    return this.#read.attributes['fanOut'] === true;
  }

  get when(): Delivery['when'] {
    const { kind, attributes } = this.#read;
    return kinds[kind].life === 'recurring' ? whenIn(attributes) : undefined;
  }

  get paused(): boolean {
    return this.#read.attributes['paused'] === true;
  }

  get secrets(): Delivery['secrets'] {
    const { kind, attributes } = this.#read;
    return secretsIn(kind, attributes, this.to);
  }
}

/** Lists the filters that a delivery or a dashboard sets, but makes no view of them: there are many. */
export function filtersSetBy({ kind, attributes }: DeliveringResource): FiltersSet {
  const { filters: field } = fieldsOfDelivery[kind];
  const filters = field === undefined ? undefined : attributes[field];
  return { dashboard: dashboardIn({ kind, attributes }), ids: isJsonObject(filters) ? Object.keys(filters) : [] };
}

interface FiltersSet {
  /** The identifier; undefined for what shows no dashboard. */
  readonly dashboard: Json | undefined;
  readonly ids: readonly string[];
}

/** The delivery before a change and after it. */
export interface DeliveryChange {
  /** Undefined if there was nothing. */
  readonly before: Delivery | undefined;
  readonly after: Delivery | undefined;
}

export function deliveredBy({ kind, before, after }: ChangedAttributes, groups?: Groups): DeliveryChange {
  const read = (attributes: Attributes | null) =>
    attributes === null ? undefined : deliveryOf(kind, attributes, groups);
  return { before: read(before), after: read(after) };
}

/** True if somebody who receives it before no longer does afterwards. */
export function losesReceiver({ before, after }: DeliveryChange): boolean {
  const stay = new Set(after?.to.map(receiverKey));
  return before?.to.some((receiver) => !stay.has(receiverKey(receiver))) ?? false;
}

interface ChangedAttributes {
  readonly kind: Kind;
  readonly before: Attributes | null;
  readonly after: Attributes | null;
}

/** The way of delivery; undefined if nothing is delivered, or if the attributes are wrong about it. */
export function destinationOf({ kind, attributes }: DeliveringResource): Destination | undefined {
  const { saidIn, receivers } = fieldsOfDelivery[kind];
  if (saidIn === undefined) return destinations.find((way) => partAt(attributes, receivers[way]) !== undefined);
  const said = partAt(attributes, saidIn);
  return destinations.find((way) => way === said);
}

interface DeliveringResource {
  readonly kind: Kind;
  readonly attributes: Attributes;
}

/** The fields in which a kind names its receivers, by how they are reached. */
export function receiversAt(kind: Kind): DeliveryFields['receivers'] {
  return fieldsOfDelivery[kind].receivers;
}

/** The places of the people and channels that a kind names. */
export const peopleAt = memoize((kind: Kind): readonly Pointer[] => {
  const { email, slack } = fieldsOfDelivery[kind].receivers;
  return [...new Set([email, slack])].flatMap((at) => at ?? []);
});

/** The field that says whether a receiver in Slack is a channel. */
export function slackTypeAt(kind: Kind): Pointer {
  return `${parentOf(fieldsOfDelivery[kind].receivers.slack ?? '')}/slackRecipientType`;
}

/** The field in which a kind names its owner in Omni; undefined if a declaration names none. */
export function ownerAt(kind: Kind): Pointer | undefined {
  return fieldsOf[kind]['owner'] && '/owner';
}

/** The fields of any resource that a sink gives: it replaces whoever gets mail, messages and posts. */
export const sinkFields: readonly string[] = kindsInOrder.flatMap((kind) => {
  const { email, group, slack, webhook } = fieldsOfDelivery[kind].receivers;
  const replaced = [email, group, slack, slack && slackTypeAt(kind), webhook];
  return [...new Set(replaced.flatMap((at) => (at === undefined ? [] : pointerSegments(at).slice(0, 1))))];
});

/** The kinds of receivers that a destination reaches: mail goes to user groups as well. */
const reached: Readonly<Record<Destination, readonly ReceiverKind[]>> = {
  email: ['email', 'group'],
  slack: ['slack'],
  webhook: ['webhook'],
  sftp: ['sftp'],
  s3: ['s3'],
};

const receiverNamed: Readonly<Record<ReceiverKind, (text: string, at: Pointer, read: AttributesToRead) => Receiver>> = {
  email: mailed,
  group: (text, at, { groups }) => inGroup(text, at, groups(text)),
  slack: (text, at, { kind, attributes }) => inSlack(text, at, partAt(attributes, slackTypeAt(kind)) === 'users'),
  webhook: posted,
  sftp: (text, at, { attributes: { path, username } }) => ({
    ...onServer(text, at),
    file: knownText(path),
    user: knownText(username),
  }),
  s3: (text, at, { attributes }) => inBucket(text, at, attributes),
};

/** The receivers that a text may name several of, between commas: one that stands for a whole list, or any text. */
const listed: Readonly<Partial<Record<ReceiverKind, 'whole' | 'any'>>> = { email: 'whole', slack: 'any' };

function receiversIn(way: Destination | undefined, read: AttributesToRead): readonly Receiver[] {
  if (way === undefined) return [];
  const [named = [], ...others] = reached[way]
    .map((kind) => receiversOf(kind, read))
    .filter(({ length }) => length > 0);
  // The same list wherever the people are the same.
  return others.length === 0 ? named : [named, ...others].flat();
}

function receiversOf(kind: ReceiverKind, read: AttributesToRead): readonly Receiver[] {
  const place = fieldsOfDelivery[read.kind].receivers[kind];
  if (place === undefined) return [];
  const value = partAt(read.attributes, place);
  if (kind === 'email' && Array.isArray(value)) return mailedAt(place)(value);
  const named = textsIn(value, place, listed[kind]);
  return named.map(({ text, at }) => (text === undefined ? hidden(kind, at) : receiverNamed[kind](text, at, read)));
}

/** A list is read once: thousands of resources may share one of thousands of people. */
const mailedAt = memoize((place: Pointer) =>
  memoizeObject((list: readonly unknown[]) =>
    textsIn(list, place, 'whole').map(({ text, at }) => (text === undefined ? hidden('email', at) : mailed(text, at))),
  ),
);

interface NamedText {
  readonly at: Pointer;
  /** Undefined if it is hidden. */
  readonly text: string | undefined;
}

function textsIn(value: unknown, at: Pointer, isList: 'whole' | 'any' | undefined): readonly NamedText[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    const inItem = isList === 'any' ? isList : undefined;
    return value.flatMap((item, index) => textsIn(item, at + pointerTo(index), inItem));
  }
  const text = knownText(value);
  const texts = isList !== undefined && text !== undefined ? text.split(',') : [text];
  return texts.flatMap((each) => (each?.trim() === '' ? [] : { at, text: each }));
}

function dashboardIn({ kind, attributes }: DeliveringResource): Json | undefined {
  return fieldsOf[kind]['identifier'] && (attributes['identifier'] as Json | undefined);
}

/** The fields that decide rows or columns, and others whose change may show more: but for maps, which filters and alerts are. */
const showing = memoize((kind: Kind) =>
  Object.entries(fieldsOf[kind]).filter(
    ([, { decides, widens, shape }]) =>
      shape.type !== 'object' &&
      (decides === 'rows' || decides === 'columns' || (widens !== undefined && decides !== 'when')),
  ),
);

/** An option of another format is left out: it says nothing. What hides columns counts in every table. */
function shownIn({ kind, attributes }: AttributesToRead): Delivery['shows'] {
  const { format } = attributes;
  const shown = new Map<string, Json | undefined>();
  for (const [name, { formats, widens }] of showing(kind))
    if (formats === undefined || formats.some((each) => each === format) || (widens === 'off' && fullness(format) > 1))
      shown.set(name, attributes[name] as Json | undefined);
  return shown;
}

/** How much of the rows a format holds: a link none, a picture some, a table all. */
export function fullness(format: unknown): number {
  return format === 'link_only' ? 0 : format === 'pdf' || format === 'png' ? 1 : 2;
}

function limitsIn({ kind, attributes }: AttributesToRead): ReadonlyMap<string, Limit> {
  const field = fieldsOfDelivery[kind].filters;
  const filters = field === undefined ? undefined : attributes[field];
  if (field === undefined || !isJsonObject(filters)) return new Map();
  return new Map(
    Object.entries(filters).map(([id, written]) => [
      id,
      { written, condition: conditionOf(written), at: pointerTo(field, id) },
    ]),
  );
}

function asWhomIn(attributes: Attributes): AsWhom | undefined {
  const name = ownerOf(attributes);
  return name === undefined ? undefined : { name, isOwner: attributes['owner'] === name };
}

function whenIn({ schedule, timezone, testNow }: Attributes): When {
  const plain = (value: unknown) => (typeof value === 'string' && !isSecret(value) ? value : undefined);
  return { schedule: plain(schedule), timezone: plain(timezone), isOnce: testNow === true };
}

/** The reason why it has no coming runs. */
export type Idle = 'paused' | 'once';

/** The reason why it does not run; undefined if it runs, or is of a kind that does not run by itself. */
export function idleOf({ when, paused }: Delivery): Idle | undefined {
  if (when === undefined) return undefined;
  return paused ? 'paused' : when.isOnce ? 'once' : undefined;
}

/** The secrets that go to a known host; others are left out. */
function secretsIn(kind: Kind, attributes: Attributes, to: readonly Receiver[]): readonly SentSecret[] {
  const host = to.find((each) => (each.kind === 'webhook' || each.kind === 'sftp') && !each.isHidden)?.shown;
  if (host === undefined) return [];
  return mayBeSecret(kind).flatMap((field) => {
    const value = attributes[field];
    const variables = variablesIn(knownText(value) ?? '');
    return variables.length > 0 || isSecret(value) ? [{ field, variables, host }] : [];
  });
}

const mayBeSecret = memoize((kind: Kind): readonly string[] =>
  Object.entries(fieldsOf[kind]).flatMap(([name, { secret, secretsIn: part }]) => (secret || part ? name : [])),
);

const segmentsOf = memoize(pointerSegments);

/** The value at a pointer of the table; undefined if it is missing. The pointers are few and the attributes many. */
export function partAt(attributes: Attributes, at: Pointer | undefined): unknown {
  if (at === undefined) return undefined;
  let part: unknown = attributes;
  for (const key of segmentsOf(at)) part = ownValue(part, key);
  return part;
}
