// The schemas of what is printed about deliveries: how the last ones went, and what was delivered now.

import { healths, type ScheduleStatus, type StatusDocument } from '../../src/model/deliveries/status-document.ts';
import {
  type TriggerDocument,
  type TriggeredSchedule,
  triggerStatuses,
} from '../../src/model/deliveries/trigger-document.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { documentSchema, instant } from './state-schemas.ts';
import { constant, count, described, flag, listOf, oneOf, record, text } from './typed-schema.ts';

const formatVersion = described(
  constant(1),
  'Increases when a field changes its meaning or is removed; new fields do not increase it.',
);

const triggered = record<TriggeredSchedule>({
  address: text,
  id: text,
  name: text,
  status: described(
    oneOf(...triggerStatuses),
    'sent: Omni agreed to deliver it. failed: certainly not sent. unknown: the answer was lost. skipped: the run ended before, or it is not known whether it is stale. fresh: it completed lately. blocked: what became of an earlier trigger is not known.',
  ),
  'message?': described(text, 'Why it was not sent, or why that is not known.'),
  'hint?': described(text, 'What to do.'),
});

export const deliverySchemas: Readonly<Record<string, JsonObject>> = {
  'status.schema.json': documentSchema(
    'What almanac status --format json prints',
    record<StatusDocument>({
      formatVersion,
      at: described(instant, 'By the clock of the service.'),
      schedules: described(
        listOf(
          record<ScheduleStatus>({
            'address?': described(text, 'Omitted for a schedule that Almanac does not manage.'),
            id: text,
            name: text,
            health: oneOf(...healths),
            'lastStatus?': described(text, 'In the words of the service, such as COMPLETE or ERROR.'),
            'lastCompletedAt?': described(text, 'As the service writes it; omitted if no run has ended yet.'),
            'due?': described(instant, 'The last run that was due and whose tolerance is over.'),
            'reason?': described(text, 'Why it failed, or why Omni stopped it.'),
            'owner?': described(text, 'The name of its owner in Omni.'),
            'metaOwner?': described(text, 'Who answers for it, as `meta.owner` said when it was applied.'),
            'timezone?': text,
            managed: flag,
          }),
        ),
        'Those that Almanac manages, by address; with --all the others after them, by name.',
      ),
      gone: described(
        listOf(record<StatusDocument['gone'][number]>({ address: text, id: text })),
        'What the state tracks and Omni does not list.',
      ),
      summary: record<StatusDocument['summary']>({
        failed: count,
        missed: count,
        stopped: count,
        fine: count,
        paused: count,
        'condition-unmet': count,
        'never-ran': count,
        notManaged: described(
          record<StatusDocument['summary']['notManaged']>({ count, failing: count }),
          'Schedules that Almanac does not manage, listed or not; without those that `ignore` leaves out.',
        ),
      }),
      'retried?': described(
        listOf(triggered),
        'With --retry: what was delivered again, after everything else in the document was read.',
      ),
    }),
  ),
  'trigger.schema.json': documentSchema(
    'What almanac trigger --format json prints',
    record<TriggerDocument>({
      formatVersion,
      schedules: described(listOf(triggered), 'As they were named; the instances of a loop in its place.'),
      summary: record<TriggerDocument['summary']>({
        sent: count,
        failed: count,
        unknown: count,
        skipped: count,
        fresh: count,
        blocked: count,
      }),
    }),
  ),
};
