// The dashboard that a resource names, and the draft of it. The likeliest mistake of all is to paste the whole URL: the
// identifier is its last part.

import { fieldText, type Rule } from '../findings/rule.ts';

export const identifierIsShort: Rule = ({ value }) => {
  const identifier = fieldText(value, 'identifier');
  if (identifier === undefined || !/[/:]/.test(identifier)) return [];
  const last = identifier.includes('/') ? lastPart(identifier) : '';
  return [
    {
      code: 'identifier-is-url',
      message: `An identifier contains neither \`/\` nor \`:\`${identifier.includes('/') ? '; this is an address' : ''}.`,
      hint: last === '' ? 'Write only the last part of the URL of the dashboard.' : `Write \`${last}\`.`,
      pointer: '/identifier',
    },
  ];
};

/** Uses the path: neither the host nor anything after `?` or `#`. */
function lastPart(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const parts = path.split(/[/:]/).filter((part) => part !== '');
  const afterKind = parts[parts.lastIndexOf('dashboards') + 1];
  return (parts.includes('dashboards') ? afterKind : parts.at(-1)) ?? '';
}

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
