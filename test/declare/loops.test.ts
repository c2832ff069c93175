// Loops of every kind of resource, and very many items: what a schedule can do, a dashboard and an AI job can, and a loop
// costs no more than what it stands for.

import { expect, test } from 'vitest';
import type { Field } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { Desired, SealedResource } from '../../src/model/workspace/resource.ts';
import { loadFiles, schedule } from '../support/apply/loading.ts';
import { plan } from '../support/plan/planning.ts';
import { runs } from '../support/runs/runs.ts';

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

test('an item may leave out the value of the fields that say so and of no other', async () => {
  for (const [field, { mayLack = false }] of Object.entries<Field>(fieldsOf.schedule)) {
    const loop = `  all: { forEach: { emea: { x: 1 }, amer: {} }, ${field}: "\${each.x}" }\n`;
    const { findings } = await loadFiles({ 'schedules/a.yaml': `schedules:\n${loop}` });
    const isRefused = findings.some(({ code }) => code === 'for-each-missing' || code === 'not-interpolated');
    expect(isRefused, field).toBe(!mayLack);
  }
});

test('very many instances of loops are read and planned in the time that plain schedules take', async () => {
  const [loops, itemsOfEach] = [runs(60), 500];
  const indices = (count: number) => [...Array(count).keys()];
  const items = indices(itemsOfEach)
    .map((index) => `i${index}: { n: ${index} }`)
    .join(', ');
  const loop = (index: number) =>
    schedule(`s${index}`, `, forEach: { ${items} }`).replace(/name: \w+/, `name: "s${index} \${each.n}"`);
  const text = `schedules:\n${indices(loops).map(loop).join('')}`;
  const { desired, findings } = await loadFiles({ 'schedules/a.yaml': text });
  expect(findings).toEqual([]);
  // Whatever takes more than linear time takes minutes at this size.
  expect(plan(desired as Desired<SealedResource>, undefined, {}).changes).toHaveLength(loops * itemsOfEach);
});
