// The definitions of docs/from-other-tools.md: each word of them has advice, and the declarations that they became are applied.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { openWorld } from '../support/world.ts';

const page = readFileSync('docs/from-other-tools.md', 'utf8');
const sections = page.split(/^## /m).filter((section) => section.includes('```json'));
const blockOf = (section: string, language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section)?.[1] ?? '';
const cases = sections.map((section) => [section.split('\n')[0] ?? '', section] as const);

test('the page turns a definition of Looker, one of Superset and one of Grafana', () => {
  expect(cases.map(([title]) => /Looker|Superset|Grafana/.exec(title)?.[0])).toEqual(['Looker', 'Superset', 'Grafana']);
});

test.each(cases)('each word of %s is answered, and none with its removal', async (_, section) => {
  const definition = JSON.parse(blockOf(section, 'json'));
  const found = await diagnosticsOf({ 'schedules/a.yaml': JSON.stringify({ schedules: { a: definition } }) });
  const unknown = found.filter(({ code }) => code === 'unknown-field');
  expect(unknown.length).toBeGreaterThan(4);
  expect(unknown.filter(({ hint }) => !hint || /Remove it|look up its name/.test(hint))).toEqual([]);
});

test.each(cases)('the declarations of %s are valid, are applied, and leave nothing to plan', async (_, section) => {
  const world = await openWorld(blockOf(section, 'yaml'), {
    config: { safety: { internalDomains: ['example.com'] } },
  });
  expect(await world.run('validate', '--online')).toMatchObject({ code: 0 });
  expect(await world.run('plan')).toMatchObject({ code: 0 });
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
  const again = await world.run('plan', '--refresh');
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('No changes.');
});
