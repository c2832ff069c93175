// What Omni shows and nobody could read, and what is gone.
// Neither counts as right in any command.

import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/omni/api.ts';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { mail, says } from '../support/vocabulary.ts';
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
