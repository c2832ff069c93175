// A time zone for the queries of a schedule, and other options that somebody sets in Omni: what was set there is shown
// before an update resets it.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { set } from '../support/cli/drift-stage.ts';
import { hostileTexts } from '../support/report/hostile-text.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const weekly = {
  identifier: '12db1a0a',
  name: 'Weekly',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Weekly',
};
const zoneInOmni = ({ emulator }: World) => emulator.data().schedules.map(({ fields }) => fields['timezoneOverride']);
const bodies = ({ emulator }: World) =>
  emulator
    .requests()
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => body as object);
const file = 'schedules/all.yaml';

describe('a zone that somebody sets in Omni', () => {
  it('a zone that somebody sets in Omni is drift, appears in the plan that resets it, and is reset by null', async () => {
    const world = await openApplied({ schedules: { weekly } });
    world.change('Weekly', set('timezoneOverride', 'Asia/Tokyo'));
    const { code, stdout } = await world.run('drift --deep');
    expect(code).toBe(2);
    expect(stdout).toContain('+ timezoneOverride: "Asia/Tokyo"');
    world.declare({ weekly: { ...weekly, subject: 'Weekly sales' } });
    expect((await world.run('plan --refresh=deep')).stdout).toMatch(/- timezoneOverride: "Asia\/Tokyo"/);
    await world.apply('--refresh=deep');
    expect(bodies(world)).toMatchObject([{ subject: 'Weekly sales', timezoneOverride: null }]);
    await world.expectQuiet();
  });

  it('a zone that somebody sets in Omni is drift too where somebody removed the declared one', async () => {
    const world = await openApplied({ schedules: { weekly: { ...weekly, timezoneOverride: 'Asia/Tokyo' } } });
    world.change('Weekly', set('timezoneOverride', null));
    expect((await world.run('drift --deep')).stdout).toContain('- timezoneOverride: "Asia/Tokyo"');
    await world.apply('--refresh=deep');
    expect(zoneInOmni(world)).toEqual(['Asia/Tokyo']);
  });

  it('a zone that somebody sets in Omni is kept by drift --write as the field', async () => {
    const world = await openApplied({ schedules: { weekly } });
    world.change('Weekly', set('timezoneOverride', 'Asia/Tokyo'));
    expect((await world.run('drift --deep --write')).code).toBe(0);
    expect(world.read(file)).toContain('"timezoneOverride": "Asia/Tokyo"');
    await world.expectQuiet();
    expect(zoneInOmni(world)).toEqual(['Asia/Tokyo']);
  });

  it('a zone that somebody sets in Omni is kept by an update where its changes are ignored and a look has shown it', async () => {
    const ignoring = { ...weekly, lifecycle: { ignoreChanges: ['timezoneOverride'] } };
    const world = await openApplied({ schedules: { weekly: ignoring } });
    world.change('Weekly', set('timezoneOverride', 'Asia/Tokyo'));
    world.declare({ weekly: { ...ignoring, subject: 'Weekly sales' } });
    await world.apply('--refresh=deep');
    expect(zoneInOmni(world)).toEqual(['Asia/Tokyo']);
  });

  it.each([
    ['as an alias of the same clocks', 'US/Pacific', 'America/Los_Angeles'],
    ['not at all', 'Asia/Tokyo', undefined],
  ])('is no drift where Omni shows it %s', async (_, declared, shown) => {
    const world = await openApplied({ schedules: { weekly: { ...weekly, timezoneOverride: declared } } });
    const { drift } = (await world.drift('--deep')).document;
    expect(drift).toEqual([]);
    if (shown !== undefined) world.change('Weekly', set('timezoneOverride', shown));
    expect((await world.drift('--deep')).document.drift).toEqual([]);
  });

  it('a zone that somebody sets in Omni is declared by an import, and an update without one sends none', async () => {
    const world = await openWorld();
    await world.create('email', { name: 'Weekly', timezoneOverride: 'Asia/Tokyo' });
    await world.create('email', { name: 'Daily' });
    await world.import('--write-state');
    const path = 'schedules/sales/sales-overview.yaml';
    expect(world.read(path)).toContain('timezoneOverride: Asia/Tokyo');
    world.write({ [path]: world.read(path).replaceAll('format: pdf', 'format: png') });
    await world.apply();
    const sent = bodies(world).filter((body) => 'timezoneOverride' in body);
    expect(sent).toMatchObject([{ name: 'Weekly', timezoneOverride: 'Asia/Tokyo' }]);
  });
});

