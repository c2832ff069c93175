// The settings in docs/editors.md go with what `fmt` writes: the server and yamllint have nothing to say of it.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { formatYaml } from '../../src/yaml/format/format-yaml.ts';
import { sourceOrder } from '../../src/yaml/format/source-order.ts';
import { openEditor } from '../support/editor.ts';
import { makeFolder } from '../support/workspace.ts';

const page = readFileSync('docs/editors.md', 'utf8');
const schema = resolve('schemas/resources.schema.json');

/** Of `yaml.style.flowSequence`, the last word. */
function written(): Readonly<Record<string, unknown>> {
  const [, json = ''] = /```json\n(\{\n {2}"yaml\.[\s\S]*?\n\})\n```/.exec(page) ?? [];
  const settings = Object.entries(JSON.parse(json) as Record<string, unknown>);
  return Object.fromEntries(settings.map(([name, value]) => [name.replace(/^.*\./, ''), value]));
}

const text =
  formatYaml(
    `x-report: &report { identifier: 12db1a0a, timezone: Europe/London, format: csv, destinationType: email }
schedules:
  weekly:
    <<: *report
    format: pdf
    paperFormat: a4
    recipients: [ana@example.com]
    name: Weekly
    schedule: 0 9 ? * MON *
    subject: no
`,
    sourceOrder,
  ) ?? '';

test('the server has nothing to say of what fmt writes with the settings of the page', async () => {
  expect(await openEditor(schema, written()).diagnose(text)).toEqual([]);
});

test.each([
  ['keyOrdering', true],
  ['flowSequence', 'forbid'],
  ['flowMapping', 'forbid'],
  ['yamlVersion', '1.1'],
] as const)('the page names %s because another value contradicts fmt', async (name, other) => {
  expect(Object.keys(written())).toContain(name);
  expect(await openEditor(schema, { ...written(), [name]: other }).diagnose(text)).not.toEqual([]);
});

const isThere = spawnSync('yamllint', ['--version']).status === 0;
if (!isThere) console.warn('yamllint is not installed, so it is not asked about what fmt writes.');

test.skipIf(!isThere)('yamllint accepts what fmt writes with the rules of the page', () => {
  const [, rules = ''] = /```yaml\n# \.yamllint\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = makeFolder({ '.yamllint': rules, 'merged.yaml': text });
  const files = [join(folder.path, 'merged.yaml'), 'almanac.yaml', ...globSync('schedules/*.yaml')];
  const lint = (...args: readonly string[]) =>
    spawnSync('yamllint', ['-f', 'parsable', ...args, ...files], { encoding: 'utf8' });
  expect(lint('-c', join(folder.path, '.yamllint')).stdout).toBe('');
  expect(lint('-d', 'default').stdout).not.toBe('');
});
