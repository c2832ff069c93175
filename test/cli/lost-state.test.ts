// A lost state comes back by one command: `almanac import` finds which declaration is which schedule in Omni, asks for no
// more than it needs, and takes nothing that it cannot tell for certain or that belongs to another environment.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { State } from '../../src/model/plan/state.ts';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { routineBody } from '../support/emulator/start-emulator.ts';
import { atFullSize } from '../support/runs/runs.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const board = '12db1a0a';
const common = {
  identifier: board,
  name: 'Usage',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Usage',
};
const one = (more: object = {}) => ({ ...common, ...more });
const each = {
  name: 'Customer usage',
  recipients: ['${each.to}'],
  filterConfig: { region: { values: ['${each.region}'] } },
};

/** 300 of them: 275 with a name of their own, and two loops whose instances share one name. */
const many = {
  ...Object.fromEntries(
    Array.from({ length: 275 }, (_, index) => [`report-${index}`, one({ name: `Report ${index}` })]),
  ),
  // Only receivers and filters tell them apart.
  customers: {
    ...one(each),
    forEach: Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [`c${index}`, { to: `cfo@c${index}.example`, region: `R${index}` }]),
    ),
  },
  // Their times tell them apart.
  hours: {
    ...one({ name: 'Hourly', schedule: '0 ${each.hour} ? * MON *' }),
    forEach: Object.fromEntries(Array.from({ length: 10 }, (_, hour) => [`h${hour}`, { hour: String(hour) }])),
  },
};

const idsIn = ({ resources }: State) =>
  Object.fromEntries(Object.entries(resources).map(([address, { id }]) => [address, id]));

/** The ids as they were. */
function lose(world: World, path = 'almanac.state.json'): Readonly<Record<string, string | undefined>> {
  const ids = idsIn(JSON.parse(world.read(path)) as State);
  rmSync(join(world.path, path));
  world.sent();
  return ids;
}

const entriesIn = (world: World, path = 'schedules/adopt.yaml') =>
  (parse(world.read(path)) as { adopt: readonly { to: string; id: string }[] }).adopt;
const isThere = (world: World, path: string) => existsSync(join(world.path, path));

/** Everything is tracked under these ids, nothing was sent, and nothing is left to do. */
async function expectBack(world: World, ids: object): Promise<void> {
  expect(idsIn(world.state())).toEqual(ids);
  expect(world.sent()).toEqual([]);
  await world.expectQuiet();
}

describe('300 schedules whose state is lost', () => {
  it('an apply is refused in few words, one import finds all of them, and the next apply tracks them again', async () => {
    const world = await openApplied({ schedules: many });
    const ids = lose(world);
    const refused = await world.run('apply --auto-approve');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('300 schedules');
    expect(refused.stderr).toContain('and 295 more');
    expect(refused.stderr).toContain('--allow duplicates');
    expect(refused.stderr).toContain('`almanac import --write-state --declared`');
    expect(refused.stderr.split('\n').length).toBeLessThan(15);
    expect(refused.stderr.indexOf('almanac import')).toBeLessThan(refused.stderr.indexOf('another environment'));

    const { paired, unpaired, imported, adoptFile, requests } = await world.import();
    expect([paired.length, unpaired, imported, adoptFile]).toEqual([300, [], [], 'schedules/adopt.yaml']);
    // Three pages of the list, one of routines, one request for each of the 25 that share a name, and the filters of their dashboard.
    expect(requests).toBe(3 + 1 + 25 + 1);
    expect(Object.fromEntries(entriesIn(world).map(({ to, id }) => [to, id]))).toEqual(ids);
    await world.apply();
    await expectBack(world, ids);
  });

  atFullSize(
    'with --write-state the state is back at once, without a file and without an apply',
    async () => {
      const world = await openApplied({ schedules: many });
      const ids = lose(world);
      const { paired, adoptFile } = await world.import('--write-state');
      expect([paired.length, adoptFile]).toEqual([300, undefined]);
      expect(isThere(world, 'schedules/adopt.yaml')).toBe(false);
      await expectBack(world, ids);
    },
    60_000,
  );
});