it('a dashboard that allows no zone for queries refuses one, and the error says which setting it is', async () => {
  const world = await openWorld({ schedules: { weekly: { ...weekly, timezoneOverride: 'Asia/Tokyo' } } });
  world.emulator.edit(({ documents }) => {
    for (const document of documents) document.canUseTimezoneOverride = false;
  });
  const { code, stdout } = await world.run('apply --auto-approve');
  expect(code).toBe(1);
  expect(stdout).toContain('(canUseTimezoneOverride)');
  world.declare({ weekly });
  await world.apply();
});

describe('what an earlier version had below extra', () => {
  const older = { ...weekly, extra: { timezoneOverride: 'Asia/Tokyo', unheardOf: 1 } };
  const newer = { ...weekly, timezoneOverride: 'Asia/Tokyo', extra: { unheardOf: 1 } };
  const below = [
    ['in the state', older],
    ['in neither', newer],
  ] as const;

  it.each(below)(
    'what an earlier version had below extra is the field, and no plan says anything of it: %s',
    async (_, recorded) => {
      const world = await openApplied({ schedules: { weekly } });
      const state = world.state();
      const { resources } = state;
      world.write({
        'almanac.state.json': {
          ...state,
          resources: { 'schedules.weekly': { ...resources['schedules.weekly'], attributes: recorded } },
        },
      });
      for (const declared of [older, newer]) {
        world.declare({ weekly: declared });
        expect((await world.plan()).changes).toEqual([]);
      }
      world.declare({ weekly: older });
      const { code, stdout } = await world.run('validate -v');
      expect(code).toBe(0);
      expect(stdout).toContain('warning[extra-became-field]');
    },
  );

  it('what an earlier version had below extra is checked, sent and compared as the field', async () => {
    const extra = { timezoneOverride: 'Asia/Tokyo' };
    const world = await openApplied({ schedules: { weekly: { ...weekly, extra } } });
    expect(zoneInOmni(world)).toEqual(['Asia/Tokyo']);
    world.change('Weekly', set('timezoneOverride', 'UTC'));
    expect((await world.run('drift --deep --write')).code).toBe(0);
    expect(JSON.parse(world.read(file))).toEqual({
      schedules: { weekly: { ...weekly, extra: { timezoneOverride: 'UTC' } } },
    });
    world.declare({ weekly: { ...weekly, extra: { timezoneOverride: 'Mars/Base' } } });
    expect((await world.run('validate')).stdout).toContain('error[invalid-timezone]');
    world.declare({ weekly });
    await world.apply();
    expect(bodies(world).at(-1)).toMatchObject({ timezoneOverride: null });
  });

  it('what an earlier version had below extra is an error beside the field, because nobody knows which of the two counts', async () => {
    const world = await openWorld({ schedules: { weekly: { ...older, timezoneOverride: 'UTC' } } });
    expect((await world.run('validate')).stdout).toContain('error[extra-known-field]');
  });
});

