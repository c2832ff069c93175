// What an editor does with thousands of schedules in one file.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { openEditor } from '../support/editor.ts';

const editor = openEditor(resolve('schemas/resources.schema.json'));

const own = [
  {
    destinationType: 'email',
    recipients: '[ana@example.com, bo@example.com]',
    subject: 'Weekly',
    textBody: 'Good morning',
  },
  { destinationType: 'slack', recipients: 'C0123456789', slackRecipientType: 'channel' },
  { destinationType: 'webhook', url: 'https://hooks.example.com/omni' },
];

/** The cursor is on a field of the first. */
function schedules(count: number, given: Readonly<Record<string, string>>): string {
  const common = {
    identifier: '12db1a0a',
    name: 'Weekly',
    schedule: '0 9 ? * MON *',
    timezone: 'UTC',
    format: 'pdf',
    paperFormat: 'a4',
    filterConfig: '{ region: { values: [Europe] } }',
  };
  const all = Array.from({ length: count }, (_, index) => {
    const fields = Object.entries({ ...common, ...own[index % own.length] }).filter(
      ([name]) => given[name] === undefined,
    );
    return `  weekly-${index}:\n${fields.map(([name, value]) => `    ${name}: ${value}\n`).join('')}`;
  });
  return `schedules:\n${all.join('')}`.replace('name:', 'na█me:');
}

test.each<readonly [what: string, defaults: Readonly<Record<string, string>>]>([
  ['no defaults', {}],
  [
    'defaults that decide a destination and a format',
    { identifier: '12db1a0a', format: 'pdf', destinationType: 'email' },
  ],
])('hovering works in a file of 3,000 schedules with %s', async (_, defaults) => {
  const lines = Object.entries(defaults).map(([name, value]) => `    ${name}: ${value}\n`);
  const head = lines.length === 0 ? '' : `defaults:\n  schedules:\n${lines.join('')}`;
  const { destinationType: __, ...given } = defaults;
  const shown = await editor.hover(head + schedules(3000, given));
  expect(shown).toContain(fieldsOf.schedule['name']?.words);
});