describe('a state that tracks no schedule, and the token of a member', () => {
  const declared = { schedules: { a: one() } };
  const asAna = (world: World, answer?: string) => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answer;
    };
    const asker = () => (answer === undefined ? undefined : ask);
    return { ...world.beside({ asker }, { OMNI_API_TOKEN: world.personalToken }), questions };
  };

  it.each(['full', 'core'] as const)(
    'with operations %s, an apply that nobody can answer is refused: the first copy may be there unseen',
    async (operations) => {
      const world = await openApplied(declared, { operations });
      lose(world);
      const refused = await asAna(world).run('apply', '--auto-approve');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(
        /^error\[refused\]: The state tracks no schedule, and the token is a personal one/,
      );
      expect(refused.stderr.replace(/\s+/g, ' ')).toContain(
        'If the declarations were never applied, use --first-apply',
      );
      expect(world.sent()).toEqual([]);
    },
  );

  it('an apply asks a person with --auto-approve too, and creates nothing where the answer is no', async () => {
    const world = await openApplied(declared);
    lose(world);
    const { run, questions } = asAna(world, 'no');
    const { code, stderr } = await run('apply', '--auto-approve');
    expect([code, questions]).toEqual([1, [expect.stringContaining('Apply these changes to')]]);
    expect(stderr).toContain('warning: The state tracks no schedule');
    expect(world.sent()).toEqual([]);
  });

  it('a first apply is one with --first-apply or the answer yes, and no apply after it asks or takes the option', async () => {
    for (const [answer, option] of [['yes'], [undefined, '--first-apply']] as const) {
      const world = await openWorld(declared);
      const { run, questions } = asAna(world, answer);
      expect((await run('apply', '--auto-approve', ...(option ? [option] : []))).code).toBe(0);
      expect(world.sent()).toEqual(['POST /api/v1/schedules']);
      expect(questions).toHaveLength(option ? 0 : 1);
      world.declare({ a: one(), b: one({ name: 'Other' }) });
      expect((await run('apply', '--auto-approve')).code).toBe(0);
      expect(questions).toHaveLength(option ? 0 : 1);
      const again = await run('apply', '--auto-approve', '--first-apply');
      expect(again.stderr).toContain('error[usage]: --first-apply is for a state that tracks no schedule');
    }
  });

  it('what the state tracks of other kinds says nothing of schedules', async () => {
    const dashboards = { sales: { identifier: board, filters: { region: { values: ['Europe'] } } } };
    const world = await openApplied({ dashboards });
    world.declare({ a: one() }, { dashboards });
    const refused = await asAna(world).run('apply', '--auto-approve');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The state tracks no schedule')]);
    expect(world.sent()).toEqual([]);
    expect(await asAna(world).run('apply', '--auto-approve', '--first-apply')).toMatchObject({ code: 0 });
  });

  it('the guard stays on for what the token shows', async () => {
    const world = await openWorld(declared);
    const { run } = asAna(world);
    await run('apply', '--auto-approve', '--first-apply');
    lose(world);
    expect((await run('apply', '--auto-approve', '--first-apply')).stderr).toContain('error[blocked]');
    expect(world.sent()).toEqual([]);
  });
});

