// A test delivery, for the person who confirms it: what is sent, and to whom. Secrets show the names of variables.

import { namesIn } from '../../model/fields/attributes.ts';
import { sftpPlaceOf } from '../../model/fields/sftp-address.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { Secret } from '../../model/values/secret.ts';
import { countOf } from '../../model/values/words.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { recipientsOf } from '../../plan/dangers/destinations.ts';
import { indented, strong } from '../../report/doc.ts';
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
  const [to, ...targets] = targetOf(attributes, text);
  const head = [strong(address), ' will be delivered once, now:'];
  return printText([head, indented(2, ...rows, to), indented(4, ...targets)], page);
}

/** How, and to whom. */
function targetOf(attributes: DeclaredObject, text: (name: string) => string): readonly string[] {
  // A secret is refused among the recipients.
  const people = recipientsOf('schedule', attributes as JsonObject);
  switch (attributes['destinationType']) {
    case 'email': {
      const each = attributes['fanOut'] === true ? ', a message to each' : '';
      const groups = namesIn(attributes as JsonObject);
      const left = groups.length > 0 ? [`A test delivery goes to no user group: ${groups.join(', ')}`] : [];
      return [`by e-mail to ${countOf(people.length, 'recipient')}${each}:`, ...people, ...left];
    }
    case 'slack':
      return [`to Slack, ${text('slackRecipientType')}:`, ...people];
    case 'webhook':
      return ['to the webhook:', text('url')];
    case 'sftp':
      return ['by SFTP to:', serverWords(text)];
    default:
      return [`to ${text('destinationType')}`];
  }
}

/** Both paths, since nobody knows how Omni joins them. */
function serverWords(text: (name: string) => string): string {
  const { host, path } = sftpPlaceOf(text('address')) ?? { host: text('address'), path: '' };
  return `${text('username')}@${host}:${text('port')}${path} ${text('path')}`;
}

function shown(value: DeclaredObject[string] | undefined): string {
  if (value instanceof Secret) return value.shown ?? String(value);
  return value === undefined ? '' : String(value);
}
