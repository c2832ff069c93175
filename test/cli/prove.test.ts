// `almanac prove` against the emulator, whose files a test replaces: what is asked for, what each file is judged as, what is printed
// of it, and that none of it is kept.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ProveDocument } from '../../src/commands/prove/prove-document.ts';
import { crc32, zipOf } from '../../src/emulator/render-dashboard.ts';
import type { RemoteQuery } from '../../src/model/service/documents.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import type { DeclaredObject } from '../../src/model/workspace/resource.ts';
import { connecting } from '../support/cli/connecting.ts';
import { expectDocument } from '../support/schemas.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, openWorld, type World, type WorldOptions } from '../support/world.ts';

const report = {
  identifier: '12db1a0a',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'csv',
  destinationType: 'email',
  subject: 'Daily',
  owner: 'ana@example.com',
};
const of = (customer: string, to: string, more: object = {}) => ({
  ...report,
  name: `Of ${customer}`,
  recipients: [to],
  filterConfig: { region: { values: [customer] } },
  ...more,
});
const rows = { filters: ['region'], allow: 'tenants.csv' };
const config = { safety: { internalDomains: ['acme.com'], rows } };
const table = 'shows,receiver\nNorth Pine,cfo@northpine.example\nSouth Oak,cfo@southoak.example\n';
const north = { north: of('North Pine', 'cfo@northpine.example') };

async function open(schedules: object, options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ schedules, 'tenants.csv': table }, { config, downloadDurationMs: 0, ...options });
  expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  world.asked();
  return world;
}

async function proven(world: World, ...more: readonly string[]) {
  const ran = await world.run('prove', '--format', 'json', ...more);
  const document = expectDocument<ProveDocument>('prove', ran.stdout);
  const [first] = document.dashboards;
  const tiles = Object.fromEntries((first?.tiles ?? []).map((tile) => [tile.tile, tile]));
  const reasons = Object.fromEntries(
    (first?.reports ?? []).map(({ address, reason }) => [address, reason ?? 'proven']),
  );
  return { ...ran, document, tiles, reasons, problem: first?.problem };
}

/** What a download answers with: the content of a file, or why there is none. */
type Content = string | Buffer | Failure;

/** An archive with one deflated file, which says of itself that it is small. */
function deflated(name: string, text: Buffer, sum = crc32(text)): Buffer {
  const packed = deflateRawSync(text);
  const archive = zipOf([{ name, bytes: packed }]);
  const entry = archive.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  archive.writeUInt16LE(8, entry + 10);
  archive.writeUInt32LE(sum, entry + 16);
  archive.writeUInt32LE(10, entry + 24);
  return archive;
}

/** A service whose files are these, by the request; `isNobody`: with a value that nobody has. */
function serving(file: (request: DeclaredObject, isNobody: boolean) => Content, queries?: RemoteQuery[]): WorldOptions {
  const jobs = new Map<string, Content>();
  const connect = connecting(() => ({
    ...(queries === undefined ? {} : { listQueries: async () => [...queries] }),
    startDownload: async (attributes) => {
      const isNobody = JSON.stringify(attributes['filterConfig']).includes('almanac-prove-');
      const id = String(jobs.size);
      jobs.set(id, file(attributes, isNobody));
      return id;
    },
    getDownload: async ({ id }, sink) => {
      const content = jobs.get(id) ?? '';
      if (content instanceof Failure) throw content;
      sink.restart();
      const bytes = Buffer.from(content);
      for (let at = 0; at < bytes.length; at += 1 << 20) sink.write(bytes.subarray(at, at + (1 << 20)));
      return { type: '', length: bytes.length, isBounded: true };
    },
  }));
  return { outside: { connect } };
}

const query = (key: string, name: string, ...fields: string[]): RemoteQuery => ({
  key,
  name,
  query: { fields, pivots: [], userEditedSQL: '' },
});
const regions: RemoteQuery[] = [query('1', 'By region', 'customers.region', 'order_items.total_sale_price')];
const one = (mine: Content, nobody: Content, queries = regions) =>
  serving((_, isNobody) => (isNobody ? nobody : mine), queries);
const empty = 'Region,Sales\n';
const refused = (status: number) =>
  new Failure('api-rejected', `Omni said ${status}.`, { cause: Object.assign(new Error('x'), { status }) });

