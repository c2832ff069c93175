// A new or longer waiver of `recipient-not-inside` is the first thing that a plan shows: whom, why, until when.

import { expect, test } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { openWorld } from '../support/world.ts';

const { url: _, ...rest } = daily as Record<string, unknown>;
const mail = { ...rest, format: 'pdf', destinationType: 'email', subject: 'Stock' };
const waiver = (until?: string) => ({
  'recipient-not-inside': until === undefined ? 'a partner' : { reason: 'a partner', until },
});
const config = { safety: { internalDomains: ['acme.com'] }, checks: { 'recipient-not-inside': 'error' } };

async function openWaived(sections: object) {
  const world = await openWorld({ ...sections }, { config });
  const said = async () =>
    (await world.plan()).dangers
      .filter(({ code }) => code === 'waiver')
      .flatMap(({ gravity, items }) => items.map(({ subject, detail }) => `${gravity} ${subject} ${detail}`));
  return { world, said };
}

test('a waiver of a schedule is a caution when it is new, longer or about somebody new, and never again', async () => {
  const of = (recipients: readonly string[], until?: string) => ({
    schedules: { a: { ...mail, recipients, accept: waiver(until) } },
  });
  const bo = ['ana@acme.com', 'bo@out.example'];
  const { world, said } = await openWaived(of(bo, '2026-06-30'));
  const write = (source: object) => world.write({ 'schedules/all.yaml': source });
  expect(await said()).toEqual(['caution bo@out.example until 2026-06-30: `a partner`, in `schedules.a`']);
  await world.apply();
  expect(await said()).toEqual([]);
  write(of(bo, '2026-05-31'));
  expect(await said()).toEqual([]);
  write(of(bo, '2026-07-31'));
  expect(await said()).toEqual(['caution bo@out.example until 2026-07-31: `a partner`, in `schedules.a`']);
  write(of([...bo, 'cy@out.example'], '2026-06-30'));
  expect(await said()).toEqual(['caution cy@out.example until 2026-06-30: `a partner`, in `schedules.a`']);
  write(of(bo));
  expect(await said()).toEqual(['caution bo@out.example without an end: `a partner`, in `schedules.a`']);
  await world.apply();
  await world.expectQuiet();
});

test('a waiver of an audience is a caution for its own addresses, once for all schedules, and takes no request', async () => {
  const recipients = '${audience.p}';
  const of = (emails: readonly string[], accept?: object) => ({
    audiences: { p: { emails, ...(accept && { accept }) } },
    schedules: {
      a: { ...mail, recipients },
      b: { ...mail, name: 'B', recipients: [recipients, 'dan@acme.com'] },
    },
  });
  const { world, said } = await openWaived(of(['bo@out.example', 'ana@acme.com'], waiver('2026-06-30')));
  const where = 'in `schedules.a` and 1 other';
  expect(await said()).toEqual([`caution bo@out.example until 2026-06-30: \`a partner\`, ${where}`]);
  await world.apply();
  expect(await said()).toEqual([]);
  await world.expectQuiet();
  world.write({ 'schedules/all.yaml': of(['bo@out.example', 'ana@acme.com'], waiver('2026-09-30')) });
  expect(await said()).toEqual([`caution bo@out.example until 2026-09-30: \`a partner\`, ${where}`]);
  expect((await world.plan()).changes.map(({ requests }) => requests)).toEqual([0, 0]);
  await world.apply();
  await world.expectQuiet();
});

test('an address that moves into an audience with a known waiver is a new waiver', async () => {
  const of = (emails: readonly string[], more: readonly string[]) => ({
    audiences: { p: { emails, accept: waiver('2026-06-30') } },
    schedules: { a: { ...mail, recipients: ['${audience.p}', ...more] } },
  });
  const { world, said } = await openWaived(of(['bo@out.example'], ['cy@out.example']));
  world.write({ 'almanac.yaml': world.read('almanac.yaml').replace('"error"', '"warning"') });
  await world.apply();
  world.write({ 'schedules/all.yaml': of(['bo@out.example', 'cy@out.example'], []) });
  expect(await said()).toEqual(['caution cy@out.example until 2026-06-30: `a partner`, in `schedules.a`']);
});

test('where a sink receives, nobody is waived', async () => {
  const a = { ...mail, recipients: ['bo@out.example'], accept: waiver() };
  const environments = { staging: { deliver: { email: 'qa@acme.com' } } };
  const world = await openWorld({ schedules: { a } }, { config: { ...config, environments } });
  const codes = async (...argv: readonly string[]) => (await world.plan(...argv)).dangers.map(({ code }) => code);
  expect(await codes('--env', 'staging')).not.toContain('waiver');
  expect(await codes()).toContain('waiver');
});

test('validate says once how many user groups were not judged', async () => {
  const a = { ...mail, recipients: ['ana@acme.com'], userGroups: ['Board', 'Sales team'] };
  const world = await openWorld({ schedules: { a, b: { ...a, name: 'B', userGroups: ['Board'] } } }, { config });
  const { code, stderr } = await world.run('validate');
  expect([code, stderr.match(/not judged/g)]).toEqual([0, ['not judged']]);
  expect(stderr).toContain('2 user groups were not judged by `recipient-not-inside`');
});
