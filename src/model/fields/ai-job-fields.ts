// The table of an AI job's fields: what the service's create operation takes. A job runs once for each content.

import { commonFields } from './common-fields.ts';
import type { Attributes, Fields } from './field.ts';
import { uuid, webAddress } from './shapes.ts';

export const aiJobFields = {
  modelId: { shape: uuid, required: true, words: 'The model to run the job against.' },
  prompt: {
    shape: { type: 'string', minLength: 1 },
    required: true,
    words: 'What to do, in plain language. `${file.prompt.md}` takes it from a file beside this one.',
  },
  conversationId: { shape: uuid, words: 'Continues an existing conversation.' },
  branchId: { shape: uuid, words: 'A branch of the model: queries its unmerged changes.' },
  topicName: {
    shape: { type: 'string', minLength: 1 },
    words: 'The topic to query; chosen automatically when left out.',
  },
  progressWebhookEnabled: {
    shape: { type: 'boolean' },
    words: 'When `true`, progress events are sent to `webhookUrl` while the job runs.',
  },
  webhookUrl: {
    shape: webAddress,
    words: 'The address that receives the events of the job.',
  },
  webhookSigningSecret: {
    shape: { type: 'string', minLength: 1 },
    secret: true,
    words:
      'The secret that events are signed with (HMAC-SHA256). Write `${env.NAME}`; it is never shown and never written to the state.',
  },
  webhookMetadata: { shape: { type: 'object' }, words: 'Any object; comes back unchanged in each event.' },
  userId: {
    shape: uuid,
    sent: 'query',
    requestOption: true,
    words:
      'The membership id of the user to run as. Needs an organization API key. An option of the request: changing it alone changes nothing.',
  },
  ...commonFields,
} as const satisfies Fields;

export type AiJobAttributes = Attributes<typeof aiJobFields>;