describe('one tile', () => {
  const cases: readonly (readonly [string, Content, Content, object])[] = [
    [
      'rows that are gone for nobody limit it',
      'Region,Sales\nNorth Pine,420\n',
      empty,
      { verdict: 'limited', others: 0 },
    ],
    ['a number that is 0 for nobody limits it', 'Sales\n420\n', 'Sales\n0.00\n', { verdict: 'limited' }],
    ['a number that is blank for nobody limits it', 'Sales\n420\n', 'Sales\n""\n', { verdict: 'limited' }],
    [
      'a file without a byte for nobody cannot be told',
      'Region,Sales\nNorth Pine,420\n',
      '',
      { verdict: 'cannot-tell' },
    ],
    [
      'a total without rows limits it',
      'Region,Sales\nNorth Pine,420\nTotal,420\n',
      'Region,Sales\nTotal,0\n',
      { verdict: 'limited', totals: 1, others: 0 },
    ],
    [
      'a total with a number does not limit it',
      'Region,Sales\nNorth Pine,420\n',
      'Region,Sales\nTotal,9420\n',
      { verdict: 'not-limited' },
    ],
    [
      'rows for nobody do not limit it, whatever else is found',
      'Region,Sales\nNorth Pine,420\nSouth Oak,1510\n',
      'Region,Sales\nNorth Pine,420\nSouth Oak,1510\n',
      { verdict: 'not-limited', others: 1 },
    ],
    [
      'a value of another receiver shows others',
      'Region,Sales\nNorth Pine,420\nSouth Oak,1510\nMoon,1\n',
      empty,
      { verdict: 'shows-others', others: 2 },
    ],
    [
      'a value in other letters is spelled otherwise, which takes the proof away',
      'Region,Sales\nNORTH  pine,420\n',
      empty,
      { verdict: 'limited', others: 0, spelledOtherwise: 1 },
    ],
    [
      'a blank is counted apart',
      'Region,Sales\n,420\nNorth Pine,1\n',
      empty,
      { verdict: 'limited', blanks: 1, others: 0 },
    ],
    ['no rows at all tell nothing', empty, empty, { verdict: 'empty' }],
    [
      'a file with other heads for nobody cannot be told',
      'Region,Name,Sales\nNorth Pine,x,420\n',
      empty,
      { verdict: 'cannot-tell' },
    ],
    ['quotes, commas and line breaks are read', 'Region,Sales\r\n"North Pine","4,\n""2"""\r\n', empty, { others: 0 }],
    ['what is no table cannot be told', 'Region,Sales\n"North Pine,420\n', empty, { verdict: 'cannot-tell' }],
    ['a page cannot be told', '<html>Log in</html>', empty, { verdict: 'cannot-tell' }],
    ['a rendering that failed is said', refused(410), empty, { verdict: 'failed' }],
    [
      'a rendering for nobody that failed is said',
      'Region,Sales\nNorth Pine,420\n',
      refused(410),
      { verdict: 'failed' },
    ],
  ];
  it.each(cases)('%s', async (_, mine, nobody, expected) => {
    const world = await open(north, one(mine, nobody));
    const { tiles, code } = await proven(world);
    expect(tiles['1']).toMatchObject(expected);
    const { verdict, spelledOtherwise = 0 } = tiles['1'] ?? {};
    expect(code).toBe(
      verdict === 'limited'
        ? Math.min(spelledOtherwise, 1)
        : verdict === 'not-limited' || verdict === 'shows-others'
          ? 2
          : 1,
    );
  });

  it.each([
    ['a pivot', { fields: ['customers.region', 'order_items.total_sale_price'], pivots: ['order_items.status'] }],
    ['a field twice', { fields: ['customers.region', 'customers.region'], pivots: [] }],
    ['a query that says nothing', undefined],
    ['SQL', { fields: ['customers.region', 'x.y'], pivots: [], userEditedSQL: 'SELECT 1' }],
  ])('another customer is found in a file of %s', async (_, asked) => {
    const queries = [{ key: '1', name: 'By region', query: asked as RemoteQuery['query'] & object }];
    const { tiles } = await proven(await open(north, one('Region,Sales\nSouth Oak,420\n', empty, queries)));
    expect(tiles['1']).toMatchObject({ verdict: 'shows-others', others: 1, othersOfTable: ['South Oak'] });
  });

  it('names only values of the table, at most three, and counts the others', async () => {
    const lines = [...Array(5).keys()].map((n) => `Customer ${n},c@c${n}.example\n`);
    const mine = `Region,Sales\nNorth Pine,1\nSecret customer,1\nOther,2\n${lines.map((line) => `${line.split(',')[0]},3\n`).join('')}`;
    const world = await open(north, one(mine, empty));
    world.write({ 'tenants.csv': table + lines.join('') });
    const { stdout, code } = await world.run('prove');
    expect(code).toBe(2);
    expect(stdout).toEqual(says('shows 7 values of others: "Customer 0", "Customer 1", "Customer 2"'));
    expect(stdout + (await world.run('prove', '--format', 'json')).stdout).not.toMatch(/Secret customer|Customer 3/);
  });
});

