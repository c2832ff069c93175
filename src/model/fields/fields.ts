// The tables of fields by kind, and which fields fit a format and destination.

import { type Kind, kindsInOrder } from '../values/address.ts';
import { byCodeUnit } from '../values/json.ts';
import { isWithin, type Pointer, pointerSegments } from '../values/pointer.ts';
import { commonFields, withCommonFields } from './common-fields.ts';
import type { Field, Fields, ResourceField, ResourceFields, Shape } from './field.ts';
import { routineFields } from './routine-fields.ts';
import { scheduleFields } from './schedule-fields.ts';
import { dashboardFilter, dashboardIdentifier, filled, flag, id, listedId, upTo, webAddress } from './shapes.ts';

/** The table of fields of a dashboard's filter state: what the service's update of filters and controls accepts. */
export const dashboardFields = withCommonFields({
  identifier: {
    shape: dashboardIdentifier,
    required: true,
    sent: 'path',
    decides: 'rows',
    read: 'details',
    words:
      'The dashboard: its identifier, the last part of its URL, such as `12db1a0a`. Quote one that looks like a number.',
  },
  filters: {
    shape: { type: 'object', entries: dashboardFilter },
    decides: 'rows',
    read: 'details',
    words:
      'A map of filter ids to what to set on them, such as `{ values: [Europe] }`. Filters that are not listed stay unchanged, and so does a filter that is removed from this map.',
  },
  controls: {
    shape: {
      type: 'object',
      entries: {
        type: 'object',
        words: 'What to set on this control, such as `label`, `description` or `hidden`. Passed on unchanged.',
      },
    },
    decides: 'rows',
    read: 'details',
    words: 'A map of control ids to what to set on them. Controls that are not listed stay unchanged.',
  },
  filterOrder: {
    shape: { type: 'list', items: { type: 'string', minLength: 1 }, uniqueItems: true },
    decides: 'nothing',
    read: 'details',
    words: 'The ids of filters and controls, in the order in which the dashboard shows them.',
  },
  clearExistingDraft: flag({
    requestOption: true,
    decides: 'nothing',
    read: 'never',
    words:
      'When `true`, an unpublished draft of the dashboard is discarded first. All editors of a dashboard share one draft. This is an option of the request: changing only this field changes nothing.',
  }),
  userId: filled({
    sent: 'query',
    requestOption: true,
    decides: 'nothing',
    read: 'never',
    words:
      'The membership id of the user to act for. Needs an organization API key. This is an option of the request: changing only this field changes nothing.',
  }),
});

/**
 * The table of an AI job's fields: what the service's create operation accepts. A job runs once for each content.
 */
export const aiJobFields = withCommonFields({
  modelId: {
    shape: listedId('models'),
    required: true,
    decides: 'rows',
    read: 'details',
    words: 'The model to run the job against.',
  },
  prompt: filled({
    required: true,
    decides: 'rows',
    read: 'details',
    words: 'What to do, in plain language. `${file.prompt.md}` reads it from a file next to this one.',
  }),
  conversationId: { shape: id, decides: 'rows', read: 'details', words: 'Continues an existing conversation.' },
  branchId: {
    shape: listedId('models'),
    decides: 'rows',
    read: 'details',
    words: 'A branch of the model. The job queries its unmerged changes.',
  },
  topicName: upTo(256, {
    decides: 'rows',
    read: 'details',
    words: 'The topic to query. Chosen automatically when omitted.',
  }),
  progressWebhookEnabled: {
    shape: { type: 'boolean' },
    decides: 'when',
    read: 'never',
    words: 'When `true`, progress events are sent to `webhookUrl` while the job runs.',
  },
  webhookUrl: {
    shape: webAddress,
    secretsIn: 'path-and-query',
    decides: 'who',
    read: 'never',
    words: 'The address that receives the events of the job. Its path and query may hold `${env.NAME}`.',
  },
  webhookSigningSecret: filled({
    secret: true,
    decides: 'nothing',
    read: 'never',
    words:
      'The secret with which events are signed (HMAC-SHA256). Write `${env.NAME}`. It is never shown and never written to the state.',
  }),
  webhookMetadata: {
    shape: { type: 'object' },
    decides: 'text',
    read: 'never',
    words: 'Any object. Each event returns it unchanged.',
  },
  userId: {
    shape: listedId('people'),
    sent: 'query',
    requestOption: true,
    decides: 'rights',
    read: 'details',
    words:
      'The membership id of the user to run as. Needs an organization API key. This is an option of the request: changing only this field changes nothing.',
  },
});

/** The table of each kind. */
export const fieldsOf: Readonly<Record<Kind, ResourceFields>> = {
  dashboard: dashboardFields,
  schedule: scheduleFields,
  routine: routineFields,
  aiJob: aiJobFields,
};

