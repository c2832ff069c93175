// What Omni shows and nobody could read, and what is gone.
// Neither counts as right in any command.

import { beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { Api } from '../../src/omni/api.ts';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { pairsOf } from '../support/runs/runs.ts';
import { mail, routine, says } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const sales = '12db1a0a';
const orders = '7ae01c55';
const tile = 'Jmn2r3KV';
const watched = { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: tile };
const schedules = (more: object = {}) => ({
  north: mail({
    identifier: orders,
    name: 'North',
    recipients: ['cfo@north.example'],
    filterConfig: { customer: { values: ['North'] } },
    ...more,
  }),
  alert: mail({ identifier: sales, name: 'Alert', format: 'csv', ...watched }),
  plain: mail({ identifier: sales, name: 'Plain' }),
});
const rows = { internalDomains: ['example.com'], rows: { filters: ['customer'], allow: 'tenants.csv' } };

/** What Omni does not show after everything was applied, and who hangs on it. */
const unread: Readonly<Record<string, (api: Api) => Partial<Api>>> = {
  'the details of North': (api) => ({
    getSchedule: async (...given) => {
      const found = await api.getSchedule(...given);
      if (found.name === 'North') throw refusal(403);
      return found;
    },
  }),
  'the filters of North’s dashboard (403)': (api) => filtersOf(api, orders, 403),
  'the filters of North’s dashboard (500)': (api) => filtersOf(api, orders, 500),
  'the layout of North’s dashboard': (api) => ({
    getLayout: async (...given) => {
      if (given[0] === orders) throw refusal(403);
      return api.getLayout(...given);
    },
  }),
  'the filters of the alert’s dashboard': (api) => filtersOf(api, sales, 403),
  'the tiles of the alert’s dashboard': () => ({ listQueries: () => Promise.reject(refusal(403)) }),
};
const filtersOf = (api: Api, identifier: string, status: number): Partial<Api> => ({
  getFilters: async (...given) => {
    if (given[0] === identifier) throw refusal(status);
    return api.getFilters(...given);
  },
});

const stock = '3f9c2b71';
const caused = (code: string) => Object.assign(new Error(code), { code });

/** Why a question is left open. */
const faults = {
  '403': () => refusal(403),
  '500': () => refusal(500, 'api-answer-lost'),
  nonsense: () => new Failure('api-answer-lost', 'Nobody can read it.', { cause: caused('ANSWER_UNREADABLE') }),
} as const;
const noAnswer = () => new Failure('api-unreachable', 'Nothing answers.', { cause: caused('ECONNREFUSED') });

/** A question about a part, and what the command ends with and says where that is not read. */
type Told = readonly [question: keyof Api, about: string, code: 0 | 1, line: string | RegExp];
const ofDashboard: Told = ['getFilters', stock, 0, 'cannot tell what became of `dashboards.stock`'];
const ofRoutine: Told = ['listRoutines', '', 0, 'cannot tell what became of `routines.summary`'];
const ofOwner: Told = ['listUsers', '', 0, 'cannot tell whether `schedules.north` belongs to its owner'];
const ofGroups: Told = ['groupsWithAccess', sales, 0, 'what became of the user groups of `schedules.board`'];
const ofDetails: readonly Told[] = [
  ['getSchedule', 'schedules.alert', 0, 'cannot tell what became of `schedules.alert`'],
  ['listQueries', stock, 0, 'Omni did not show what is on it of `schedules.alert`'],
  ['getSchedule', 'schedules.north', 0, 'cannot tell what became of `schedules.north`'],
  ['getRecipients', 'schedules.board', 0, 'cannot tell what became of `schedules.board`'],
  ['getFilters', orders, 0, 'Omni did not show all of the filters of `schedules.north`'],
];
const notProven = 'NOT PROVEN schedules.north';
const noLayout: Told = ['getLayout', orders, 1, 'Omni did not show the layout of the dashboard `7ae01c55`'];
/** What a deep look ends with where a table judges the report. */
const judged = ([question, about, , line]: Told): Told => [
  question,
  about,
  String(line).includes('north') ? 1 : 0,
  line,
];

const saidBy = (line: string | RegExp) => (typeof line === 'string' ? says(line) : expect.stringMatching(line));

/** By command: each question whose answer may be left out. Without the lists of schedules and documents there is no answer at all. */
const toldBy: Readonly<Record<string, readonly Told[]>> = {
  prove: [
    ['getFilters', orders, 1, 'The filters of its dashboard could not be read.'],
    ['getSchedule', 'schedules.north', 1, 'The filters that Omni keeps of it could not be read.'],
    ['listQueries', orders, 1, notProven],
    ['listUsers', '', 1, notProven],
    ['startDownload', '', 1, notProven],
    ['getDownload', '', 1, notProven],
  ],
  drift: [ofDashboard, ofRoutine, ofOwner],
  'drift --deep': [...[ofDashboard, ofRoutine, ofOwner, ofGroups, ...ofDetails].map(judged), noLayout],
  status: [['listRoutines', '', 0, 'Omni does not show the list of their owner']],
  doctor: [['whoami', '', 0, 'Omni does not say what the token may do']],
  'offboard cleo@example.com': [
    ['listUsers', '', 1, 'error[api-'],
    ['listRoutines', '', 1, 'Omni did not show the list of routines.'],
    [
      'getRecipients',
      'by hand',
      1,
      /Omni does not tell who receives 1\s+untracked schedule\.|continue with\s+--resume/,
    ],
  ],
  'validate --online': [
    ['getFilters', orders, 1, 'could not be checked'],
    noLayout,
    ['listQueries', stock, 1, 'could not be checked'],
    ['groupsWithAccess', sales, 1, 'so `Board` could not be checked'],
    ['getRecipients', 'schedules.board', 1, 'Omni does not show who is in `Board`'],
    ['listUsers', '', 1, 'The owners could not be checked'],
    ['listModels', '', 1, 'The models of routines could not be checked'],
  ],
  'plan --refresh': [ofDashboard, ofRoutine, ofOwner],
  'plan --refresh=deep': [ofDashboard, ofRoutine, ofOwner, ...ofDetails],
};

/** By what is left out of an answer or of the state, and by command: what it ends with and says; nothing at all of those that are not named. */
const leftOut: Readonly<Record<string, Readonly<Record<string, readonly [code: 0 | 1, line: string]>>>> = {
  'the filters of a report': {
    prove: [1, 'Omni shows no filters of it.'],
    'drift --deep': [1, 'Omni did not show all of the filters of `schedules.north`'],
    'plan --refresh=deep': [0, 'Omni did not show all of the filters of `schedules.north`'],
  },
  'a filter that an import left unread': {
    drift: [0, 'Of 1 resource, an import left filters unread'],
    'drift --deep': [0, 'Of 1 resource, an import left filters unread'],
  },
  'the heads of a rendering without rows': { prove: [1, 'Omni sent no byte of it'] },
};

describe('a question of which the answer is left out', () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  let fault: { readonly question: keyof Api; readonly about: string; readonly failure: () => Failure } | undefined;
  let lacking: string | undefined;
  const asked = new Set<keyof Api>();
  const files: string[] = [];
  const doubled = (api: Api): Partial<Api> => ({
    ...api,
    startDownload: async (attributes) => String(files.push(JSON.stringify(attributes)) - 1),
    getDownload: async ({ id }, sink) => {
      const rows = files[Number(id)]?.includes('almanac-prove-') === true ? '' : 'North,3\n';
      const heads = lacking?.startsWith('the heads') && rows === '' ? '' : 'Customer,Sales\n';
      sink.restart();
      sink.write(Buffer.from(heads + rows));
      return { type: '', length: undefined, isBounded: true };
    },
    getSchedule: async (...given) => {
      const { filterConfig, ...rest } = await api.getSchedule(...given);
      const isShown = lacking !== 'the filters of a report' || rest.name !== 'North';
      return isShown && filterConfig !== undefined ? { ...rest, filterConfig } : rest;
    },
    listQueries: async (identifier) => [
      {
        key: identifier === stock ? 'Qw8Zt4Lp' : '1',
        name: 'Sales',
        query: { fields: ['customers.customer', 'orders.sales'], pivots: [], userEditedSQL: '' },
      },
    ],
  });

  beforeAll(async () => {
    world = await openWorld(
      {
        'tenants.csv': 'shows,receiver\nNorth,north.example\n*,Board\n',
        schedules: {
          north: { ...schedules().north, format: 'csv', owner: 'ana@example.com' },
          board: mail({ identifier: sales, name: 'For the board', userGroups: ['Board'] }),
          alert: mail({ identifier: stock, name: 'Alert', ...watched, conditionQueryMapKey: 'Qw8Zt4Lp' }),
        },
        routines: { summary: routine({ owner: 'ana@example.com' }) },
        dashboards: { stock: { identifier: stock, filters: { warehouse: { values: ['Reno'] } } } },
      },
      {
        config: { safety: rows, checks: { 'recipient-not-inside': 'warning' } },
        isKept: true,
        outside: {
          connect: connecting((api) => {
            const all = Object.entries(doubled(api)) as [keyof Api, (...given: unknown[]) => unknown][];
            const watchedCalls = all.map(([question, answer]) => {
              const ask = (...given: unknown[]) => {
                asked.add(question);
                const isAbout = fault?.about === '' || given[0] === fault?.about;
                return fault?.question === question && isAbout ? Promise.reject(fault.failure()) : answer(...given);
              };
              return [question, ask] as const;
            });
            return Object.fromEntries(watchedCalls);
          }),
        },
      },
    );
    const { code, stderr } = await world.run('apply --auto-approve -q');
    expect([code, stderr]).toEqual([0, '']);
    world.makeByHand(mail({ identifier: orders, name: 'By hand' }), { id: '00000000-0000-4000-8000-00000000000b' });
    return world.close;
  });

  const withFault = async (command: string, [question, about]: Told, failure: () => Failure) => {
    const id = about.startsWith('schedules.') ? world.idOf(about) : about;
    fault = { question, about: about === 'by hand' ? '00000000-0000-4000-8000-00000000000b' : id, failure };
    const ran = await world.run(command);
    fault = undefined;
    return ran;
  };
  const cells = Object.entries(toldBy).flatMap(([command, questions]) =>
    questions.map((told) => ({ command, told, name: `${command}: ${told[0]} ${told[1]}` })),
  );

  it.each(pairsOf(cells, Object.keys(faults) as (keyof typeof faults)[]).map(([cell, why]) => ({ ...cell, why })))(
    '$name, with $why, has its line and its exit code',
    async ({ command, told, why }) => {
      const { code, stdout, stderr } = await withFault(command, told, faults[why]);
      const said = stdout + stderr;
      expect([code, said], said).toEqual([told[2], saidBy(told[3])]);
      expect(said).not.toContain('No drift:');
    },
  );

  it.each(Object.keys(leftOut))('%s is told by those who would compare it', async (what) => {
    for (const command of Object.keys(toldBy)) {
      const right = await world.run(command);
      const state = world.state();
      const { 'schedules.alert': alert } = state.resources;
      const unread = { ...state.resources, 'schedules.alert': { ...alert, unread: ['/filterConfig/warehouse'] } };
      lacking = what;
      if (what.includes('import')) world.write({ 'almanac.state.json': { ...state, resources: unread } });
      const { code, stdout, stderr } = await world.run(command);
      lacking = undefined;
      world.write({ 'almanac.state.json': state });
      const told = leftOut[what]?.[command];
      const expected = told === undefined ? [right.code, right.stdout + right.stderr] : [told[0], says(told[1])];
      expect([code, stdout + stderr], command).toEqual(expected);
    }
  });

  it('what Omni never shows is named by a deep look alone, and has no exit code', async () => {
    for (const command of Object.keys(toldBy)) {
      const { code, stdout } = await world.run(command);
      expect([code, stdout.includes('Never shown by Omni')], command).toEqual([0, command === 'drift --deep']);
    }
  });

  it.each(Object.keys(toldBy))('%s has a line for each question that it asks', async (command) => {
    asked.clear();
    const { code, stdout, stderr } = await world.run(command);
    expect(code, stdout + stderr).toBe(0);
    const lists: readonly (keyof Api)[] = ['listSchedules', 'listDocuments', 'clockDifference', 'close'];
    const known = [...lists, ...(toldBy[command] ?? []).map(([question]) => question)];
    expect([...asked].filter((question) => !known.includes(question))).toEqual([]);
  });

  it.each(Object.keys(toldBy).filter((command) => command !== 'doctor' && command !== 'prove'))(
    '%s ends with 1 where nothing answers any more',
    async (command) => {
      const [told] = toldBy[command] ?? [];
      if (told === undefined) throw new Error(command);
      const { code, stderr } = await withFault(command, told, noAnswer);
      expect([code, stderr]).toEqual([1, says('Nothing answers.')]);
    },
  );
});

