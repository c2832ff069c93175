// The schemas of what is printed about people: who receives what, and what leaves with somebody.

import {
  type BlockedAddress,
  type OffboardDocument,
  type OffboardEdit,
  type OwnedSchedule,
  type Received,
  type Transferred,
  transferStatuses,
} from '../../src/model/people/offboard-document.ts';
import {
  type Delivery,
  type DeliveryVia,
  memberships,
  type Recipient,
  recipientKinds,
  type WhoDocument,
} from '../../src/model/people/who-document.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { documentSchema } from './state-schemas.ts';
import { constant, described, flag, listOf, oneOf, orNull, positive, record, text } from './typed-schema.ts';

const formatVersion = described(
  constant(1),
  'Increases when a field changes its meaning or is removed; new fields do not increase it.',
);

const via = described(
  record<DeliveryVia>({
    kind: oneOf('resource', 'anchor', 'default', 'variable', 'audience', 'item', 'row', 'text-file', 'sink', 'group'),
    'name?': described(text, 'Of an audience, a variable or a user group; of an item or a row its key.'),
  }),
  'What names the recipient.',
);

const place = { file: text, 'line?': positive };

const delivery = record<Delivery>({
  'address?': described(text, 'Absent where Almanac does not manage it.'),
  'id?': described(text, 'Where the state or the service knows it.'),
  'name?': text,
  'identifier?': text,
  'format?': text,
  'schedule?': text,
  'timezone?': text,
  paused: flag,
  managed: described(flag, 'Whether it is declared here. If not, `address`, `file` and `line` are absent.'),
  'sink?': described(text, 'The environment whose sink receives it instead.'),
  via,
  'file?': text,
  'line?': positive,
});

export const peopleSchemas: Readonly<Record<string, JsonObject>> = {
  'who.schema.json': documentSchema(
    'What almanac who --format json prints',
    record<WhoDocument>({
      formatVersion,
      recipients: listOf(
        record<Recipient>({
          recipient: described(text, 'E-mail addresses and hosts are in lower case.'),
          kind: oneOf(...recipientKinds),
          'membership?': described(
            oneOf(...memberships),
            'Of an e-mail address: what it is to the organization. Absent without --online, and with a token that may not ask.',
          ),
          deliveries: described(
            listOf(delivery),
            'By address, and then those that Almanac does not manage, by name and id.',
          ),
        }),
      ),
      'notRead?': described(
        positive,
        'With --online: how many schedules are missing, because --limit left them or their recipients cannot be read.',
      ),
    }),
  ),
  'offboard.schema.json': documentSchema(
    'What almanac offboard --format json prints',
    record<OffboardDocument>({
      formatVersion,
      email: described(text, 'In lower case.'),
      owns: described(
        listOf(
          record<OwnedSchedule>({ 'address?': text, id: text, 'name?': text, 'identifier?': text, managed: flag }),
        ),
        'Managed ones first, by address. Empty with --offline.',
      ),
      receives: described(
        listOf(
          record<Received>({
            'address?': described(text, 'Of a managed schedule.'),
            'id?': text,
            'name?': text,
            'identifier?': text,
            managed: flag,
            via,
            'file?': text,
            'line?': positive,
          }),
        ),
        'One for each schedule: by address, and then those that are untracked, by name.',
      ),
      edits: described(
        listOf(
          record<OffboardEdit>({
            ...place,
            path: described(text, 'A JSON pointer inside the document; in a CSV file the row from 0 and the column.'),
            before: described(text, 'As written.'),
            after: described(orNull(text), 'Null where it is removed.'),
          }),
        ),
        'Proven, and with --write made.',
      ),
      blocked: described(
        listOf(
          record<BlockedAddress>({
            address: described(text, 'Of a resource; otherwise `audiences.NAME` or `environments.NAME`.'),
            reason: text,
          }),
        ),
        'What cannot be edited.',
      ),
      'transfers?': described(
        listOf(
          record<Transferred>({
            'address?': text,
            id: text,
            'name?': text,
            status: described(
              oneOf(...transferStatuses),
              'skipped: not sent. unknown: the answer was lost, and it is not known who owns it.',
            ),
            'message?': described(text, 'Why it was not transferred, or why that is not known.'),
            'hint?': described(text, 'What to do.'),
          }),
        ),
        'With --apply: what became of each schedule that was to be transferred.',
      ),
    }),
  ),
};