describe('a dashboard', () => {
  const two = [...regions, query('2', 'Sales/Total', 'order_items.total_sale_price')];
  const files = (first: string, second: string, names = ['By region.csv', 'Sales_Total.csv']) =>
    zipOf([first, second].map((text, at) => ({ name: names[at] ?? '', bytes: Buffer.from(text) })));

  it('is downloaded whole, and its files are told apart by the names of the tiles', async () => {
    const sent: unknown[] = [];
    const world = await open(
      north,
      serving((request, isNobody) => {
        sent.push(request['queryIdentifierMapKey']);
        return isNobody ? files(empty, 'Sales\n0\n') : files('Region,Sales\nNorth Pine,420\n', 'Sales\n420\n');
      }, two),
    );
    const { document, tiles, code } = await proven(world);
    expect(document.summary).toMatchObject({ proven: 1, byValues: 1, reports: 1, dashboards: 1, provenDashboards: 1 });
    expect([code, Object.keys(tiles), sent]).toEqual([0, ['1', '2'], [undefined, undefined]]);
  });

  it('whose files have other names is downloaded tile by tile, and the price is said again', async () => {
    const sent: unknown[] = [];
    const world = await open(
      north,
      serving((request, isNobody) => {
        const tile = request['queryIdentifierMapKey'];
        sent.push(tile);
        if (tile === undefined) return files(empty, empty, ['a.csv', 'b.csv']);
        return isNobody ? 'Sales\n0\n' : 'Sales\n420\n';
      }, two),
    );
    const { tiles, code, stderr } = await proven(world);
    expect([code, sent]).toEqual([0, [undefined, '1', '2', '1', '2']]);
    expect(Object.values(tiles).map(({ verdict }) => verdict)).toEqual(['limited', 'limited']);
    expect(stderr).toEqual(says('so each tile is downloaded: at least 8 more requests'));
  });

  it('with a tile that has a file in one rendering only cannot be told', async () => {
    const alone = zipOf([{ name: 'By region.csv', bytes: Buffer.from(empty) }]);
    const all = files('Region,Sales\nNorth Pine,420\n', 'Sales\n420\n');
    const { tiles, code } = await proven(await open(north, one(all, alone, two)));
    expect([code, tiles['1']?.verdict, tiles['2']?.verdict]).toEqual([1, 'limited', 'cannot-tell']);
  });

  it('with two filters that divide its rows is rendered for nobody in each of them', async () => {
    const both = { region: { values: ['North Pine'] }, order_status: { values: ['North Pine'] } };
    const sent: unknown[] = [];
    const world = await open(
      { north: { ...north.north, filterConfig: both } },
      {
        ...serving((request, isNobody) => {
          sent.push(request['filterConfig']);
          return isNobody ? empty : 'Region,Sales\nNorth Pine,420\n';
        }, regions),
        config: { safety: { internalDomains: ['acme.com'], rows: { ...rows, filters: ['region', 'order_status'] } } },
      },
    );
    expect((await proven(world)).code).toBe(0);
    const nobody = { type: 'string', kind: 'EQUALS', values: [expect.stringMatching(/^almanac-prove-/)] };
    const mine = { type: 'string', kind: 'EQUALS', values: ['North Pine'] };
    expect(sent).toEqual([
      { region: mine, order_status: mine },
      { region: mine, order_status: nobody },
      { region: nobody, order_status: mine },
    ]);
  });

  it('that is divided by a number is rendered with one that no line of the table has', async () => {
    const sent: unknown[] = [];
    const filterConfig = { region: { type: 'number', kind: 'EQUALS', values: ['0042'] } };
    const world = await openWorld(
      {
        schedules: { north: { ...north.north, filterConfig } },
        'tenants.csv': 'shows,receiver\n0042,cfo@northpine.example\n',
      },
      {
        ...serving((request) => {
          sent.push(request['filterConfig']);
          return empty;
        }, regions),
        config,
      },
    );
    world.emulator.edit(({ documents }) => {
      for (const { dashboard } of documents) Object.assign(dashboard?.filters['region'] ?? {}, { type: 'number' });
    });
    await world.run('apply', '--auto-approve');
    await world.run('prove');
    expect(sent).toEqual([filterConfig, { region: { ...filterConfig.region, values: ['-43'] } }]);
  });

  it('whose tile is called like a secret of the workspace is printed without it', async () => {
    const hook = {
      ...report,
      name: 'Hook',
      format: 'link_only',
      destinationType: 'webhook',
      url: 'https://acme.com/${env.HOOK}',
    };
    const { subject: _, ...hooked } = hook;
    const queries = [query('1', 'hunter2-secret', 'customers.region', 'x.y')];
    const world = await open(
      { ...north, hooked },
      {
        ...one('Region,Sales\nNorth Pine,420\n', 'Region,Sales\nNorth Pine,1\n', queries),
        environment: { HOOK: 'hunter2-secret' },
      },
    );
    const printed: string[] = [];
    for (const format of ['text', 'markdown', 'json']) {
      const { stdout, stderr } = await world.run('prove', '-v', '--format', format);
      printed.push(stdout + stderr);
    }
    expect(printed.join('')).not.toContain('hunter2');
  });
});

