// What is allowed but deserves a second look.

import type { Kind } from '../../model/values/address.ts';
import { type Rule, type RuleFinding, textOf } from '../findings/rule.ts';
import { quote } from '../formats/quote.ts';

export const draftIsKept: Rule = ({ kind, value }) =>
  kind === 'dashboard' && value['clearExistingDraft'] === true
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

export const webhookIsSigned: Rule = ({ kind, value }) =>
  kind === 'aiJob' && textOf(value, 'webhookUrl') !== undefined && value['webhookSigningSecret'] === undefined
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

/** Texts that people read. */
const texts: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  schedule: ['name', 'subject', 'textBody'],
  dashboard: ['name'],
};

export const textsAsMeant: Rule = ({ kind, value }) =>
  (texts[kind] ?? []).flatMap((field): readonly RuleFinding[] => {
    const words = oddWords(field, textOf(value, field) ?? '');
    return words === undefined ? [] : [{ code: 'odd-text', ...words, pointer: `/${field}` }];
  });

function oddWords(field: string, text: string): { message: string; hint: string } | undefined {
  if (text.length > 1 && '“„”«‘‚’'.includes(text.charAt(0)) && '”“»’‘'.includes(text.slice(-1)))
    return {
      message: 'These quotes are part of the text: YAML knows only straight ones.',
      hint: 'Remove them, or write straight quotes.',
    };
  const [blank] = field === 'textBody' ? [] : (/^\s|\s$/.exec(text) ?? []);
  if (blank !== undefined)
    return {
      message: `\`${field}\` ${/^\s/.test(text) ? 'begins' : 'ends'} with a blank, which is part of the text.`,
      hint: 'Remove it.',
    };
  const [template] = /\{\{[^{}]*\}\}/.exec(text) ?? [];
  if (template === undefined) return undefined;
  return {
    message: `${quote(template)} is sent as it is written: only the \`filename\` of an S3 delivery is a template.`,
    hint: 'Remove it.',
  };
}
