// The URLs that the service calls.

import { urlFieldsOf } from '../../model/fields/fields.ts';
import { type Rule, textOf } from '../findings/rule.ts';
import { checkUrl } from '../formats/check-url.ts';

export const webAddresses: Rule = ({ kind, value }) => {
  return urlFieldsOf[kind].flatMap((field) => {
    const url = textOf(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};
