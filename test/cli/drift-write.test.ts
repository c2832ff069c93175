// `almanac drift --write` of selected resources, and the document that it prints. Also of a dashboard and beside broken
// environments. Where values are written, the transcripts drift/write and drift/write-loops show.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import { all, at, type Change, mail, mails, maps, paused, renamed, to, zoned } from '../support/cli/drift-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import { says } from '../support/vocabulary.ts';
import { type Fields, openApplied, openWorld } from '../support/world.ts';

const wednesday = at('0 6 ? * WED *');
const paris = zoned('Europe/Paris');
const byVariable = (...keys: readonly string[]) =>
  mails(keys.map((key) => mail(key))).replace('timezone: Europe/London', 'timezone: ${var.zone}');

it('the values of a filter of a dashboard are edited in its entry', async () => {
  const text = `dashboards:
  sales:
    identifier: 12db1a0a
    filters:
      # what was sent
      order_status: { values: [shipped, delivered] }
    filterOrder: [region, order_status]
`;
  const world = await openApplied(text);
  world.emulator.edit(({ documents }) => {
    const filters = documents.find(({ identifier }) => identifier === '12db1a0a')?.dashboard?.filters;
    Object.assign((filters?.['order_status'] ?? {}) as Fields, { values: ['shipped', 'returned'] });
  });
  expect(await world.drift('--deep', '--write')).toMatchObject({ code: 0, document: { notWritten: [] } });
  expect(world.read(all)).toBe(text.replace('delivered', 'returned'));
  await world.expectQuiet();
});

it('an environment whose declarations have errors hinders nothing, and is named', async () => {
  const config = 'environments: { prod: {}, broken: { variables: { zone: Nowhere/Else } } }\n';
  const world = await openWorld({ [all]: byVariable('a') }, { config: `variables: { zone: UTC }\n${config}` });
  await world.apply('--env', 'prod');
  world.change('A', wednesday);
  const { code, stderr } = await world.run('drift --deep --write --env prod');
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('warning: The declarations of the environment broken have errors, so nobody checked'),
  ]);
  expect(world.read(all)).toContain('0 6 ? * WED *');
});

it('only the named resources are written, and an unknown one is refused with the nearest', async () => {
  const world = await openApplied(mails([mail('alpha'), mail('beta')]));
  for (const name of ['ALPHA', 'BETA']) world.change(name, paris);
  const { code, document } = await world.drift('--deep', '--write', 'schedules.alpha');
  expect(code).toBe(0);
  expect(document.written).toMatchObject([{ address: 'schedules.alpha' }]);
  expect(world.read(all)).toContain('timezone: Europe/London # where we are');
  const unknown = await world.run('drift --write schedules.alhpa');
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean `schedules.alpha`?') });
  expect((await world.drift('--write', 'schedules.beta', '--target', 'schedules.beta')).code).toBe(0);
});

it('what was written is no drift for the next run, although only an apply records it in the state', async () => {
  const world = await openApplied(mails([mail('a')]));
  world.change('A', paused);
  const first = await world.run('drift --write');
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('Written into the source files\n- schedules.a: paused (schedules/all.yaml:');
  const before = world.read(all);
  const { code, stdout } = await world.run('drift --write');
  expect(code).toBe(0);
  expect(stdout).toEqual(
    says(
      'No drift: everything that was compared is as it was applied, or as it is declared. Only the state is behind on 1 resource: Omni has it as declared already. The next `almanac apply --refresh` records it.',
    ),
  );
  expect(world.read(all)).toBe(before);
  expect(await world.drift()).toMatchObject({ code: 0, document: { drift: [], asDeclared: ['schedules.a'] } });
  const plan = await world.run('plan --refresh');
  expect(plan.stdout).not.toContain('Changed outside of Almanac');
  expect(plan.stdout).toContain('  update  schedules.a  A: Omni has it as declared already\n');
  expect(plan.stdout).toContain('Plan: 1 to update in the state.\nNo requests.');
  await world.apply('--refresh');
  expect((await world.drift()).document.asDeclared).toBeUndefined();
  expect((await world.plan('--refresh=deep')).changes).toEqual([]);
});

