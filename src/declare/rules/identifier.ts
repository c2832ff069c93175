// The identifier of a dashboard is the last part of its URL. The likeliest mistake of all is to paste the whole URL.

import { type Rule, textOf } from '../findings/rule.ts';

export const identifierIsShort: Rule = ({ value }) => {
  const identifier = textOf(value, 'identifier');
  if (identifier === undefined || !/[/:]/.test(identifier)) return [];
  const last = lastPart(identifier);
  return [
    {
      code: 'identifier-is-url',
      message: 'An identifier contains neither `/` nor `:`; this is an address.',
      hint: last === '' ? 'Write only the last part of the URL of the dashboard.' : `Write \`${last}\`.`,
      pointer: '/identifier',
    },
  ];
};

/** Of the path: neither the host nor anything after `?` or `#`. */
function lastPart(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const parts = path.split(/[/:]/).filter((part) => part !== '');
  const afterKind = parts[parts.lastIndexOf('dashboards') + 1];
  return (parts.includes('dashboards') ? afterKind : parts.at(-1)) ?? '';
}
