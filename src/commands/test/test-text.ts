// A test delivery, for the person who confirms it: what is sent, and to whom. Secrets show the names of variables.

import { deliveryOf } from '../../model/fields/delivery.ts';
import { plainNames } from '../../model/fields/receiver.ts';
import { Secret } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { type Doc, fewOf, firstFew, indented, strong, type Words } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';

/** Ends with a newline. */
export function renderDelivery(page: Page, address: string, attributes: DeclaredObject): string {
  const text = (name: string): string => shown(attributes[name]);
  const condition = attributes['conditionType'] !== undefined && `only if:   ${text('conditionType')}`;
  const rows = [
    `name:      ${text('name')}`,
    `dashboard: ${text('identifier')}`,
    `format:    ${text('format')}`,
    condition,
  ];
  const [to, ...targets] = targetOf(attributes, text, page);
  const head = [strong(address), ' will be delivered once, now:'];
  return printText([head, indented(2, ...rows, to), indented(4, ...targets)], page);
}

/** How, and to whom. */
function targetOf(attributes: DeclaredObject, text: (name: string) => string, page: Page): readonly [Words, ...Doc] {
  const { way, to, isFannedOut } = deliveryOf('schedule', attributes);
  const groups = to.filter(({ kind }) => kind === 'group').flatMap(plainNames);
  // A secret is refused among the recipients.
  const notGroups = to.filter(({ kind }) => kind !== 'group').flatMap(plainNames);
  switch (way) {
    case 'email': {
      const each = isFannedOut ? ', a message to each' : '';
      const groupsLeftOut = groups.length > 0 ? [['A test delivery goes to no user group: ', fewOf(groups, page)]] : [];
      return [
        `by e-mail to ${countOf(notGroups.length, 'recipient')}${each}:`,
        ...firstFew(notGroups, (name) => name, page),
        ...groupsLeftOut,
      ];
    }
    case 'slack':
      return [`to Slack, ${text('slackRecipientType')}:`, ...notGroups];
    case 'webhook':
      return ['to the webhook:', text('url')];
    case 'sftp':
      // Both paths, since nobody knows how Omni joins them.
      return [
        'by SFTP to:',
        ...to.map(({ shown: host, path = '' }) => `${text('username')}@${host}:${text('port')}${path} ${text('path')}`),
      ];
    default:
      return [`to ${text('destinationType')}`];
  }
}

function shown(value: DeclaredObject[string] | undefined): string {
  if (value instanceof Secret) return value.shown ?? String(value);
  return value === undefined ? '' : String(value);
}
