// The URLs and servers that the service calls.

import { type Rule, textOf } from '../findings/rule.ts';
import { checkHost } from '../formats/check-host.ts';
import { checkUrl } from '../formats/check-url.ts';

export const webAddresses: Rule = ({ kind, value }) => {
  const fields = kind === 'schedule' ? ['url'] : kind === 'aiJob' ? ['webhookUrl'] : [];
  return fields.flatMap((field) => {
    const url = textOf(value, field);
    return url === undefined ? [] : checkUrl(url).map((problem) => ({ ...problem, pointer: `/${field}` }));
  });
};

export const sftpAddress: Rule = ({ kind, value }) => {
  const address =
    kind === 'schedule' && textOf(value, 'destinationType') === 'sftp' ? textOf(value, 'address') : undefined;
  return address === undefined ? [] : checkHost(address).map((problem) => ({ ...problem, pointer: '/address' }));
};
