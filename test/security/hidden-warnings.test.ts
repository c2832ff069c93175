// A pull request that changes almanac.yaml and its checks hides no danger.

import { expect, it } from 'vitest';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { acceptableCodes } from '../../src/model/workspace/codes.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { openWorld } from '../support/world.ts';

const allOff = Object.fromEntries(acceptableCodes.map((code) => [code, 'off']));
const reason = 'fine ::error::x \u001b[2J\u202e](http://evil.example) {0}\n## Approved';

async function planOf(checks: Readonly<Record<string, string>>, fields: Readonly<Record<string, unknown>>) {
  const schedules = { weekly: { ...weekly, ...fields } };
  const stage = await openWorld({ schedules });
  const config = stage.read('almanac.yaml');
  stage.write({ 'almanac.yaml': { ...(JSON.parse(config) as object), checks } });
  const run = async (format: string) => (await stage.run('plan', '--format', format)).stdout;
  return { stage, run, document: JSON.parse(await run('json')) as PlanDocument };
}

const often = { schedule: '*/10 * * * ? *', recipients: ['eve@evil.example'] };

it('neither checks nor acceptances hide a danger', async () => {
  const entry = { reason: 'we looked at it', until: '2099-12-31' };
  const accept = Object.fromEntries(acceptableCodes.map((code) => [code, entry]));
  const plain = await planOf({}, often);
  const hidden = await planOf(allOff, { ...often, accept });
  expect(plain.document.dangers.map(({ code }) => code)).toContain('reaches-outside');
  expect(hidden.document.dangers).toEqual(plain.document.dangers);
});

it('the reason of an acceptance is a text in every report', async () => {
  const { stage, run } = await planOf({}, { ...often, accept: { 'cron-too-frequent': reason } });
  const reports = [await run('text'), await run('markdown')];
  for (const format of ['text', 'sarif', 'github', 'gitlab', 'junit', 'json'])
    reports.push((await stage.run('validate', '--format', format)).stdout);
  for (const text of reports) {
    expect(text).not.toMatch(/^(?:::error|## Approved)/m);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
});