describe('what cannot be had', () => {
  it('a dashboard that somebody else downloads is waited for two minutes', async () => {
    const connect = connecting(() => ({
      listQueries: async () => regions,
      startDownload: async () => {
        throw refused(409);
      },
    }));
    const world = await open(north, { outside: { connect } });
    const before = world.slept.length;
    const { tiles, reasons, code, problem } = await proven(world);
    expect([code, tiles['1']?.verdict, reasons['schedules.north'], problem]).toEqual([1, 'busy', 'busy', undefined]);
    expect(world.slept.slice(before).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120_000);
    expect((await world.run('prove')).stdout).toEqual(says('busy: another download of the dashboard'));
  });

  it('a dashboard that may not be downloaded is said', async () => {
    const connect = connecting(() => ({
      listQueries: async () => regions,
      startDownload: async () => {
        throw refused(403);
      },
    }));
    const world = await open(north, { outside: { connect } });
    const { tiles, code } = await proven(world);
    expect([code, tiles['1']?.verdict]).toEqual([1, 'failed']);
    expect(tiles['1']?.message).toContain('Omni does not let this user download the dashboard (403).');
  });

  it('a packed archive is unpacked', async () => {
    const mine = deflated('By region.csv', Buffer.from('Region,Sales\nNorth Pine,420\n'));
    expect((await proven(await open(north, one(mine, empty)))).code).toBe(0);
  });

  it('a damaged archive is not judged', async () => {
    const whole = zipOf([{ name: 'By region.csv', bytes: Buffer.from(empty) }]);
    const { tiles, code } = await proven(await open(north, one(whole.subarray(0, -30), empty)));
    expect([code, tiles['1']?.verdict]).toEqual([1, 'cannot-tell']);
  });
});

const quirks: readonly WorldOptions[] = [
  {},
  { dropShortFilters: true },
  { pngUnfiltered: true },
  { andFilters: true },
  { queriesWithoutQuery: true },
];

it.each(quirks)('a tile in SQL is found, and a filtered dashboard is proven, where Omni is so: %o', async (quirk) => {
  const finance = of('South Oak', 'cfo@southoak.example', { identifier: 'b4d86e20' });
  const { document, code } = await proven(await open({ ...north, finance }, quirk));
  const verdicts = document.dashboards.map(({ identifier, tiles }) => [
    identifier,
    tiles.map(({ verdict }) => verdict),
  ]);
  expect(verdicts).toEqual([
    ['12db1a0a', ['limited', 'limited', 'limited']],
    ['b4d86e20', ['limited', 'limited', 'limited', 'not-limited']],
  ]);
  expect([code, document.summary.proven]).toEqual([2, 1]);
});

it('a tile that a control takes out of the filter is not limited, and a dashboard with two pages is judged whole', async () => {
  const by = (identifier: string) =>
    of('Hamburg', 'cfo@northpine.example', {
      identifier,
      filterConfig: { warehouse: { values: ['Hamburg'] } },
    });
  const world = await openApplied(
    {
      schedules: { orders: by('3f9c2b71'), stock: by('c90f7713') },
      'tenants.csv': 'shows,receiver\nHamburg,cfo@northpine.example\n',
    },
    {
      config: {
        safety: { internalDomains: ['acme.com'], rows: { ...rows, filters: ['warehouse'] } },
        checks: { 'tile-unfiltered': 'off' },
      },
      downloadDurationMs: 0,
    },
  );
  const { document, code } = await proven(world);
  const verdicts = document.dashboards.map(({ tiles }) => tiles.map(({ verdict }) => verdict));
  expect([code, verdicts]).toEqual([
    2,
    [
      ['limited', 'limited', 'not-limited'],
      ['limited', 'limited'],
    ],
  ]);
});

