// The table of fields of a dashboard's filter state: what the service's update of filters and controls accepts.

import { commonFields } from './common-fields.ts';
import type { Attributes, Fields } from './field.ts';
import { dashboardFilter } from './filter-fields.ts';
import { dashboardIdentifier } from './shapes.ts';

export const dashboardFields = {
  identifier: {
    shape: dashboardIdentifier,
    required: true,
    decisive: true,
    words:
      'The dashboard: its identifier, the last part of its URL, such as `12db1a0a`. Quote one that looks like a number.',
  },
  filters: {
    shape: { type: 'object', entries: dashboardFilter },
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
    words: 'A map of control ids to what to set on them. Controls that are not listed stay unchanged.',
  },
  filterOrder: {
    shape: { type: 'list', items: { type: 'string', minLength: 1 }, uniqueItems: true },
    words: 'The ids of filters and controls, in the order in which the dashboard shows them.',
  },
  clearExistingDraft: {
    shape: { type: 'boolean' },
    default: false,
    requestOption: true,
    words:
      'When `true`, an unpublished draft of the dashboard is discarded first. All editors of a dashboard share one draft. This is an option of the request: changing only this field changes nothing.',
  },
  userId: {
    shape: { type: 'string', minLength: 1 },
    sent: 'query',
    requestOption: true,
    words:
      'The membership id of the user to act for. Needs an organization API key. This is an option of the request: changing only this field changes nothing.',
  },
  ...commonFields,
} as const satisfies Fields;

export type DashboardAttributes = Attributes<typeof dashboardFields>;