async function open({ refuses, safety, more, token }: Opened) {
  let isApplied = false;
  const world = await openWorld(
    { 'tenants.csv': 'shows,receiver\nNorth,north.example\n', schedules: schedules(more) },
    {
      config: safety === undefined ? {} : { safety },
      outside: {
        connect: connecting((api) => {
          const replaced = refuses?.(api) ?? {};
          const pairs = Object.entries(replaced) as [keyof Api, (...given: unknown[]) => unknown][];
          const now = pairs.map(([name, double]) => {
            const real = api[name] as (...given: unknown[]) => unknown;
            return [name, (...given: unknown[]) => (isApplied ? double(...given) : real(...given))] as const;
          });
          return Object.fromEntries(now);
        }),
      },
    },
  );
  const applied = await world.run('apply --auto-approve -q');
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  isApplied = true;
  if (token !== undefined) world.environment['OMNI_API_TOKEN'] = token;
  return world;
}

interface Opened {
  readonly refuses?: ((api: Api) => Partial<Api>) | undefined;
  readonly safety?: object | undefined;
  readonly more?: object;
  readonly token?: string;
}

const ofNorth = Object.keys(unread).filter((what) => what.includes('North'));
const accepts = { accept: { 'not-read': { reason: 'The token may not see it.', until: '2026-12-31' } } };

