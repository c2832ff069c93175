// The table of fields of an audience.

import type { Fields } from './field.ts';
import * as patterns from './patterns.ts';
import { emailAddress } from './shapes.ts';

export const audienceFields = {
  emails: {
    shape: { type: 'list', items: emailAddress, minItems: 1 },
    set: true,
    words: 'The e-mail addresses, for schedules that are delivered by e-mail.',
  },
  slack: {
    shape: {
      type: 'string',
      pattern: patterns.oneSlackChannel,
      patternWords: 'One id, such as `C0123456789`.',
      code: 'one-slack-channel',
    },
    words: 'The id of a Slack channel or user, for schedules that are delivered to Slack.',
  },
  note: {
    shape: { type: 'string' },
    words: 'For people, such as why this audience may receive the data. Nothing reads it.',
  },
} as const satisfies Fields;

/** An audience that nobody is in would silently deliver to nobody. */
export const audienceIsSomebody = {
  code: 'required-field',
  words: 'An audience needs `emails`, `slack` or both: add the one that its schedules need.',
  if: { not: { anyOf: [{ required: ['emails'] }, { required: ['slack'] }] } },
  then: { required: ['emails'] },
} as const;
