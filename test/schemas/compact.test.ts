// Short schemas show in an editor what the long ones do.

import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { schemasOfWorkspace } from '../../src/declare/workspace-schema.ts';
import { destinations } from '../../src/model/fields/field.ts';
import { publishedSchemas } from '../../src/published-schemas.ts';
import { editorSchemaText } from '../../src/report/text/editor-schema.ts';
import { cursor, openEditor } from '../support/editor.ts';
import { arbitraryWrongFile } from '../support/property/arbitrary-wrong-file.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder } from '../support/workspace.ts';

const settings = {
  defaults: [
    { sections: { schedules: { timezone: 'UTC' } }, origin: { file: 'almanac.yaml', document: 0, pointer: '' } },
  ],
  checks: {},
  environments: ['dev', 'prod'],
};
const folder = openFolder();
afterAll(() => folder.remove());
folder.write({
  'short/resources.schema.json': editorSchemaText('resources', settings),
  'short/almanac.schema.json': editorSchemaText('almanac', settings),
  'long/resources.schema.json': JSON.stringify(
    schemasOfWorkspace.resources(publishedSchemas['resources'] ?? {}, settings),
  ),
  'long/almanac.schema.json': JSON.stringify(publishedSchemas['almanac']),
});
const editorOf = (file: string) => openEditor(join(folder.path, file));
const sources = [editorOf('short/resources.schema.json'), editorOf('long/resources.schema.json')] as const;
const configs = [editorOf('short/almanac.schema.json'), editorOf('long/almanac.schema.json')] as const;

const deliveries = destinations.map((destination) =>
  [
    'schedules:',
    '  weekly:',
    '    name: Weekly',
    '    format: pdf',
    `    destinationType: ${destination}`,
    '    in: [dev]',
    '    filterConfig:',
    '      region: { values: [Europe], kind: EQUALS }',
    '    accept:',
    '      duplicate-schedule: On purpose.',
    '    schedule: 0 9 ? * MON *',
  ].join('\n'),
);
const others = [
  'dashboards:\n  sales:\n    identifier: 12db1a0a\n    filters:\n      region: { values: [Europe] }',
  'routines:\n  summary:\n    name: Summary\n    destination:\n      type: email\n      recipientEmails: []',
  'aiJobs:\n  growth:\n    prompt: Which?\n    webhookUrl: https://hooks.example.com',
  'defaults:\n  schedules:\n    format: pdf\n    paperFormat: a4\n    timezone: UTC',
];
const settingsFile = `api:
  operations: full
state:
  backend: git
checks:
  cron-too-frequent: off
defaults:
  schedules:
    format: pdf
    timezone: UTC
    region: eu-west-1
    filterConfig:
      region: { values: [Europe] }`;

/** What an editor shows for each word of a text, and offers for each value and on a new line below. */
async function shownIn(editor: ReturnType<typeof openEditor>, text: string): Promise<readonly unknown[]> {
  const lines = text.split('\n');
  const shown: unknown[] = [await editor.diagnose(text)];
  for (const [index, line] of lines.entries()) {
    const indent = line.search(/\S/);
    const withLines = (...own: readonly string[]) =>
      [...lines.slice(0, index), ...own, ...lines.slice(index + 1)].join('\n');
    const hovered = await editor.hover(withLines(line.slice(0, indent + 1) + cursor + line.slice(indent + 1)));
    const value = line.endsWith(':') ? [] : await editor.complete(withLines(line.replace(/: .*/, `: ${cursor}`)));
    const below = await editor.complete(withLines(line, ' '.repeat(line.endsWith(':') ? indent + 2 : indent) + cursor));
    shown.push([line, hovered.replace(/\n\nSource: .*/s, ''), sorted(value), sorted(below)]);
  }
  return shown;
}

/** Without `in`, whose environments only the short schema of almanac.yaml knows, and a null that only the long one offers. */
const sorted = (offered: readonly { readonly label: string }[]) =>
  offered
    .filter(({ label }) => label !== 'in' && label !== 'null')
    .map((each) => JSON.stringify(each))
    .sort();

test.each([...deliveries, ...others])(
  'the short schema of source files shows what the long one does: %j',
  async (text) => {
    const [short, long] = sources;
    expect(await shownIn(short, text)).toEqual(await shownIn(long, text));
  },
);

test('the short schema of almanac.yaml, which points into that of source files, shows what the long one does', async () => {
  const [short, long] = configs;
  expect(await shownIn(short, settingsFile)).toEqual(await shownIn(long, settingsFile));
});

test('the short schema of almanac.yaml marks a reference and a wrong value among the defaults', async () => {
  const [short, long] = configs;
  for (const line of [
    'timezone: ${var.zone}',
    'recipients: ["${env.X}"]',
    'port: many',
    'format: excel',
    'nme: Weekly',
  ]) {
    const text = `defaults:\n  schedules:\n    ${line}\n`;
    const [own, expected] = [await short.diagnose(text), await long.diagnose(text)];
    const linesOf = (shown: typeof own) => [...new Set(shown.map((each) => each.line))];
    expect(linesOf(own), line).toEqual(linesOf(expected));
  }
});

test('the short schema of source files marks in wrong files what the long one does', async () => {
  const [short, long] = sources;
  await fc.assert(
    fc.asyncProperty(arbitraryWrongFile, async (text) => {
      expect(await short.diagnose(text)).toEqual(await long.diagnose(text));
    }),
    { numRuns: runs(300) },
  );
});