describe.each(Object.keys(unread))('where Omni does not show %s', (what) => {
  const refuses = unread[what];
  const isJudged = ofNorth.includes(what);

  it('a nightly look says so, and exits with 1 only where a table judges the report', async () => {
    const needsTable = what.includes('layout');
    const withTable = await open({ refuses, safety: rows });
    const judged = await withTable.run('drift --deep');
    expect(judged.code, judged.stdout + judged.stderr).toBe(isJudged ? 1 : 0);
    expect(judged.stderr).toContain('warning[not-read]');
    expect(judged.stdout).toContain('No drift was found, but not everything could be looked at.');
    const without = await (await open({ refuses })).run('drift --deep');
    expect(without.code, without.stdout + without.stderr).toBe(0);
    if (!needsTable) expect(without.stderr).toContain('warning[not-read]');
    // What was found beside it is told as well.
    withTable.change('Plain', (fields) => {
      fields['name'] = 'Renamed';
    });
    const both = await withTable.run('drift --deep');
    expect([both.code, both.stdout.includes('Drift: 1 resource.'), both.stderr.includes('not-read')]).toEqual([
      2,
      true,
      true,
    ]);
  });

  it('a report may accept it until a day', async () => {
    const { run } = await open({ refuses, safety: rows, more: accepts });
    const { code, stdout, stderr } = await run('drift --deep');
    expect(code, stdout + stderr).toBe(0);
  });

  it('a plan that looks says so and goes on, and the status does not ask', async () => {
    const { run } = await open({ refuses, safety: rows });
    const planned = await run('plan --refresh=deep');
    expect(planned.code, planned.stderr).toBe(0);
    if (!what.includes('layout')) expect(planned.stderr).toContain('warning[not-read]');
    expect((await run('status')).code).toBe(0);
  });
});

