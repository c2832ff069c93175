// The URLs that the service calls.

import { type Rule, textOf } from '../findings/rule.ts';
import { checkUrl } from '../formats/check-url.ts';

export const webAddresses: Rule = ({ kind, value }) => {
  const fields = kind === 'schedule' ? ['url'] : kind === 'aiJob' ? ['webhookUrl'] : [];
  return fields.flatMap((field) => {
    const url = textOf(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};
