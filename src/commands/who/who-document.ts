// What `almanac who --format json` prints (schemas/who.schema.json).

import { recipientSchema } from '../../deliveries/recipients-document.ts';
import { described, formatVersion, listOf, positive, record, type TypeOf } from '../../model/values/schema.ts';

export const whoSchema = record({
  formatVersion,
  // Sorted.
  recipients: listOf(recipientSchema),
  'notRead?': described(
    positive,
    'With --online: how many schedules are missing, because --limit left them or their recipients cannot be read.',
  ),
});
export type WhoDocument = TypeOf<typeof whoSchema>;
