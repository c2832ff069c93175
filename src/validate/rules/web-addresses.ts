// The URLs that the service is to call.

import { checkUrl } from '../formats/check-url.ts';
import { type Rule, textOf } from '../rule.ts';

export const webAddresses: Rule = ({ kind, value }) => {
  const fields = kind === 'schedule' ? ['url'] : kind === 'aiJob' ? ['webhookUrl'] : [];
  return fields.flatMap((field) => {
    const url = textOf(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};
