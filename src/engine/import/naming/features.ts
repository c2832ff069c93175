// What tells two schedules of one name apart, as words for their keys, in the order in which people would use them. A
// label is empty where a schedule has nothing to say.

import { isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { kebabOf } from '../../../model/values/kebab.ts';
import { parseUrl } from '../../../model/values/parse-url.ts';
import { dayLabel, timeLabel } from './cron-labels.ts';

/** What an import knows about a schedule that needs a key. */
export interface NamedBySchedule {
  readonly id: string;
  readonly name: string;
  /** The dashboard's short identifier, and its name. */
  readonly identifier: string;
  readonly dashboard: string;
  /** The fields of the declaration, as far as they are known. */
  readonly fields: JsonObject;
  /** ISO 8601; empty where it is not known. */
  readonly createdAt: string;
}

export interface Feature {
  readonly labelOf: (schedule: NamedBySchedule) => string;
}

/** Without the dashboard, which comes before all others. */
export function featuresOf(schedules: readonly NamedBySchedule[]): readonly Feature[] {
  return [
    fieldFeature('destinationType'),
    { labelOf: ({ fields }) => dayLabel(textOf(fields['schedule'])) },
    { labelOf: ({ fields }) => timeLabel(textOf(fields['schedule'])) },
    { labelOf: ({ fields }) => kebabOf(textOf(fields['timezone']).replace(/^.*\//, '')) },
    fieldFeature('format'),
    ...filterIds(schedules).map((id) => filterFeature(id)),
    fieldFeature('conditionType'),
    fieldFeature('queryIdentifierMapKey'),
    { labelOf: placeOf },
    { labelOf: ({ fields }) => onlyRecipient(fields['recipients']) },
    fieldFeature('path'),
    { labelOf: ({ identifier }) => kebabOf(identifier) },
  ];
}

function fieldFeature(name: string): Feature {
  return { labelOf: ({ fields }) => kebabOf(textOf(fields[name])) };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function filterIds(schedules: readonly NamedBySchedule[]): readonly string[] {
  const ids = schedules.flatMap(({ fields: { filterConfig } }) =>
    isJsonObject(filterConfig) ? Object.keys(filterConfig) : [],
  );
  return [...new Set(ids)].sort();
}

/** More values than that are no name. */
const mostValues = 3;

function filterFeature(id: string): Feature {
  return {
    labelOf: ({ fields: { filterConfig } }) => {
      if (!isJsonObject(filterConfig) || !Object.hasOwn(filterConfig, id)) return '';
      const texts = textsIn(filterConfig[id] ?? null);
      return texts.length > mostValues ? '' : kebabOf(texts.join(' '));
    },
  };
}

/** Values and the sides of a range; not the kind of the filter, which all schedules share. */
function textsIn(filter: Json): readonly string[] {
  if (!isJsonObject(filter)) return [];
  return ['values', 'left_side', 'right_side'].flatMap((name) => {
    const value = filter[name];
    return (Array.isArray(value) ? value : [value]).map((each: Json | undefined) => textOf(each)).filter(Boolean);
  });
}

/** The server, bucket or channel. */
function placeOf({ fields }: NamedBySchedule): string {
  const { destinationType, recipients, bucketName, address, url } = fields;
  if (destinationType === 'slack') return kebabOf([recipients ?? []].flat().join(' '));
  return kebabOf(textOf(bucketName) || textOf(address) || (parseUrl(textOf(url))?.hostname ?? ''));
}

function onlyRecipient(recipients: Json | undefined): string {
  if (!Array.isArray(recipients) || recipients.length !== 1) return '';
  return kebabOf(textOf(recipients[0]).replace(/@.*$/, ''));
}