/** Computes something from each kind's table of fields. */
function byKind<T>(of: (fields: Fields) => T): Readonly<Record<Kind, T>> {
  return Object.fromEntries(kindsInOrder.map((kind) => [kind, of(fieldsOf[kind])])) as Record<Kind, T>;
}

const ranks = byKind((fields) => new Map(Object.keys(fields).map((name, index) => [name, index])));

/** The order of the kind's table; what is not in it comes last. */
export function inTableOrder(kind: Kind): (a: string, b: string) => number {
  const rank = ranks[kind];
  return (a, b) => (rank.get(a) ?? rank.size) - (rank.get(b) ?? rank.size) || byCodeUnit(a, b);
}

/** The fields that a look compares as they come back in one of these, by name. */
export function fieldsRead(kind: Kind, ...from: readonly ResourceField['read'][]) {
  return Object.entries(fieldsOf[kind]).filter(([, { read, readApart }]) => from.includes(read) && !readApart);
}

/** The names of the fields of any kind that decide one of these parts of a delivery. */
export function fieldsDeciding(...parts: readonly ResourceField['decides'][]): ReadonlySet<string> {
  return fieldsThat(({ decides }) => parts.includes(decides));
}

function fieldsThat(fits: (field: ResourceField) => boolean): ReadonlySet<string> {
  return new Set(
    kindsInOrder.flatMap((kind) =>
      Object.entries(fieldsOf[kind]).flatMap(([name, field]) => (fits(field) ? name : [])),
    ),
  );
}

/** The fields that say at which times something comes, not whether: people may set them in Omni. */
export const timeFields = fieldsThat(({ decides, ignorable }) => decides === 'when' && ignorable === true);

/** The fields that only Almanac reads: a change in these alone reaches only the state. */
export const stateOnlyFields: readonly string[] = Object.entries<Field>(commonFields)
  .filter(([, { sent }]) => sent === 'never')
  .map(([name]) => name);

/** Remarks decide nothing: only people and `validate` read them, so a change in them alone needs no review. */
const remarks: readonly Pointer[] = ['/accept', '/meta'];

export function isRemark(pointer: Pointer): boolean {
  return remarks.some((remark) => isWithin(pointer, remark));
}

/** The names of the fields that the service calls. */
export const urlFieldsOf = byKind((fields) =>
  Object.keys(fields).filter((name) => fields[name] && isUrl(fields[name])),
);

export const secretFieldsOf = byKind((fields) => Object.keys(fields).filter((name) => fields[name]?.secret));

/** The extent to which a value may be secret: as a whole, in any part of its text, or behind the host of a URL. */
export type RoomForSecrets = 'whole' | NonNullable<Field['secretsIn']>;

/** The shape of a field, or of a part of it; undefined where it may hold anything. */
export function shapeAt(kind: Kind, pointer: Pointer): Shape | undefined {
  const [name = '', ...path] = pointerSegments(pointer);
  const fields: Fields = fieldsOf[kind];
  return path.reduce<Shape | undefined>(shapeIn, Object.hasOwn(fields, name) ? fields[name]?.shape : undefined);
}

function shapeIn(shape: Shape | undefined, segment: string): Shape | undefined {
  if (shape?.type === 'list') return shape.items;
  const fields = fieldsInside(shape) ?? {};
  if (Object.hasOwn(fields, segment)) return fields[segment]?.shape;
  return shape?.type === 'object' ? shape.entries : undefined;
}

/** The fields of a record; for a choice of records, those of all of them. Undefined for any other shape. */
export function fieldsInside(shape: Shape | undefined): Fields | undefined {
  if (shape?.type === 'object') return shape.fields;
  if (shape?.type !== 'oneOf') return undefined;
  const all = Object.values(shape.records).map(({ fields }) => fields);
  return Object.assign({ [shape.by]: discriminatorOf(shape) }, ...all) as Fields;
}

/** The field that says which of several records one is. */
export function discriminatorOf({ words, records }: Shape & { readonly type: 'oneOf' }): Field {
  const choices = Object.fromEntries(Object.entries(records).map(([name, record]) => [name, record.words]));
  return { shape: { type: 'choice', choices }, literal: true, required: true, words };
}

/** True for a field that is a URL, which is sent with its host in ASCII. */
export function isUrl({ shape }: Field): boolean {
  return shape.type === 'string' && shape.code === 'invalid-url';
}

/** True if the field is allowed with these attributes; unknown formats and destinations exclude nothing. */
export function fieldApplies(field: Field, attributes: Readonly<Record<string, unknown>>): boolean {
  return (
    excludes(field.destinations, attributes['destinationType']) !== true &&
    excludes(field.formats, attributes['format']) !== true
  );
}

function excludes(allowed: readonly string[] | undefined, value: unknown): boolean {
  return allowed !== undefined && typeof value === 'string' && !allowed.includes(value);
}
