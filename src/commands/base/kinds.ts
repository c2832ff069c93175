// What several commands ask of a kind of resource: what lists call it, when it runs, and where it names people. What one
// command asks stands in a table of that command.

import type { Destination } from '../../model/fields/field.ts';
import type { Kind } from '../../model/values/address.ts';
import type { Json } from '../../model/values/json.ts';
import { type Pointer, valueAt } from '../../model/values/pointer.ts';

/** Attributes as they are declared, shown or recorded. */
type Attributes = Readonly<Record<string, unknown>>;

/** Why a resource that is declared has no coming runs. */
export type Idle = 'paused' | 'once';

interface RunTraits {
  /** The field with its cron expression. */
  readonly schedule: string;
  /** The field with its time zone. */
  readonly timezone: string;
  /** Undefined where it runs. */
  readonly idle: (attributes: Attributes) => Idle | undefined;
}

/** All by name, so that a new kind answers each question. */
interface CommandTraits {
  /** The field with the name that people gave it; undefined where it has none. */
  readonly title: string | undefined;
  /** The field that says what it is about, such as a dashboard; undefined where lists leave that out. */
  readonly subject: string | undefined;
  /** Where it says how it is delivered; undefined where lists leave that out. */
  readonly delivery: Pointer | undefined;
  /** Where it names those who receive it, by the ways in which it may be delivered; none where it delivers nothing. */
  readonly receivers: Readonly<Partial<Record<Destination, Pointer>>>;
  /** Undefined where nothing runs again by itself. */
  readonly runs: RunTraits | undefined;
  /** The field with the address of its owner in Omni; undefined where a declaration names none. */
  readonly owner: string | undefined;
}

export const commandTraits: Readonly<Record<Kind, CommandTraits>> = {
  dashboard: {
    title: undefined,
    subject: 'identifier',
    delivery: undefined,
    receivers: {},
    runs: undefined,
    owner: undefined,
  },
  schedule: {
    title: 'name',
    subject: 'identifier',
    delivery: '/destinationType',
    receivers: { email: '/recipients', slack: '/recipients', webhook: '/url', sftp: '/address', s3: '/bucketName' },
    runs: {
      schedule: 'schedule',
      timezone: 'timezone',
      idle: ({ paused, testNow }) => (paused === true ? 'paused' : testNow === true ? 'once' : undefined),
    },
    owner: 'owner',
  },
  routine: {
    title: 'name',
    subject: 'modelId',
    delivery: '/destination/type',
    receivers: { email: '/destination/recipientEmails', slack: '/destination/recipientId' },
    runs: { schedule: 'schedule', timezone: 'timezone', idle: () => undefined },
    owner: 'owner',
  },
  aiJob: {
    title: undefined,
    subject: undefined,
    delivery: undefined,
    receivers: { webhook: '/webhookUrl' },
    runs: undefined,
    owner: undefined,
  },
};

/** Whether anybody receives what resources of the kind make. */
export function hasReceivers(kind: Kind): boolean {
  return Object.keys(commandTraits[kind].receivers).length > 0;
}

/** The expression and the zone of what runs again by itself. */
export function whenItRuns(kind: Kind, attributes: Attributes) {
  const { runs } = commandTraits[kind];
  return { schedule: runs && textOf(attributes[runs.schedule]), timezone: runs && textOf(attributes[runs.timezone]) };
}

export function idleOf(kind: Kind, attributes: Attributes): Idle | undefined {
  return commandTraits[kind].runs?.idle(attributes);
}

/** What it is called, what it is about, and how it is delivered: texts, as far as it has them. */
export function listedFacts(kind: Kind, attributes: Attributes) {
  const { title, subject, delivery } = commandTraits[kind];
  const at = (field: string | undefined) => (field === undefined ? undefined : textOf(attributes[field]));
  return {
    title: at(title),
    subject: at(subject),
    delivery: delivery === undefined ? undefined : textOf(valueAt(attributes as Json, delivery)),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