describe('what is no pair', () => {
  it('what differs in Omni by then is listed with both sides, and neither adopted nor declared', async () => {
    const world = await openApplied({ schedules: { a: one(), b: one({ name: 'Other' }) } });
    lose(world);
    world.change('Usage', (fields) => Object.assign(fields, { timezone: 'Europe/Paris' }));
    const { code, stdout } = await world.run('import');
    expect(code).toBe(0);
    expect(stdout).toMatch(/declared: schedules\.a: .*Europe\/London, pdf, email, 1 recipient/);
    expect(stdout).toMatch(/in Omni: [0-9a-f-]{36}: .*Europe\/Paris/);
    expect(entriesIn(world).map(({ to }) => to)).toEqual(['schedules.b']);
    const { code: applied, stderr } = await world.run('apply --auto-approve');
    expect([applied, stderr]).toEqual([1, expect.stringContaining('schedules.a')]);
  });

  it('two copies in Omni of one declaration are both left alone', async () => {
    const world = await openApplied({ schedules: { a: one() } });
    lose(world);
    const copy = world.makeByHand(common);
    const { paired, unpaired, imported } = await world.import();
    expect([paired, imported]).toEqual([[], []]);
    expect(unpaired).toMatchObject([{ identifier: board, name: 'Usage', declared: [{ address: 'schedules.a' }] }]);
    expect(unpaired[0]?.listed.map(({ id }) => id)).toContain(copy);
    expect(isThere(world, 'schedules/adopt.yaml')).toBe(false);
  });

  it('twins that only their filters tell apart are paired by these, and one without a filter is not guessed', async () => {
    const region = (value: string) => ({ filterConfig: { region: { values: [value] } } });
    const world = await openApplied({ schedules: { a: one(region('EMEA')), b: one(region('APAC')) } });
    const ids = lose(world);
    expect((await world.import()).paired).toHaveLength(2);
    expect(Object.fromEntries(entriesIn(world).map(({ to, id }) => [to, id]))).toEqual(ids);
    rmSync(join(world.path, 'schedules/adopt.yaml'));
    // Somebody gave the second the filter of the first.
    world.emulator.edit(({ schedules }) => {
      for (const { fields } of schedules) Object.assign(fields, region('EMEA'));
    });
    expect((await world.import()).unpaired).toMatchObject([{ declared: [{}, {}], listed: [{}, {}] }]);
  });

  it('a schedule whose details Omni refuses may still be either of two, so neither is guessed', async () => {
    let refused = 0;
    const connect = connecting(({ getSchedule }) => ({
      getSchedule: (...asked) => {
        refused += 1;
        return refused === 1 ? Promise.reject(refusal(403)) : getSchedule(...asked);
      },
    }));
    const two = { a: one(), b: one({ recipients: ['bo@example.com'] }) };
    const world = await openWorld({ schedules: two }, { outside: { connect } });
    await world.apply();
    lose(world);
    const { paired, unpaired } = await world.import();
    expect([paired, unpaired]).toMatchObject([[], [{ declared: [{}, {}], listed: [{}, {}] }]]);
  });

  it('twins that deliver to a secret URL are paired by it, and it is printed nowhere', async () => {
    const hook = (name: string) => ({
      destinationType: 'webhook',
      format: 'json',
      url: `https://hooks.example.com/\${env.${name}}`,
    });
    const { recipients: _, subject: __, ...base } = common;
    const environment = { KEY_A: 'secret-of-a-0123456789', KEY_B: 'secret-of-b-0123456789' };
    const schedules = { a: { ...base, ...hook('KEY_A') }, b: { ...base, ...hook('KEY_B') } };
    const world = await openApplied({ schedules }, { environment });
    const ids = lose(world);
    const { code, stdout, stderr } = await world.run('import --write-state');
    expect(code, stderr).toBe(0);
    expect(idsIn(world.state())).toEqual(ids);
    expect(stdout + stderr + world.read('almanac.state.json')).not.toContain('secret-of');
    await world.expectQuiet();
  });

  it('an orphan of that name is listed, and not taken over before it is cleared', async () => {
    const world = await openApplied({ schedules: { a: one() } });
    const id = world.idOf('schedules.a');
    const { identifier, name } = common;
    const orphan = { id, address: 'schedules.a', identifier, name, since: '2026-03-01T00:00:00.000Z' };
    world.write({ 'almanac.state.json': { ...world.state(), resources: {}, orphans: [orphan] } });
    const { stderr } = await world.run('apply --auto-approve');
    expect(stderr).toContain(`almanac state orphans --clear ${id}`);
    expect((await world.import()).paired).toEqual([]);
    await world.run(`state orphans --clear ${id}`);
    expect((await world.import()).paired).toMatchObject([{ address: 'schedules.a', id }]);
  });

  it('what is not declared at all is imported beside what is paired', async () => {
    const world = await openApplied({ schedules: { a: one() } });
    lose(world);
    world.makeByHand(one({ name: 'By hand' }));
    const { paired, imported } = await world.import();
    expect(paired).toHaveLength(1);
    expect(imported.map(({ name }) => name)).toEqual(['By hand']);
  });

  it('a file of that name stays as it is, and the entries are written beside it', async () => {
    const world = await openApplied({ schedules: { a: one() } });
    lose(world);
    world.write({ 'schedules/adopt.yaml': '# mine\n' });
    const { adoptFile, beside } = await world.import();
    expect([adoptFile, beside]).toEqual([
      'schedules/adopt-2.yaml',
      [{ path: 'schedules/adopt-2.yaml', there: 'schedules/adopt.yaml' }],
    ]);
    expect(world.read('schedules/adopt.yaml')).toBe('# mine\n');
  });

  it('a file is in the way only where something would be written into it', async () => {
    const routines = { churn: routineBody({ name: 'Churn', owner: 'ana@example.com' }) };
    const environment = { OMNI_API_TOKEN: 'omni_osk_demo_organization_key' };
    const files = { 'schedules/a.yaml': { schedules: { a: one() } }, 'schedules/routines.yaml': { routines } };
    const world = await openWorld(files, { environment });
    await world.apply();
    lose(world);
    const { adoptFile, files: written, paired, skipped, beside } = await world.import('--owners', 'all');
    expect([adoptFile, written, beside]).toEqual(['schedules/adopt.yaml', [], []]);
    expect([paired.length, skipped]).toEqual([2, []]);
  });
});