it.each(Object.keys(unread).filter((what) => !what.includes('details')))(
  'checks online are not passed where Omni does not show %s',
  async (what) => {
    const { run } = await open({ refuses: unread[what], safety: rows });
    const { code, stdout } = await run('validate --online');
    expect([code, stdout.includes('not-read')], stdout).toEqual(
      what.includes('filters of the alert') ? [0, false] : [1, true],
    );
  },
);

describe('what a report hangs on is gone', () => {
  const trash = (world: Awaited<ReturnType<typeof open>>, identifier: string) =>
    world.emulator.edit(({ documents }) => {
      for (const document of documents)
        if (document.identifier === identifier) Object.assign(document, { deleted: true });
    });
  const removeTile = (world: Awaited<ReturnType<typeof open>>) =>
    world.emulator.edit(({ documents }) => {
      for (const { dashboard } of documents)
        if (dashboard?.tiles !== undefined)
          Object.assign(dashboard, { tiles: dashboard.tiles.filter(({ key }) => key !== tile) });
    });

  it.each([
    [
      'a dashboard in the trash',
      (world: Awaited<ReturnType<typeof open>>) => trash(world, sales),
      sales,
      'dashboard-gone',
    ],
    ['the tile that an alert watches', removeTile, tile, 'tile-gone'],
  ] as const)('a deep look names %s, and who receives nothing', async (_, remove, subject, code) => {
    const world = await open({});
    remove(world);
    const night = await world.run('drift --deep');
    expect(night.code, night.stdout + night.stderr).toBe(2);
    expect(night.stdout).toEqual(says('receives nothing: `ana@example.com`'));
    expect(night.stdout).not.toContain('No drift');
    const { document } = await world.drift('--deep');
    expect(document.dangers).toMatchObject([{ code, gravity: 'grave', items: [{ subject }] }]);
    expect((await world.plan('--refresh=deep')).dangers).toMatchObject([{ code }]);
    // A look at the list asks for neither.
    expect((await world.run('drift')).code).toBe(0);
  });

  it('a token that is no organization key may just not see a dashboard', async () => {
    const world = await open({
      refuses: (api) => filtersOf(api, sales, 404),
      token: 'omni_pat_demo_ana',
    });
    const { stdout, stderr } = await world.run('drift --deep');
    expect(stdout + stderr).not.toContain('gone from Omni');
  });

  it('the tiles take one request for each dashboard of which one is delivered or watched, and an apply asks for none', async () => {
    const world = await open({});
    world.asked();
    await world.run('drift --deep');
    expect(world.asked().filter((line) => line.includes('/queries'))).toEqual([`GET /v1/documents/${sales}/queries`]);
    await world.run('drift');
    await world.run('status');
    world.declare({ ...schedules(), alert: { ...schedules().alert, subject: 'Others' } });
    await world.run('apply --refresh=deep --auto-approve');
    expect(world.asked().filter((line) => line.includes('/queries'))).toEqual([]);
  });
});