it('Markdown names what was written and what was not', async () => {
  const text = mails(["  a: { name: 'A ${var.region}', subject: Hello }", mail('b')]);
  const world = await openApplied(text, { config: 'variables: { region: EU }\n' });
  world.change('A EU', renamed('Other'));
  world.change('B', paused);
  const { code, stdout } = await world.run('drift --deep --write --format markdown');
  expect(code).toBe(2);
  expect(stdout).toMatch(/Not written\n\n- `schedules\.a: name`\n\nThe declared value is partly a reference/);
  expect(stdout).toMatch(/Written into the source files\n\n- `schedules\.b: paused \(schedules\/all\.yaml:\d+\)`/);
});

it('a read-only file is left as it is', async () => {
  const text = mails([mail('a')]);
  const world = await openApplied(text);
  world.change('A', paused);
  chmodSync(join(world.path, all), 0o444);
  const { code, document } = await world.drift('--deep', '--write');
  expect([code, document.notWritten]).toMatchObject([2, [{ address: 'schedules.a', reason: 'read-only' }]]);
  expect(world.read(all)).toBe(text);
});

it('the document names what was written with its file and line, and what was not with the reason', async () => {
  const text = mails(["  a: { name: 'A ${var.region}', subject: Hello }", mail('b'), mail('c'), mail('gone')]);
  const world = await openApplied(text, { config: 'variables: { region: EU }\n' });
  world.change('A EU', renamed('Other'));
  world.change('B', paris);
  world.change('C', wednesday);
  world.emulator.edit((data) => {
    data.schedules = data.schedules.filter(({ fields }) => fields['name'] !== 'GONE');
  });
  world.write({ [all]: text.replace(mail('b'), mail('b', 'timezone: UTC')) });
  const { code, stdout } = await world.run('drift --deep --write --format json');
  expect(code).toBe(2);
  const { written, notWritten } = expectDocument<DriftDocument>('plan', stdout);
  expect(written).toEqual([{ address: 'schedules.c', path: '/schedule', file: all, line: 17 }]);
  expect(notWritten?.map(({ address, path, reason }) => `${address}${path} ${reason}`)).toEqual([
    'schedules.a/name partly-reference',
    'schedules.b/timezone declaration-changed',
    'schedules.gone gone',
  ]);
});

it.each<[reason: string, text: string, name: string, change: Change, argv?: readonly string[]]>([
  ['used-elsewhere', mails([mail('a', 'timezone: &zone UTC'), mail('b', 'timezone: *zone')]), 'A', paris],
  ['items', maps, 'Sales Europe', paris],
  ['invalid', mails([mail('a')]), 'A', zoned('Nowhere/Else')],
  ['sink', mails([mail('a')]), 'A', to('zed@example.com'), ['--env', 'test']],
])('the document says why a value is not written: %s', async (reason, text, name, change, argv = []) => {
  const world = await openWorld(text, { config: 'environments: { test: { deliver: { email: [qa@example.com] } } }\n' });
  await world.apply(...argv);
  world.change(name, change);
  const { code, document } = await world.drift('--deep', '--write', ...argv);
  expect([code, document.notWritten?.map((each) => each.reason)]).toEqual([2, [reason]]);
  expect(world.read(all)).toBe(text);
});

it.each([
  ['NUL', 'a\0b'],
  ['half of a character', 'a\uD800b'],
])(
  '%s is refused in a cell, what changed beside it is written, and the mark and the end of the file stay',
  async (_, name) => {
    const [csv, rows] = ['schedules/regions.csv', '\uFEFFcode,mail,note\r\namer,bo@example.com,Bo'];
    const loop =
      '  regional:\n    forEachRow: { file: regions.csv, key: code }\n    name: ${each.note}\n    subject: Hello\n    recipients: ["${each.mail}"]';
    const world = await openApplied({ [all]: mails([loop]), [csv]: rows });
    world.change('Bo', (fields) => Object.assign(fields, { recipients: ['cy@example.com'], name }));
    const { code, document } = await world.drift('--deep', '--write');
    const message = expect.stringContaining('a character that schedules/regions.csv cannot hold');
    expect([code, document.notWritten]).toMatchObject([2, [{ path: '/name', reason: 'layout', message }]]);
    expect(world.read(csv)).toBe(rows.replace('bo@', 'cy@'));
  },
);