describe('declared routines whose state is lost', () => {
  const ofBo = (more: object) => routineBody({ name: 'Churn', owner: 'bo@example.com', ...more });
  const routines = {
    // Only what they ask tells these two apart.
    churn: ofBo({}),
    'churn-why': ofBo({ prompt: 'Why?' }),
    sales: routineBody({ name: 'Sales', owner: 'Ana@example.com', description: 'For the board' }),
  };
  const environment = { OMNI_API_TOKEN: 'omni_osk_demo_organization_key' };
  const files = { 'schedules/a.yaml': { schedules: { a: one() } }, 'schedules/routines.yaml': { routines } };

  async function openLost() {
    const world = await openWorld(files, { environment });
    await world.apply();
    const makers = Object.values(world.state().resources).map(({ madeBy }) => madeBy);
    return { world, makers, ids: lose(world) };
  }

  it('with --owners they are found as schedules are, and the next plan has nothing to do', async () => {
    const { world, makers, ids } = await openLost();
    const { code, stdout, stderr } = await world.run('import --write-state --owners all');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Declared already, and found in Omni: 1 schedule and 3 routines.');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'They are tracked from now on, in almanac.state.json. Commit almanac.state.json. The next plan has nothing to do.',
    );
    expect(Object.values(world.state().resources).map(({ madeBy }) => madeBy)).toEqual(makers);
    await expectBack(world, ids);
    await world.expectQuiet('--refresh');
  });

  it('without it they are counted at the end, with what the next plan does, and the next import finds them', async () => {
    const { world, ids } = await openLost();
    const { stdout } = await world.run('import');
    const said = stdout.replace(/\s+/g, ' ');
    expect(said).toContain(
      '3 declared routines were not looked for, because nobody asked for the routines of their owners',
    );
    expect(said).toContain('The next plan: 3 to create, 1 to adopt.');
    const { notLookedFor, next } = await world.import('--owners', 'bo@example.com');
    expect([notLookedFor, next]).toMatchObject([['routines.sales'], { create: 1, adopt: 3 }]);
    expect((await world.import('--owners', 'all')).next).toMatchObject({ create: 0, adopt: 4 });
    await world.apply();
    await expectBack(world, ids);
  });

  it('one that was changed in Omni is named with the entry for it, and two copies are left alone', async () => {
    const { world, ids } = await openLost();
    world.emulator.edit((data) => {
      for (const { fields } of data.routines ?? [])
        if (fields.name === 'Sales') Object.assign(fields, { timezone: 'Europe/Paris' });
      for (const { fields } of data.routines ?? [])
        if (fields.name === 'Churn') Object.assign(fields, { prompt: 'Why?' });
    });
    const { paired, imported, skipped } = await world.import('--owners', 'all');
    expect([paired.map(({ address }) => address), imported]).toEqual([['schedules.a'], []]);
    expect(skipped.map(({ name }) => name)).toEqual(['Churn', 'Churn', 'Sales']);
    expect(skipped.map(({ reason }) => reason).join()).toContain(
      `{ to: routines.sales, id: ${ids['routines.sales']} }`,
    );
  });

  it('what another environment tracks is neither taken nor declared', async () => {
    const environments = {
      production: { state: { path: 'production.state.json' } },
      staging: { state: { path: 'staging.state.json' } },
    };
    const world = await openWorld(files, { environment, config: { environments } });
    await world.apply('--env', 'production');
    const found = await world.import('--env', 'staging', '--write-state', '--owners', 'all');
    expect(found).toMatchObject({ paired: [], imported: [], tracked: 0, trackedBy: [{ count: 4 }] });
  });
});