describe('a look compares the options that Omni shows', () => {
  it.each([
    ['csv', { hideHiddenFields: true }, { hideHiddenFields: false }, ['remove /hideHiddenFields']],
    ['csv', {}, { enableFormatting: true }, ['add /enableFormatting']],
    ['pdf', { paperFormat: 'a4' }, { paperFormat: 'a3' }, ['change /paperFormat']],
    ['pdf', {}, { paperFormat: 'letter' }, []],
    ['csv', { overrideRowLimit: true, queryIdentifierMapKey: tile }, { maxRowLimit: 5 }, ['add /maxRowLimit']],
    ['csv', {}, { maxRowLimit: 5 }, []],
  ] as const)('%s, applied with %j, where Omni has %j', async (format, declared, changed, expected) => {
    const world = await openWorld({ schedules: { a: mail({ name: 'A', format, ...declared }) } });
    await world.apply();
    expect((await world.drift('--deep')).document.drift).toEqual([]);
    world.change('A', (fields) => {
      Object.assign(fields, changed);
    });
    const { document } = await world.drift('--deep');
    expect(document.drift.flatMap(({ diff }) => diff.map(({ op, path }) => `${op} ${path}`))).toEqual(expected);
  });

  it('another fan-out than was sent is a warning and no drift', async () => {
    const world = await openWorld({ schedules: { a: mail({ name: 'A', fanOut: true }) } });
    await world.apply();
    world.change('A', (fields) => {
      fields['fanOut'] = false;
    });
    const { code, stdout, stderr } = await world.run('drift --deep');
    expect([code, stdout.includes('No drift')], stderr).toEqual([0, true]);
    expect(stderr).toContain('warning[other-fan-out]');
  });
});
