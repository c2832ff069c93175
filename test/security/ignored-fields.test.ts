// Threats about fields under ignoreChanges, which an update sends as the state has them. Somebody who may open a pull request
// declares others than those who receive, and hides the difference there. Somebody who may write the state, but merges
// nothing, changes such a field there between review and apply.

import { expect, it } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { bucket, hook, mail, routine, sftp, slack } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

const ignoring = (...names: string[]) => ({ lifecycle: { ignoreChanges: names } });
const rows = (region: string) => ({ filterConfig: { region: { values: [region] } } });
const customerA = { ...weekly, recipients: ['it@customer-a.test'], ...rows('A') };
const customerB = { ...weekly, recipients: ['it@customer-b.test'], ...rows('B') };
const toPartner = { ...weekly, recipients: ['e@evil.test'] };
const toAna = { ...weekly, recipients: ['ana@acme.com'], ...ignoring('recipients') };
const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
const adopting = (to: string) => ({ adopt: [{ to, id }] });
const all = [mail(), slack(), hook(), sftp(), bucket()].map((each, index) => [
  `s${index}`,
  {
    ...each,
    ...ignoring('recipients', 'filterConfig', 'url', 'address', 'bucketName', 'roleArn'),
  },
]);

it.each<[form: string, applied: object, merged: object, ...options: string[]]>([
  [
    'rows of the old receiver go to the new one',
    { c: customerA },
    { schedules: { c: { ...customerB, ...ignoring('filterConfig') } } },
  ],
  [
    'new rows go to the old receiver',
    { c: customerA },
    { schedules: { c: { ...customerB, ...ignoring('recipients') } } },
  ],
  ['a receiver is adopted and not declared', {}, { schedules: { c: toAna }, ...adopting('schedules.c') }],
  [
    'it runs with the rights of another owner for a receiver who is not declared',
    {},
    { schedules: { c: { ...toAna, owner: 'bo@acme.com' } }, ...adopting('schedules.c') },
  ],
  ['a receiver seems to be removed', { c: toPartner }, { schedules: { c: toAna } }],
  [
    'another dashboard goes to a receiver who is not declared',
    { c: toPartner },
    {
      schedules: { other: { ...toAna, identifier: '3f9c2b71' } },
      moved: [{ from: 'schedules.c', to: 'schedules.other' }],
    },
  ],
  [
    'a replacement is made for a receiver who is not declared',
    { c: toPartner },
    { schedules: { c: toAna } },
    '--replace',
    'schedules.c',
  ],
  [
    'a routine goes where nobody declares it to go',
    {},
    {
      routines: { r: { ...routine({ owner: 'bo@acme.com' }), ...ignoring('destination') } },
      ...adopting('routines.r'),
    },
  ],
  ['every destination is one that nobody declares', {}, { schedules: Object.fromEntries(all) }],
  [
    'the one warning about it is accepted',
    { c: toPartner },
    { schedules: { c: { ...toAna, accept: { 'ignored-is-sent': 'as agreed' } } } },
  ],
])('it is an error in which nothing is sent if, by ignoreChanges, %s', async (_, applied, merged, ...options) => {
  const config = {
    safety: { internalDomains: ['acme.com'] },
    checks: { 'ignored-is-sent': 'off', 'secret-in-plain-text': 'off' },
  };
  const world = await openApplied({ schedules: applied }, { config });
  world.write({ 'schedules/all.yaml': merged, 'reviewed.txt': '' });
  world.sent();
  const reviewed = ['apply', '--auto-approve', '--expect-changes', 'reviewed.txt', ...options];
  for (const command of [['validate'], ['plan', ...options], reviewed, ['apply', '--auto-approve', ...options]])
    await expectRefused(world, command, 'error[not-ignorable]');
  expect(world.sent()).toEqual([]);
});

const schedule = { ...weekly, textBody: 'Hello', ...ignoring('timezone', 'textBody') };
const reviewedApply = ['apply', '--auto-approve', '--expect-changes', 'reviewed.txt'];

/** A reviewed change of another field. */
async function openReviewed() {
  const world = await openApplied({ schedules: { weekly: schedule } });
  world.write({ 'schedules/all.yaml': { schedules: { weekly: { ...schedule, subject: 'Another subject' } } } });
  const { changes } = await world.plan();
  world.write({ 'reviewed.txt': changes.map(({ digest }) => `${digest}\n`).join('') });
  world.sent();
  return world;
}

it.each<[what: string, fields: Readonly<Record<string, Json | undefined>>]>([
  ['has another value', { timezone: 'Asia/Tokyo' }],
  ['is gone', { textBody: undefined }],
])('a reviewed update is refused if a field under ignoreChanges %s in the state', async (_, fields) => {
  const world = await openReviewed();
  const { resources, ...state } = world.state();
  const edited = Object.entries(resources).map(([address, { attributes, ...rest }]) => [
    address,
    { ...rest, attributes: { ...attributes, ...fields } },
  ]);
  const written = { ...state, serial: state.serial + 1, resources: Object.fromEntries(edited) };
  world.write({ 'almanac.state.json': JSON.parse(JSON.stringify(written)) });
  for (const refresh of [[], ['--refresh'], ['--refresh=deep']])
    await expectRefused(world, [...reviewedApply, ...refresh], 'error[not-reviewed]');
  expect(world.sent()).toEqual([]);
});

it('a reviewed update sends a field under ignoreChanges as somebody has changed it in Omni since', async () => {
  const world = await openReviewed();
  world.change(weekly.name, (fields) => void Object.assign(fields, { timezone: 'Asia/Tokyo' }));
  const { code, stdout, stderr } = await world.run(...reviewedApply, '--refresh=deep');
  expect(code, stderr).toBe(0);
  expect(stdout + stderr).toContain('timezone: kept as it is in Omni, `Asia/Tokyo`; declared: `Europe/London`');
  expect(world.emulator.data().schedules[0]?.fields).toMatchObject({
    timezone: 'Asia/Tokyo',
    subject: 'Another subject',
  });
  await world.expectQuiet();
});
