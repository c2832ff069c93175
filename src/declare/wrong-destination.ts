// Whoever writes the fields of one destination and the name of another makes one mistake, not one for each field.

import { type Destination, destinations, type Field } from '../model/fields/field.ts';
import { scheduleFields } from '../model/fields/schedule-fields.ts';
import type { JsonObject } from '../model/values/json.ts';
import type { RuleFinding } from './findings/rule.ts';

const fields: Readonly<Record<string, Field>> = scheduleFields;
const ofDestinations = Object.entries(fields).filter(([, field]) => field.destinations !== undefined);

/** The one destination of which the schedule has every required field and no other; undefined unless it lacks fields of its own. */
export function meantDestination(
  schedule: JsonObject,
  isInherited: boolean,
): { readonly meant: Destination; readonly finding: RuleFinding } | undefined {
  const declared = destinations.find((destination) => destination === schedule['destinationType']);
  if (declared === undefined || lackedBy(schedule, declared).length === 0) return undefined;
  const given = ofDestinations.filter(([name]) => Object.hasOwn(schedule, name));
  const fitting = destinations.filter(
    (destination) =>
      lackedBy(schedule, destination).length === 0 &&
      given.every(([, field]) => field.destinations?.includes(destination)),
  );
  const [meant, ...others] = fitting;
  if (meant === undefined || others.length > 0) return undefined;
  const names = given.map(([name]) => name);
  return {
    meant,
    finding: {
      code: 'field-not-for-destination',
      message: `The destinationType is ${declared}, and ${listed(names)} ${names.length === 1 ? 'is what' : 'are what'} ${meant} needs.`,
      hint: `Write \`destinationType: ${meant}\`, or replace ${names.length === 1 ? 'it' : 'them'} with what ${declared} needs: ${listed(lackedBy(schedule, declared))}.`,
      ...(isInherited ? { pointer: '', at: 'key' as const } : { pointer: '/destinationType' }),
    },
  };
}

function lackedBy(schedule: JsonObject, destination: Destination): readonly string[] {
  return ofDestinations
    .filter(
      ([name, field]) => field.required && field.destinations?.includes(destination) && !Object.hasOwn(schedule, name),
    )
    .map(([name]) => name);
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}
