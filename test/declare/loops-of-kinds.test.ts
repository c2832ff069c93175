// Loops of every kind of resource: what a schedule can do, a dashboard and an AI job can.

import { expect, test } from 'vitest';
import { loadFiles } from '../support/apply/loading.ts';

test.each([
  ['dashboards', 'identifier: "${each.value}", filterOrder: [region]', 'identifier'],
  ['aiJobs', 'modelId: 123e4567-e89b-12d3-a456-426614174000, prompt: "${each.value}"', 'prompt'],
])('a loop of %s makes one for each item', async (section, fields, field) => {
  const { desired, findings } = await loadFiles({
    'schedules/a.yaml': `${section}:\n  all: { forEach: { emea: Europe, amer: America }, ${fields} }\n`,
  });
  expect(findings.map(({ code }) => code)).toEqual([]);
  expect(desired.resources.map(({ address, attributes }) => [address, attributes[field]])).toEqual([
    [`${section}.all.emea`, 'Europe'],
    [`${section}.all.amer`, 'America'],
  ]);
});
