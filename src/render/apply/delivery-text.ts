// A test delivery, for the person who confirms it: what is sent, and to whom. Secrets show the names of variables.

import { Secret } from '../../model/values/secret.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { safeText, wrap } from '../text/terminal-text.ts';

/** Ends with a newline. */
export function renderDelivery({ theme, width }: Page, address: string, attributes: DeclaredObject): string {
  const text = (name: string): string => shown(attributes[name]);
  const lines = [
    `${theme.strong(safeText(address))} will be delivered once, now:`,
    `  name:      ${text('name')}`,
    `  dashboard: ${text('identifier')}`,
    `  format:    ${text('format')}`,
    ...(attributes['conditionType'] === undefined ? [] : [`  only if:   ${text('conditionType')}`]),
    ...targetLines(attributes, text).flatMap((line) => wrap(line, width, '  ')),
  ];
  return `${lines.join('\n')}\n`;
}

function targetLines(attributes: DeclaredObject, text: (name: string) => string): readonly string[] {
  switch (attributes['destinationType']) {
    case 'email': {
      const people = listOf(attributes['recipients']);
      const each = attributes['fanOut'] === true ? ', a message to each' : '';
      return [`by e-mail to ${countOf(people.length, 'recipient')}${each}:`, ...people.map((person) => `  ${person}`)];
    }
    case 'slack': {
      const names = listOf(attributes['recipients']);
      return [`to Slack, ${text('slackRecipientType')}:`, ...names.map((name) => `  ${name}`)];
    }
    case 'webhook':
      return ['to the webhook:', `  ${text('url')}`];
    case 'sftp':
      return ['by SFTP to:', `  ${text('username')}@${text('address')}:${text('port')} ${text('path')}`];
    default:
      return [`to ${text('destinationType')}`];
  }
}

/** Slack also takes one text with commas. */
function listOf(value: DeclaredObject[string] | undefined): readonly string[] {
  if (Array.isArray(value)) return value.map(shown);
  return shown(value)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function shown(value: DeclaredObject[string] | undefined): string {
  if (value instanceof Secret) return safeText(value.shown ?? String(value));
  return value === undefined ? '' : safeText(String(value));
}
