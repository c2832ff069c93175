// The types of declarations follow from the tables: the compiler checks these lines, nothing runs.

import { expectTypeOf, test } from 'vitest';
import type { AiJobAttributes, DashboardAttributes } from '../../src/model/fields/fields.ts';
import type { ScheduleAttributes } from '../../src/model/fields/schedule-fields.ts';
import type { Json } from '../../src/model/values/json.ts';

test('the type of a schedule requires what every schedule needs, has unions for choices, and makes the rest optional', () => {
  expectTypeOf<ScheduleAttributes['name']>().toEqualTypeOf<string>();
  expectTypeOf<ScheduleAttributes['format']>().toEqualTypeOf<'csv' | 'link_only' | 'json' | 'pdf' | 'png' | 'xlsx'>();
  expectTypeOf<ScheduleAttributes['url']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<ScheduleAttributes['port']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ScheduleAttributes['recipients']>().toEqualTypeOf<string | readonly string[] | undefined>();
  expectTypeOf<ScheduleAttributes['filterConfig']>().toEqualTypeOf<Readonly<Record<string, Json>> | undefined>();
});

test('the types of lists, maps and flags follow from their entries', () => {
  expectTypeOf<DashboardAttributes['filterOrder']>().toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<DashboardAttributes['clearExistingDraft']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<AiJobAttributes['modelId']>().toEqualTypeOf<string>();
  expectTypeOf<AiJobAttributes['progressWebhookEnabled']>().toEqualTypeOf<boolean | undefined>();
});
