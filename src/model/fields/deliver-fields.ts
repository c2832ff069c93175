// The table of `deliver`: the sinks of an environment. Where there are sinks, nothing reaches those who are declared.

import type { Fields } from './field.ts';
import * as patterns from './patterns.ts';
import { webAddress } from './shapes.ts';

/** Written in place of a sink: the environment has no deliveries of that kind. */
export const refused = 'refuse';

/** The fields of a resource that a sink gives: they say who receives a delivery. */
export const sinkFields: readonly string[] = ['recipients', 'slackRecipientType', 'url', 'webhookUrl'];

const refusedAlone = {
  type: 'choice',
  choices: { [refused]: 'a resource that delivers there is an error in this environment' },
} as const;

export const deliverFields = {
  email: {
    shape: {
      type: 'textOrList',
      pattern: `^${refused}$|${patterns.emailShape}`,
      patternWords: 'E-mail addresses, such as `[qa@acme.com]`, or `refuse`.',
      code: 'invalid-email',
    },
    words: 'The e-mail addresses that receive every e-mail of this environment, or `refuse`.',
  },
  slack: {
    shape: {
      type: 'string',
      pattern: `^${refused}$|^[CG][A-Z0-9]{2,}$`,
      patternWords: 'The id of one Slack channel, such as `C0123456789`, or `refuse`.',
      code: 'one-slack-channel',
    },
    words: 'The id of the Slack channel that receives every Slack message of this environment, or `refuse`.',
  },
  webhook: {
    shape: {
      ...webAddress,
      pattern: `^${refused}$|${patterns.urlShape}`,
      patternWords: 'A URL that begins with `http://` or `https://` and names a host, or `refuse`.',
    },
    words:
      'The URL that every webhook of this environment calls, also for the events of AI jobs (`webhookUrl`), or `refuse`.',
  },
  s3: {
    shape: refusedAlone,
    words: 'Nothing can replace a bucket: `refuse`, which is also what leaving it out means.',
  },
  sftp: {
    shape: refusedAlone,
    words: 'Nothing can replace an SFTP server: `refuse`, which is also what leaving it out means.',
  },
} as const satisfies Fields;
