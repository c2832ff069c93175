// The URLs that the service calls.

import { type Rule, textOf } from '../findings/rule.ts';
import { checkUrl } from '../formats/check-url.ts';
import { urlFields } from './secrets.ts';

export const webAddresses: Rule = ({ kind, value }) => {
  return urlFields[kind].flatMap((field) => {
    const url = textOf(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};
