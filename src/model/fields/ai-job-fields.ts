// The table of an AI job's fields: what the service's create operation accepts. A job runs once for each content.

import { commonFields } from './common-fields.ts';
import type { Attributes, Fields } from './field.ts';
import * as patterns from './patterns.ts';
import { uuid, webAddress } from './shapes.ts';

export const aiJobFields = {
  modelId: { shape: uuid, required: true, words: 'The model to run the job against.' },
  prompt: {
    shape: { type: 'string', minLength: 1 },
    required: true,
    words: 'What to do, in plain language. `${file.prompt.md}` reads it from a file next to this one.',
  },
  conversationId: { shape: uuid, words: 'Continues an existing conversation.' },
  branchId: { shape: uuid, words: 'A branch of the model. The job queries its unmerged changes.' },
  topicName: {
    shape: { type: 'string', minLength: 1, pattern: patterns.topicName, patternWords: 'At most 256 characters.' },
    words: 'The topic to query, at most 256 characters. Chosen automatically when omitted.',
  },
  progressWebhookEnabled: {
    shape: { type: 'boolean' },
    words: 'When `true`, progress events are sent to `webhookUrl` while the job runs.',
  },
  webhookUrl: {
    shape: webAddress,
    secretsIn: 'path-and-query',
    words: 'The address that receives the events of the job. Its path and query may hold `${env.NAME}`.',
  },
  webhookSigningSecret: {
    shape: { type: 'string', minLength: 1 },
    secret: true,
    words:
      'The secret with which events are signed (HMAC-SHA256). Write `${env.NAME}`. It is never shown and never written to the state.',
  },
  webhookMetadata: { shape: { type: 'object' }, words: 'Any object. Each event returns it unchanged.' },
  userId: {
    shape: uuid,
    sent: 'query',
    requestOption: true,
    words:
      'The membership id of the user to run as. Needs an organization API key. This is an option of the request: changing only this field changes nothing.',
  },
  ...commonFields,
} as const satisfies Fields;

export type AiJobAttributes = Attributes<typeof aiJobFields>;
