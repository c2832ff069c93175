// Schedules that exist in the service but cannot be created through its API. The list is enough to recognise them, so
// no request is spent on their details.

import { scheduleFields } from '../../model/fields/schedule-fields.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';

/** Why it cannot be declared, as a sentence. An empty destination or format is still unknown and passes. */
export function whyUnsupported({
  identifier,
  name,
  destinationType,
  format,
}: Pick<ListedSchedule, 'destinationType' | 'format'> & Partial<ListedSchedule>): string | undefined {
  if (identifier === '') return 'Omni does not say which dashboard it delivers.';
  if (name === '') return 'Omni does not say what its name is.';
  if (destinationType !== '' && !Object.hasOwn(scheduleFields.destinationType.shape.choices, destinationType))
    return `The API cannot create its destination (${destinationType}).`;
  if (format !== '' && !Object.hasOwn(scheduleFields.format.shape.choices, format))
    return `The API cannot create its format (${format}).`;
  return undefined;
}
