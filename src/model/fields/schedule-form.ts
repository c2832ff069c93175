// Where a resource delivers, read in one form whatever its kind: a row says which of its fields say so. Which domains and
// hosts that are, and which of these are ours, src/plan/dangers/world.ts knows.

import { type Kind, kindsInOrder } from '../values/address.ts';
import type { Pointer } from '../values/pointer.ts';
import { type Destination, destinations } from './field.ts';

/** Attributes as they are declared, planned or recorded. */
type Attributes<V> = Readonly<Record<string, V>>;

/** The fields of a schedule that say where it delivers, under their names there; others may stand beside them. */
type Delivery<V> = Readonly<Partial<Record<string, V | Destination>>>;

interface DeliveryTraits {
  /** Where it delivers, in the form of a schedule; without `destinationType` where it delivers nothing. */
  readonly read: <V>(attributes: Attributes<V>) => Delivery<V>;
  /** The places of the people and channels that it names. */
  readonly people: readonly Pointer[];
  /** The place of the user groups that it names. */
  readonly groups?: Pointer;
  /** The fields that say who receives a delivery: a sink gives them. */
  readonly sunk: readonly string[];
}

const nowhere: Delivery<never> = {};

export const deliveries: Readonly<Record<Kind, DeliveryTraits>> = {
  dashboard: { read: () => nowhere, people: [], sunk: [] },
  schedule: {
    read: (attributes) => attributes,
    people: ['/recipients'],
    groups: '/userGroups',
    sunk: ['recipients', 'userGroups', 'slackRecipientType', 'url'],
  },
  routine: {
    read: ({ destination }) => deliveryOfRoutine(destination),
    people: ['/destination/recipientEmails', '/destination/recipientId'],
    groups: '/destination/userGroupIds',
    sunk: ['destination'],
  },
  aiJob: {
    read: ({ webhookUrl: url }) => (url === undefined ? nowhere : { destinationType: 'webhook', url }),
    people: [],
    sunk: ['webhookUrl'],
  },
};

/** What is no map, or has another type, is wrong, and delivers nothing. */
function deliveryOfRoutine<V>(destination: V | undefined): Delivery<V> {
  if (typeof destination !== 'object' || destination === null) return nowhere;
  const { type, recipientEmails, userGroupIds, recipientId, slackRecipientType } = destination as Attributes<V>;
  if (type === 'email')
    return { destinationType: 'email', ...set({ recipients: recipientEmails, userGroups: userGroupIds }) };
  if (type === 'slack') return { destinationType: 'slack', ...set({ recipients: recipientId, slackRecipientType }) };
  return nowhere;
}

function set<V>(fields: Readonly<Record<string, V | undefined>>): Delivery<V> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Delivery<V>;
}

export function deliveryOf<V>(kind: Kind, attributes: Attributes<V>): Delivery<V> {
  return deliveries[kind].read(attributes);
}

/** Where it delivers; undefined for what delivers nothing, and where the declaration says it wrongly. */
export function destinationOf({ kind, attributes }: Delivering): Destination | undefined {
  const { destinationType } = deliveryOf(kind, attributes);
  return destinations.find((name) => name === destinationType);
}

interface Delivering {
  readonly kind: Kind;
  readonly attributes: Attributes<unknown>;
}

/** The fields of any resource that a sink gives. */
export const sinkFields: readonly string[] = kindsInOrder.flatMap((kind) => deliveries[kind].sunk);
