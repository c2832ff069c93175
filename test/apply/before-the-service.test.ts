// What is refused before the service is asked anything, even where a refresh was asked for.

import { expect, it } from 'vitest';
import { schedule, stateOf } from '../support/apply/declared.ts';
import { apiWith, stage } from '../support/apply/stage.ts';

const refresh = { depth: 'list', only: false } as const;
const tracking = (declared: Record<string, unknown>) =>
  stage(declared, {
    state: stateOf({ 'schedules.s': { id: 's', attributes: schedule('S') } }),
  });

it('a target that nothing knows is refused before the service is observed', async () => {
  const made = tracking({ schedules: { s: schedule('S') } });
  await expect(made.apply({ refresh, targets: ['schedules.nope'] })).rejects.toMatchObject({
    code: 'usage',
    findings: [{ code: 'unknown-selector' }],
  });
  expect(made.connections).toEqual([]);
});

it('a replacement that cannot be made is refused before the service is observed', async () => {
  const made = tracking({
    dashboards: { d: { identifier: '12db1a0a', filters: { region: { values: ['north'] } } } },
    schedules: { s: schedule('S') },
  });
  await expect(made.apply({ refresh, replace: ['dashboards.d'] })).rejects.toMatchObject({
    code: 'usage',
    message: '--replace accepts only schedules; dashboards.d is a dashboard.',
  });
  expect(made.connections).toEqual([]);
});

it('a declaration with an error is refused before the service is observed', async () => {
  const made = tracking({ schedules: { s: schedule('S', { schedule: 'never' }) } });
  await expect(made.apply({ refresh })).rejects.toMatchObject({ code: 'invalid-workspace' });
  expect(made.connections).toEqual([]);
});

it('the state of another organization is refused before the service is observed', async () => {
  const made = tracking({ schedules: { s: schedule('S') } });
  made.files['almanac.yaml'] = apiWith({ baseUrl: 'https://other.omniapp.co/api' });
  await expect(made.apply({ refresh })).rejects.toMatchObject({ code: 'state-conflict' });
  expect(made.connections).toEqual([]);
});
