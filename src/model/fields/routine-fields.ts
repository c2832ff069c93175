// The table of a routine's fields: what the service's create operation accepts, under its own names, in the order in which a
// file lists them, and the few that are Almanac's.

import { withCommonFields } from './common-fields.ts';
import type { Shape } from './field.ts';
import * as patterns from './patterns.ts';
import { scheduleFields } from './schedule-fields.ts';
import { choice, emailAddress, filled, id, listedId, upTo } from './shapes.ts';

const groupId = {
  ...id,
  patternWords:
    'The id of the group, such as `0aea1b4c-ebfd-4f6a-bdf6-d7edfd798b34`: the API of routines takes no names of groups. `almanac list groups --dashboard IDENTIFIER` prints it.',
} as const satisfies Shape;

export const routineFields = withCommonFields({
  modelId: {
    shape: listedId('models'),
    meaning: 'id',
    required: true,
    decides: 'rows',
    widens: 'any',
    read: 'list',
    words:
      'The model that the routine queries: the id of a shared model. Another model means another routine: the old one is replaced.',
  },
  branchId: {
    shape: listedId('models'),
    meaning: 'id',
    decides: 'rows',
    widens: 'any',
    read: 'list',
    words:
      'A branch of the model. The routine queries its unmerged changes. Another branch means another routine: the old one is replaced.',
  },
  topicName: upTo(256, {
    decides: 'rows',
    widens: 'any',
    read: 'list',
    words:
      'The topic to query. Chosen automatically when omitted. Another topic means another routine: the old one is replaced.',
  }),
  name: upTo(512, {
    required: true,
    ignorable: true,
    decides: 'text',
    read: 'list',
    words: 'The name of the routine, which is the subject of the e-mail.',
  }),
  description: upTo(
    2_000,
    {
      cleared: null,
      ignorable: true,
      decides: 'nothing',
      read: 'list',
      words: 'What the routine is for. Only people in Omni read it.',
    },
    0,
  ),
  prompt: filled({
    required: true,
    decides: 'rows',
    widens: 'any',
    read: 'list',
    words: 'What to do, in plain language. `${file.prompt.md}` reads it from a file next to this one.',
  }),
  schedule: {
    ...scheduleFields.schedule,
    words:
      'When it runs: six fields of an AWS EventBridge cron expression, `minutes hours day-of-month month day-of-week year`, at most once an hour. Exactly one of day-of-month and day-of-week is `?`; 1 is Sunday. `0 9 ? * MON *` is every Monday at nine.',
  },
  timezone: scheduleFields.timezone,
  destination: {
    shape: {
      type: 'oneOf',
      by: 'type',
      words: 'Where it is delivered. It decides which other fields apply, so it cannot be interpolated.',
      records: {
        email: {
          words: 'an e-mail to `recipientEmails` and `userGroupIds`',
          fields: {
            recipientEmails: {
              shape: { type: 'list', items: emailAddress, maxItems: 100 },
              default: [],
              set: true,
              words:
                'The e-mail addresses that receive it, at most 100. `${audience.NAME}` stands for the addresses of an audience.',
            },
            userGroupIds: {
              shape: { type: 'list', items: groupId, maxItems: 100 },
              default: [],
              set: true,
              words:
                'The user groups that receive it, at most 100: the id of each. The API of routines takes no names of groups.',
            },
          },
        },
        slack: {
          words: 'a message in one Slack channel or to one Slack user; Slack must be connected to Omni first',
          fields: {
            recipientId: {
              shape: {
                type: 'string',
                pattern: patterns.oneSlackChannel,
                patternWords: 'One id, such as `C0123456789`.',
                code: 'one-slack-channel',
              },
              required: true,
              words: 'The id of the channel or the user. `${audience.NAME}` stands for the Slack id of an audience.',
            },
            slackRecipientType: {
              shape: choice({
                channel: 'one channel; the bot must be invited to a private one',
                users: 'one person, by direct message',
              }),
              required: true,
              words: 'Whether `recipientId` is a channel or a person.',
            },
          },
        },
      },
    },
    required: true,
    decides: 'who',
    read: 'list',
    words:
      'Where it is delivered: `{ type: email, recipientEmails: […] }` or `{ type: slack, recipientId: …, slackRecipientType: channel }`. A routine has one destination, and every recipient gets the same text.',
  },
  userId: {
    shape: listedId('people'),
    sent: 'query',
    requestOption: true,
    decides: 'rights',
    read: 'never',
    words:
      'The membership id of the user who is to own the routine. Needs an organization API key. This is an option of the request: changing only this field changes nothing. `owner` says who owns it for good.',
  },
  owner: {
    ...scheduleFields.owner,
    words:
      'Who owns the routine, and with whose rights it runs: an e-mail address, or a membership id. Needs an organization API key. Another owner means another routine: the old one is replaced.',
  },
});