describe('fmt moves a field out of extra', () => {
  const head = 'schedules:\n  weekly:\n    name: Weekly\n';
  const config = (defaults = '') => `api: { operations: full }\n${defaults}`;

  it.each([
    ['alone', 'extra: { timezoneOverride: Asia/Tokyo } # the queries', 'timezoneOverride: Asia/Tokyo # the queries'],
    [
      'in a block',
      'extra:\n      # of the head office\n      timezoneOverride: "${var.zone}" # the queries',
      '# of the head office\n    timezoneOverride: ${var.zone} # the queries',
    ],
    [
      'with others',
      'extra:\n      timezoneOverride: UTC\n      other: 1 # kept',
      'timezoneOverride: UTC\n    extra:\n      other: 1 # kept',
    ],
  ])('fmt moves a field out of extra and keeps comments: %s', async (_, before, after) => {
    const world = await openWorld({ 'almanac.yaml': config(), [file]: `${head}    ${before}\n` });
    expect((await world.run('fmt')).stderr).toContain('Formatted 1 of 2 files.');
    expect(world.read(file)).toBe(`${head}    ${after}\n`);
    expect((await world.run('fmt --check')).code).toBe(0);
  });

  it('fmt moves a field out of extra and leaves an empty extra where it hides that of a default', async () => {
    const text = `${head}    extra: { timezoneOverride: UTC }\n`;
    const defaults = 'environments: { live: { defaults: { schedules: { extra: { other: 1 } } } } }\n';
    const world = await openWorld({ 'almanac.yaml': config(defaults), [file]: text });
    await world.run('fmt');
    expect(world.read(file)).toBe(`${head}    timezoneOverride: UTC\n    extra: {}\n`);
  });
});

describe('options that no field stands for', () => {
  /** As if nothing had been declared or applied. */
  function forget(world: World): void {
    rmSync(join(world.path, 'almanac.state.json'));
    world.write({ [file]: '{}' });
  }

  async function openWithOptions(checks: object = {}, given: readonly (object | undefined)[] = []) {
    const names = given.map((_, index) => `r${index}`);
    const declared = Object.fromEntries(names.map((name) => [name, { ...weekly, name }]));
    const world = await openApplied({ schedules: declared }, { config: { checks } });
    given.forEach((options, index) => {
      world.change(`r${index}`, (_, schedule) => void Object.assign(schedule, { options }));
    });
    return world;
  }
  const options = [
    { watermarkText: 'Confidential', renderer: 2, deep: false },
    { watermarkText: 'Draft', renderer: 2, deep: 0, note: '' },
    { watermarkText: null, renderer: 2, pages: ['one'] },
  ];
  const words =
    'Omni has options that Almanac does not know (watermarkText in 2 schedules, pages in 1 schedule); an update may reset them.';

  it('options that no field stands for are one note of drift --deep by name, and no drift', async () => {
    const world = await openWithOptions({}, options);
    const { code, stdout, stderr } = await world.run('drift --deep');
    expect(code).toBe(0);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(`note[unknown-option]`);
    expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(words);
    expect(stdout + stderr).not.toMatch(/Confidential|Draft|renderer/);
    for (const line of ['drift', 'plan --refresh=deep'])
      expect((await world.run(line)).stderr).not.toContain('unknown-option');
  });

  it('options that no field stands for are one note of an import', async () => {
    const world = await openWithOptions({}, options);
    forget(world);
    const { code, stderr } = await world.run('import');
    expect(code).toBe(0);
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
  });

  it('options that no field stands for are not named where checks turn the note off', async () => {
    const world = await openWithOptions({ 'unknown-option': 'off' }, options);
    expect((await world.drift('--deep')).document.diagnostics).toEqual([]);
    forget(world);
    expect((await world.run('import')).stderr).not.toContain('watermark');
  });

  it('options that no field stands for are a note that checks can only turn off', async () => {
    const world = await openWorld({}, { config: { checks: { 'unknown-option': 'error' } } });
    const { code, stdout } = await world.run('validate');
    expect(code).toBe(1);
    expect(stdout).toContain('error[unknown-check]');
  });

  it('options that no field stands for are named briefly, whatever their names', async () => {
    const hostile = Object.fromEntries([...hostileTexts, 'x'.repeat(5000)].map((name) => [name, 1]));
    const world = await openWithOptions({}, [hostile, {}]);
    const { document } = await world.drift('--deep');
    const [{ message } = { message: '' }] = document.diagnostics;
    expect(message.length).toBeLessThan(700);
    expect(message).toMatch(/and \d+ more\)/);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
