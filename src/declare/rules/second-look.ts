// What is allowed but deserves a second look.

import { type Rule, textOf } from '../findings/rule.ts';

export const draftIsKept: Rule = ({ value }) =>
  value['clearExistingDraft'] === true
    ? [
        {
          code: 'discards-draft',
          message: 'An unpublished draft of this dashboard would be discarded. All of its editors share one draft.',
          hint: 'Remove clearExistingDraft once the draft is published or discarded.',
          pointer: '/clearExistingDraft',
          at: 'key',
        },
      ]
    : [];

export const webhookIsSigned: Rule = ({ value }) =>
  textOf(value, 'webhookUrl') !== undefined && value['webhookSigningSecret'] === undefined
    ? [
        {
          code: 'unsigned-webhook',
          message: 'Without a signature, the receiver cannot tell whether Omni sent an event.',
          hint: 'Add `webhookSigningSecret: ${env.NAME}`.',
          pointer: '/webhookUrl',
          at: 'key',
        },
      ]
    : [];
