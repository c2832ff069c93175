// Deliveries that the service makes and its create operation does not take. The list tells them, so that no request is
// spent on their details.

import { scheduleFields } from '../../model/fields/schedule-fields.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';

/** Why no declaration can hold it, as a sentence; an empty destination or format is not told yet. */
export function whyUnknown({
  identifier,
  name,
  destinationType,
  format,
}: Pick<ListedSchedule, 'destinationType' | 'format'> & Partial<ListedSchedule>): string | undefined {
  if (identifier === '') return 'Omni does not tell which dashboard it delivers.';
  if (name === '') return 'Omni does not tell its name.';
  if (destinationType !== '' && !Object.hasOwn(scheduleFields.destinationType.shape.choices, destinationType))
    return `Its destination (${destinationType}) is none that the API can create.`;
  if (format !== '' && !Object.hasOwn(scheduleFields.format.shape.choices, format))
    return `Its format (${format}) is none that the API can create.`;
  return undefined;
}