it('a proof of 40 reports on 4 dashboards takes at most four requests a rendering, and says before how many', async () => {
  const identifiers = ['12db1a0a', '7ae01c55', 'b4d86e20', '12db1a0a'];
  const lines = [...Array(10).keys()];
  const schedules = Object.fromEntries(
    lines.flatMap((n) =>
      identifiers.map((identifier, at) => [
        `r${n}-${at}`,
        of(`Region ${n}`, `cfo@c${n}.example`, {
          identifier: at === 3 ? 'e5521fd8' : identifier,
          name: `R ${n} ${at}`,
          ...(at === 3 ? { identifier: '12db1a0a', queryIdentifierMapKey: '1' } : {}),
        }),
      ]),
    ),
  );
  const tenants = `shows,receiver\n${lines.map((n) => `Region ${n},cfo@c${n}.example\n`).join('')}`;
  const world = await openApplied({ schedules, 'tenants.csv': tenants }, { config, downloadDurationMs: 0 });
  world.asked();
  const { stderr, document } = await proven(world, '--each');
  const asked = world.asked();
  const renderings = asked.filter((each) => /^POST .*\/download/.test(each)).length;
  const least = Number(/at least ([\d,]+) requests/.exec(stderr)?.[1]?.replace(',', ''));
  expect(document.summary.reports).toBe(40);
  // For nobody, reports of the same tiles ask for the same.
  expect(renderings).toBe(40 + 4);
  expect(asked.length).toBe(least);
  expect(asked.length).toBeLessThanOrEqual(4 * renderings);
});

it('a proof goes at half of the rate that almanac.yaml allows', async () => {
  let rate = 0;
  const connect: NonNullable<WorldOptions['outside']>['connect'] = (settings) => {
    rate = settings.rateLimit;
    return connecting()(settings);
  };
  const world = await openWorld(
    { schedules: north, 'tenants.csv': table },
    { config, api: { rateLimit: 50 }, downloadDurationMs: 0, outside: { connect } },
  );
  expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  await world.run('prove');
  expect(rate).toBe(25);
});

it('nothing of what is rendered is in any file, at no request', async () => {
  const world = await open(north);
  const filesOf = () =>
    readdirSync(world.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  const before = filesOf().map((file) => [file, readFileSync(file, 'utf8')]);
  const seen: unknown[] = [];
  const watching = connecting((api) => ({
    startDownload: (...given) => {
      seen.push(filesOf());
      return api.startDownload(...given);
    },
    getDownload: (...given) => {
      seen.push(filesOf());
      return api.getDownload(...given);
    },
  }));
  expect((await world.beside({ connect: watching }).run('prove')).code).toBe(0);
  expect(seen).toEqual(Array(seen.length).fill(before.map(([file]) => file)));
  expect(seen.length).toBeGreaterThanOrEqual(4);
  expect(filesOf().map((file) => [file, readFileSync(file, 'utf8')])).toEqual(before);
});

it('where somebody can be asked, nothing is rendered before they agree to the price', async () => {
  const world = await open(north);
  const questions: string[] = [];
  const answering = (answer: string) => ({
    asker: () => async (question: string) => {
      questions.push(question);
      return answer;
    },
  });
  const refusing = await world.beside(answering('no')).run('prove');
  expect([refusing.code, refusing.stdout, world.asked()]).toEqual([1, '', []]);
  expect(refusing.stderr).toEqual(says('2 renderings of 1 dashboard: at least 8 requests.'));
  expect((await world.beside(answering('yes')).run('prove')).code).toBe(0);
  expect((await world.beside(answering('no')).run('prove', '--most', '20')).code).toBe(0);
  expect(questions).toHaveLength(2);
});

it('more than 500 requests need --most where nobody can be asked', async () => {
  const lines = [...Array(260).keys()];
  const schedules = Object.fromEntries(
    lines.map((n) => [`r${n}`, of(`Region ${n}`, `cfo@c${n}.example`, { name: `R ${n}` })]),
  );
  const tenants = `shows,receiver\n${lines.map((n) => `Region ${n},cfo@c${n}.example\n`).join('')}`;
  const world = await openApplied({ schedules, 'tenants.csv': tenants }, { config });
  world.asked();
  const { code, stderr } = await world.run('prove', '--each');
  expect([code, world.asked()]).toEqual([1, []]);
  expect(stderr).toEqual(says('The proof takes at least 785 requests, and there is no terminal to ask on.'));
});