describe('two environments in one organization', () => {
  const environments = {
    production: { state: { path: 'production.state.json' } },
    staging: { state: { path: 'staging.state.json' }, deliver: { email: ['qa@example.com', 'qb@example.com'] } },
  };
  const two = { a: one(), b: one({ name: 'Other', recipients: ['ana@example.com', 'bo@example.com'] }) };

  async function openTwo(): Promise<World> {
    const world = await openWorld({ schedules: two }, { config: { environments } });
    await world.apply('--env', 'production');
    world.sent();
    return world;
  }

  it('a first apply of the second is refused, and an import takes nothing that the first tracks', async () => {
    const world = await openTwo();
    const { stderr } = await world.run('apply --auto-approve --env staging');
    expect(stderr).toContain('If this is the first apply of another environment');
    expect(stderr).toContain('2 are tracked by the environment production.');
    expect(stderr).not.toContain('almanac import');
    const found = await world.import('--write-state', '--env', 'staging');
    expect(found).toMatchObject({
      paired: [],
      unpaired: [],
      imported: [],
      tracked: 0,
      trackedBy: [{ who: 'the environment production', count: 2 }],
    });
    expect(isThere(world, 'staging.state.json')).toBe(false);
  });

  it('the lost state of one comes back as it delivers, through its sinks, beside the other that tracks its own', async () => {
    const world = await openTwo();
    await world.apply('--env', 'staging', '--allow', 'duplicates');
    const ids = lose(world, 'staging.state.json');
    const written = await world.run('import --env staging');
    expect(written.code).toBe(0);
    rmSync(join(world.path, 'schedules/adopt.yaml'));
    const { paired } = await world.import('--write-state', '--env', 'staging');
    expect(paired).toHaveLength(2);
    expect(idsIn(JSON.parse(readFileSync(join(world.path, 'staging.state.json'), 'utf8')) as State)).toEqual(ids);
    expect(world.sent()).toEqual([]);
    // What was not seen to go through the sink is sent through it once more.
    const { changes } = await world.plan('--env', 'staging');
    expect(changes.map(({ action, reason }) => [action, reason])).toEqual([
      ['update', 'sink'],
      ['update', 'sink'],
    ]);
  });

  it('entries of adopt name the environment of the import, and no other one follows them', async () => {
    const world = await openTwo();
    lose(world, 'production.state.json');
    expect((await world.import('--env', 'production')).paired).toHaveLength(2);
    expect(
      readFileSync(join(world.path, 'schedules/adopt.yaml'), 'utf8').match(/in: \[production\]|- production/g),
    ).toHaveLength(2);
    const { changes } = await world.plan('--env', 'staging');
    expect(changes.map(({ action }) => action)).toEqual(['create', 'create']);
    await world.apply('--env', 'production');
    await world.expectQuiet('--env', 'production');
  });

  it('an environment that has the same state is not another one', async () => {
    const world = await openWorld({ schedules: two }, { config: { environments: { nightly: {} } } });
    await world.apply();
    const ids = lose(world);
    expect((await world.import()).paired).toHaveLength(2);
    await world.apply();
    await expectBack(world, ids);
  });

  it('nothing is paired while the state of another environment cannot be read', async () => {
    const world = await openTwo();
    world.write({ 'production.state.json': '{' });
    const { code, stderr } = await world.run('import --write-state --env staging');
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot tell which schedules a neighbour')]);
    expect(isThere(world, 'staging.state.json')).toBe(false);
  });
});
