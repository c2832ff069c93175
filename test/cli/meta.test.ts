// `meta` stays with the people who write it. What reports and files make of it is in the transcripts.

import { expect, it } from 'vitest';
import { aiJob, dashboard, hook } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

const meta = { owner: '@acme/finance', tags: ['board', 'daily'], ticket: 'BI-42', note: 'The CFO reads it.' };

it('meta on every kind of resource is in no request, and in the state', async () => {
  const stage = await openApplied();
  const before = stage.emulator.requests().length;
  stage.declare(
    { a: hook({ meta }) },
    {
      dashboards: { d: dashboard({ filters: { region: { values: ['Europe'] } }, meta }) },
      aiJobs: { j: aiJob({ meta }) },
    },
  );
  expect((await stage.apply()).summary.applied).toBe(3);
  const bodies = JSON.stringify(stage.emulator.requests().slice(before));
  expect(bodies).not.toMatch(/meta"|finance|BI-42|CFO/);
  for (const { attributes } of Object.values(stage.state().resources)) expect(attributes['meta']).toEqual(meta);
});
