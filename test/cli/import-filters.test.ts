// The filters of imported schedules: what is declared shows the same rows, whether a filter was the schedule's own or its
// dashboard's, and no update makes one the schedule's own unseen.

import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { EmulatedObject, EmulatorData } from '../../src/emulator/store.ts';
import { completed } from '../../src/model/fields/complete-conditions.ts';
import { isJsonObject } from '../../src/model/values/json.ts';
import { pointerTo } from '../../src/model/values/pointer.ts';
import { type ConditionsById, conditionsOf } from '../support/emulator/conditions-of.ts';
import { largeOrganization } from '../support/emulator/large-organization.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { runs } from '../support/runs/runs.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const shown = { label: 'A filter', description: '', required: false, hidden: false };

/** A filter of each kind as dashboards have it, and another value of it. */
const kinds: Readonly<Record<string, readonly [EmulatedObject, EmulatedObject]>> = {
  region: [
    { type: 'string', kind: 'EQUALS', values: ['Europe', 'Asia'] },
    { type: 'string', kind: 'EQUALS', values: ['Africa'] },
  ],
  status: [
    { type: 'string', kind: 'CONTAINS', values: ['open'], case_insensitive: true },
    { type: 'string', kind: 'STARTS_WITH', values: ['open'] },
  ],
  stage: [
    { type: 'string', kind: 'EQUALS', values: ['lost'], is_negative: true },
    { type: 'string', kind: 'EQUALS', values: ['lost'] },
  ],
  size: [
    { type: 'number', kind: 'GREATER_THAN', values: [100], is_inclusive: true },
    { type: 'number', kind: 'BETWEEN', values: [1, 100] },
  ],
  ordered: [
    {
      type: 'date',
      kind: 'TIME_FOR_INTERVAL_DURATION',
      left_side: '7 days ago',
      right_side: '7 days',
      ui_type: 'PAST',
    },
    { type: 'date', kind: 'ON_OR_AFTER', left_side: '2026-01-01' },
  ],
  until: [
    { type: 'date', kind: 'BEFORE', right_side: '2026-01-01' },
    { type: 'date', kind: 'BEFORE', right_side: '2027-01-01' },
  ],
  isNew: [
    { type: 'boolean', is_negative: false },
    { type: 'boolean', is_negative: true },
  ],
  owner: [
    { type: 'string', kind: 'IS_EMPTY', values: [] },
    { type: 'string', kind: 'IS_EMPTY', is_negative: true },
  ],
  either: [
    { type: 'composite', conjunction: 'OR', filters: [{ values: ['a'] }, { kind: 'IS_EMPTY' }] },
    { type: 'composite', conjunction: 'AND', filters: [{ values: ['b'] }] },
  ],
  'a/b~c ${d}': [
    { values: ['${x}'], newKey: { of: ['Omni'] } },
    { values: ['y'], newKey: null },
  ],
};
const unset: Readonly<Record<string, EmulatedObject>> = {
  nothing: { type: 'string', kind: 'EQUALS', values: [] },
  anyTime: { type: 'date', kind: 'BETWEEN', ui_type: 'ANY_TIME' },
};

const inherits = (index: number, turn: number) => (index + turn) % 5 < 2;
const equals = (index: number, turn: number) => [2, 3].includes((index + turn) % 5);

/** What one schedule has of its own: nothing, the same as its dashboard, or something else. */
function ownFilters(index: number): EmulatedObject {
  const own: EmulatedObject = {};
  for (const [turn, [id, [same, other]]] of Object.entries(kinds).entries()) {
    if (inherits(index, turn)) continue;
    const isWhole = (index + turn) % 5 === 3;
    own[id] = equals(index, turn) ? { ...same, ...(isWhole ? shown : {}) } : { ...other };
  }
  // Somebody took a filter of the dashboard off one report in ten.
  return index % 10 === 0 ? { ...own, region: { values: [] } } : own;
}

/** What a schedule has of its own repeats after ten. */
const count = Math.max(30, runs(300));

function filteredOrganization(): EmulatorData {
  const data = largeOrganization();
  const filters = Object.fromEntries(
    Object.entries({ ...Object.fromEntries(Object.entries(kinds).map(([id, [same]]) => [id, same])), ...unset }).map(
      ([id, filter]) => [id, { ...filter, ...shown }],
    ),
  );
  const metric = { id: 'metric', type: 'FIELD_SELECTION', kind: 'FIELD', label: 'Metric', field: 'a.b', options: [] };
  for (const document of data.documents) {
    if (document.dashboard === null) continue;
    const controls = [{ ...metric, description: '', hidden: false }];
    Object.assign(document.dashboard, { filters, controls, filterOrder: [...Object.keys(filters), 'metric'] });
  }
  data.schedules = data.schedules.slice(0, count).map((schedule, index) => ({
    ...schedule,
    hasPassword: false,
    disabledAt: undefined,
    fields: {
      identifier: schedule.fields['identifier'] ?? '',
      name: `Report ${index}`,
      schedule: '0 9 ? * MON *',
      timezone: 'UTC',
      format: 'pdf',
      destinationType: 'email',
      recipients: ['ana@example.com'],
      subject: `Report ${index}`,
      filterConfig: ownFilters(index),
    },
  }));
  return structuredClone(data);
}

const dashboardOf = ({ fields }: EmulatorData['schedules'][number]) => fields['identifier'];

/** People set every filter of every dashboard to something else. */
function changeDashboards({ emulator }: World): void {
  emulator.edit(({ documents }) => {
    for (const { dashboard } of documents)
      for (const [id, filter] of Object.entries(dashboard?.filters ?? {}))
        if (isJsonObject(filter)) Object.assign(filter, kinds[id]?.[1] ?? { values: ['set'] }, { values: ['since'] });
  });
}

/** What each schedule shows now, by address, as far as the state has it declared, with the keys that Almanac adds to it. */
function declaredConditions({ state, emulator }: World): Readonly<Record<string, ConditionsById>> {
  const conditions = conditionsOf(emulator.data());
  return Object.fromEntries(
    Object.entries(state().resources).map(([address, { id = '', attributes }]) => {
      const now = conditions.get(id) ?? {};
      const declared = Object.keys(attributes['filterConfig'] ?? {});
      return [
        address,
        Object.fromEntries(declared.map((of) => [of, isJsonObject(now[of]) ? completed(now[of]) : null])),
      ];
    }),
  );
}

function editAll({ read, write }: World, files: readonly string[], fields: object): void {
  for (const path of files) {
    const { schedules } = parse(read(path)) as { readonly schedules: Readonly<Record<string, object>> };
    for (const declared of Object.values(schedules)) Object.assign(declared, fields);
    write({ [path]: stringify({ schedules }) });
  }
}

const unreadIn = ({ state }: World) =>
  Object.fromEntries(
    Object.entries(state().resources).map(([address, { unread = [] }]) => [address, [...unread].sort()]),
  );

const unreadItems = async ({ plan }: World, ...options: readonly string[]) =>
  (await plan(...options)).dangers.flatMap(({ code, items }) => (code === 'unread' ? items : []));

/** The pointers of the filters that equal those of the dashboard, by the number of the schedule. */
const sharedOf = (index: number) =>
  Object.keys(kinds)
    .filter((id, turn) => (inherits(index, turn) || equals(index, turn)) && !(index % 10 === 0 && id === 'region'))
    .map((id) => pointerTo('filterConfig', id))
    .sort();

it(`${count} schedules with filters of every kind show the same rows in another organization and after their first update`, async () => {
  const stage = await openWorld({}, { data: filteredOrganization() });
  const files = (await stage.import()).files.map(({ path }) => path);
  stage.asked();
  await stage.apply();
  const asked = stage.asked();
  const [pages, dashboards] = [Math.ceil(count / 100), new Set(filteredOrganization().schedules.map(dashboardOf)).size];
  // The list, the filters of each dashboard, and every schedule in full.
  expect(asked.filter((request) => request === 'GET /v1/schedules')).toHaveLength(pages);
  expect(asked.filter((request) => request.endsWith('/filters'))).toHaveLength(dashboards);
  expect(asked).toHaveLength(pages + dashboards + count);
  const numbers = Array.from({ length: count }, (_, index) => index);
  expect(unreadIn(stage)).toEqual(Object.fromEntries(numbers.map((of) => [`schedules.report-${of}`, sharedOf(of)])));
  const imported = declaredConditions(stage);
  for (const conditions of Object.values(imported))
    expect(Object.keys(conditions).sort()).toEqual(Object.keys(kinds).sort());
  expect((await stage.plan()).changes).toEqual([]);

  const other = await openWorld({}, { data: { ...filteredOrganization(), schedules: [] } });
  editAll(stage, files, {});
  other.write(Object.fromEntries(files.map((path) => [path, stage.read(path)])));
  await other.apply();
  expect(declaredConditions(other)).toEqual(imported);
  changeDashboards(other);
  expect(declaredConditions(other)).toEqual(imported);

  changeDashboards(stage);
  expect((await stage.plan()).changes).toEqual([]);
  expect(await stage.drift('--deep')).toMatchObject({ code: 0 });
  editAll(stage, files, { killJobsOnFailure: true });
  const items = await unreadItems(stage);
  expect(items.map(({ subject }) => subject).sort()).toEqual(
    Object.keys(kinds)
      .map((id) => `filterConfig.${id}`)
      .sort(),
  );
  expect(items).toContainEqual({
    subject: 'filterConfig.region',
    detail: `${0.7 * count} schedules get \`region: Europe, Asia\` as their own filter`,
  });
  await stage.apply();
  expect(declaredConditions(stage)).toEqual(imported);
  expect(Object.values(unreadIn(stage)).flat()).toEqual([]);
  expect((await stage.plan()).changes).toEqual([]);
  expect(await stage.drift('--deep')).toMatchObject({ code: 0 });
});

const path = 'schedules/sales/sales-overview.yaml';
const acme = { type: 'string', kind: 'EQUALS', values: ['Acme'] };

/** A dashboard that somebody left with a filter, and reports for customers. */
async function openCustomers(...own: readonly EmulatedObject[]) {
  const stage = await openWorld();
  const setRegion = (values: readonly string[]) =>
    stage.emulator.edit(({ documents }) => {
      const { dashboard } = documents.find(({ identifier }) => identifier === '12db1a0a') ?? {};
      Object.assign(dashboard ?? {}, { filters: { region: { ...acme, ...shown, values: [...values] } } });
    });
  setRegion(['Acme']);
  for (const [index, filterConfig] of own.entries())
    await stage.create('email', { name: `Customer ${index}`, recipients: [`a${index}@example.com`], filterConfig });
  const conditions = () => [...conditionsOf(stage.emulator.data()).values()].map(({ region }) => region);
  const edit = (from: string, to: string) => stage.write({ [path]: stage.read(path).replaceAll(from, to) });
  return { ...stage, setRegion, conditions, edit };
}

describe.each(['adopt entries', '--write-state'])('what an import with %s keeps', (way) => {
  const takeOver = async (stage: World) => {
    await stage.import(...(way === '--write-state' ? [way] : []));
    await stage.apply();
  };

  it('a filter that equals the one of its dashboard stays when something else is updated, and the plan says that it does', async () => {
    const stage = await openCustomers({ region: { ...acme, ...shown } }, {});
    await takeOver(stage);
    expect(unreadIn(stage)).toEqual({
      'schedules.customer-0': ['/filterConfig/region'],
      'schedules.customer-1': ['/filterConfig/region'],
    });
    expect(stage.read(path)).toContain(
      '# Filters that may be those of the dashboard: region. The next update of a schedule makes them its own.',
    );
    stage.edit('name: Customer', 'name: The customer');
    expect(await unreadItems(stage)).toEqual([
      { subject: 'filterConfig.region', detail: '2 schedules get `region: Acme` as their own filter' },
    ]);
    await stage.apply();
    stage.setRegion(['Beta']);
    expect(stage.conditions()).toEqual([acme, acme]);
    expect(unreadIn(stage)).toEqual({ 'schedules.customer-0': [], 'schedules.customer-1': [] });
    stage.edit('name: The customer', 'name: Customer');
    expect(await unreadItems(stage)).toEqual([]);
  });

  it('a filter is compared once an update has sent it, and at once if it differs from that of its dashboard', async () => {
    const stage = await openCustomers({}, { region: { ...acme, values: ['Gamma'] } });
    await takeOver(stage);
    const setDelta = (index: number) =>
      stage.change(`Customer ${index}`, (fields) => {
        fields['filterConfig'] = { region: { ...acme, values: ['Delta'] } };
      });
    const driftOf = async () => (await stage.drift('--deep')).document.drift.map(({ address }) => address);
    setDelta(0);
    expect(await driftOf()).toEqual([]);
    setDelta(1);
    expect(await driftOf()).toEqual(['schedules.customer-1']);
    stage.edit('format: pdf', 'format: png');
    await stage.apply('--refresh');
    expect(stage.conditions()).toEqual([acme, { ...acme, values: ['Gamma'] }]);
    expect(await driftOf()).toEqual([]);
    setDelta(0);
    expect(await driftOf()).toEqual(['schedules.customer-0']);
  });

  it('the filter follows the dashboard until then, which is neither drift nor a change, and a pause is no update of it', async () => {
    const stage = await openCustomers({});
    await takeOver(stage);
    stage.setRegion(['Beta']);
    expect(await stage.drift('--deep')).toMatchObject({ code: 0 });
    expect((await stage.plan('--refresh=deep')).changes).toEqual([]);
    stage.edit('    identifier', '    paused: true\n    identifier');
    expect(await unreadItems(stage)).toEqual([]);
    await stage.apply();
    expect(stage.conditions()).toEqual([{ ...acme, values: ['Beta'] }]);
    expect(unreadIn(stage)).toEqual({ 'schedules.customer-0': ['/filterConfig/region'] });
  });

  it('taking a filter out of the file sends nothing, and the first update after it says that it follows the dashboard', async () => {
    const stage = await openCustomers({ region: acme }, {});
    await takeOver(stage);
    const unread = unreadIn(stage);
    stage.write({ [path]: stage.read(path).replace(/ {4}filterConfig:\n(?: {6,}.*\n)+/g, '') });
    expect((await stage.plan()).changes).toEqual([]);
    expect((await stage.plan('--refresh=deep')).changes).toEqual([]);
    stage.edit('    identifier', '    meta: { note: sales }\n    identifier');
    stage.sent();
    await stage.apply();
    expect([stage.sent(), unreadIn(stage)]).toEqual([[], unread]);
    stage.edit('format: pdf', 'format: png');
    // What a look shows to equal the dashboard changes no row.
    expect(await unreadItems(stage, '--refresh=deep')).toEqual([]);
    stage.setRegion(['Beta']);
    const follows = {
      subject: 'filterConfig.region',
      detail: expect.stringContaining('`region` follows the dashboard'),
    };
    expect(await unreadItems(stage)).toMatchObject([follows]);
    expect(await unreadItems(stage, '--refresh=deep')).toMatchObject([
      { ...follows, detail: expect.stringMatching(/^`schedules\.customer-0`: from now on/) },
    ]);
    await stage.apply();
    expect(stage.conditions()).toEqual(Array(2).fill({ ...acme, values: ['Beta'] }));
    expect(Object.values(unreadIn(stage)).flat()).toEqual([]);
    await stage.expectQuiet('--refresh=deep');
  });

  it('fold moves declarations, and what is unread of them moves along', async () => {
    const stage = await openCustomers({}, { region: acme }, { region: { ...acme, values: ['Gamma'] } });
    await takeOver(stage);
    const { code, stderr } = await stage.run('fold', 'schedules.*');
    expect(code, stderr).toBe(0);
    await stage.apply();
    const unread = unreadIn(stage);
    expect(Object.keys(unread).every((address) => /^schedules\.\S+\.\S+$/.test(address))).toBe(true);
    expect(Object.values(unread)).toEqual([['/filterConfig/region'], ['/filterConfig/region'], []]);
    expect((await stage.plan()).changes).toEqual([]);
    stage.edit('format: pdf', 'format: png');
    expect(await unreadItems(stage)).toEqual([
      { subject: 'filterConfig.region', detail: '2 schedules get `region: Acme` as their own filter' },
    ]);
    await stage.apply();
    expect(Object.values(unreadIn(stage)).flat()).toEqual([]);
    stage.setRegion(['Beta']);
    expect(stage.conditions()).toEqual([acme, acme, { ...acme, values: ['Gamma'] }]);
  });
});

it('a filter without a value that is declared as Omni has it comes with the acceptance of the warning about it', async () => {
  const stage = await openCustomers({ region: { ...acme, values: [] } }, { region: { ...acme, values: [''] } }, {});
  const defaults = { schedules: { accept: { 'cron-too-frequent': 'ours' } } };
  stage.write({ 'almanac.yaml': { ...(parse(stage.read('almanac.yaml')) as object), defaults } });
  await stage.import();
  const { schedules } = parse(stage.read(path)) as { readonly schedules: Readonly<Record<string, object>> };
  const accept = { 'cron-too-frequent': 'ours', 'filter-empty': 'as in Omni' };
  expect(Object.values(schedules)).toMatchObject([
    { filterConfig: { region: { values: [] } }, accept },
    { filterConfig: { region: { values: [''] } }, accept },
    { filterConfig: { region: acme } },
  ]);
  expect(Object.values(schedules)[2]).not.toHaveProperty('accept');
  expect((await stage.run('validate')).stdout).not.toContain('filter-empty');
  expect((await stage.run('fmt', '--check', path)).code).toBe(0);
});

it('a filter of the dashboard that changed between import and adoption is still not taken for the own one', async () => {
  const stage = await openCustomers({}, { region: { ...acme, values: ['Gamma'] } });
  await stage.import();
  stage.setRegion(['Beta']);
  const { stderr } = await stage.run('apply', '--auto-approve');
  expect(stderr).not.toContain('differs');
  expect(unreadIn(stage)).toEqual({ 'schedules.customer-0': ['/filterConfig/region'], 'schedules.customer-1': [] });
  expect((await stage.plan()).changes).toEqual([]);
  expect(await stage.drift('--deep')).toMatchObject({ code: 0 });
  stage.edit('format: pdf', 'format: png');
  expect(await unreadItems(stage)).toEqual([
    { subject: 'filterConfig.region', detail: '`schedules.customer-0` gets `region: Acme` as its own filter' },
  ]);
});

it('an adopted schedule with another filter than declared is recorded as it is, and the next plan changes it', async () => {
  const stage = await openCustomers({ region: { ...acme, values: ['Gamma'] } });
  await stage.import();
  stage.change('Customer 0', (fields) => {
    fields['filterConfig'] = { region: { ...acme, ...shown, values: ['Delta'] } };
  });
  const { stderr } = await stage.run('apply', '--auto-approve');
  expect(stderr).toContain('warning[adopted-as-is]');
  const { changes } = await stage.plan();
  expect(changes).toMatchObject([{ action: 'update', diff: [{ before: 'Delta' }, { after: 'Gamma' }] }]);
  await stage.apply();
  expect(stage.conditions()).toEqual([{ ...acme, values: ['Gamma'] }]);
});

it('a filter that the declaration of an adopted schedule lacks is recorded, and the next plan says that it goes', async () => {
  const stage = await openCustomers({ region: { ...acme, values: ['Gamma'] } });
  await stage.import();
  const { schedules, adopt } = parse(stage.read(path));
  const { filterConfig: _, ...declared } = schedules['customer-0'];
  stage.write({ [path]: { schedules: { 'customer-0': declared }, adopt } });
  const { stderr } = await stage.run('apply', '--auto-approve');
  expect(stderr).toContain('warning[adopted-as-is]');
  const { changes, dangers } = await stage.plan();
  expect(changes).toMatchObject([{ action: 'update', diff: [{ path: '/filterConfig', op: 'remove' }] }]);
  expect(dangers).toMatchObject([{ code: 'other-rows', gravity: 'grave', items: [{ subject: 'region is removed' }] }]);
});

it.each([
  ['filter-incomplete', { values: [42] }],
  ['filter-opposite', { type: 'boolean', values: [false] }],
  ['filter-opposite', { values: ['Acme'], exclude: true }],
  ['filter-value', { type: 'date', kind: 'BETWEEN', left_side: '2026-02-01', right_side: '2026-01-01' }],
  ['filter-spelling', { kind: 'equals', values: ['Acme'] }],
])(
  'a filter about which there is the warning %s is declared as Omni has it, with the acceptance',
  async (code, region) => {
    const stage = await openCustomers({ region });
    await stage.import();
    const { schedules } = parse(stage.read(path)) as { readonly schedules: Readonly<Record<string, object>> };
    expect(Object.values(schedules)).toMatchObject([{ filterConfig: { region }, accept: { [code]: 'as in Omni' } }]);
    expect((await stage.run('validate', '--strict')).code).toBe(0);
  },
);

describe('filters that equal those of the dashboard', () => {
  const inside = { safety: { internalDomains: ['example.com'] } };
  const reports = {
    email: { recipients: ['ana@example.com'] },
    outside: { recipients: ['ana@example.com', 'cfo@northpine.example'] },
    group: { recipients: ['ana@example.com'] },
  };

  async function openReports(settings: object) {
    const stage = await openCustomers();
    const config = { ...(parse(stage.read('almanac.yaml')) as object), ...settings };
    stage.write({ 'almanac.yaml': config });
    for (const [name, fields] of Object.entries(reports))
      await stage.create('email', { name, ...fields, filterConfig: { region: acme } });
    await stage.create('webhook', { name: 'host', url: 'https://hooks.example.com/a', filterConfig: { region: acme } });
    stage.emulator.edit(({ schedules }) => {
      for (const each of schedules)
        if (each.fields['name'] === 'group') Object.assign(each, { userGroupIds: [ids.board] });
    });
    const declaring = () => {
      const { schedules } = parse(stage.read(path)) as { readonly schedules: Readonly<Record<string, object>> };
      return Object.keys(schedules).filter((key) => 'filterConfig' in (schedules[key] ?? {}));
    };
    return { ...stage, declaring };
  }

  const all = ['email', 'group', 'host', 'outside'];

  it.each([
    [
      'left out where nobody outside receives the schedule, and no group, host or bucket',
      inside,
      [],
      ['group', 'host', 'outside'],
      1,
    ],
    ['declared while nobody knows what is outside', {}, [], all, 0],
    ['declared with --filters all', inside, ['--filters', 'all'], all, 0],
    [
      'declared where they divide the rows',
      {
        safety: { ...inside.safety, rows: { filters: ['region'], allow: 'tenants.csv' } },
        checks: { 'rows-of-others': 'warning' },
      },
      [],
      all,
      0,
    ],
  ])('are %s', async (_, settings, options, declared, left) => {
    const stage = await openReports(settings);
    stage.write({ 'tenants.csv': 'shows,receiver\n*,partner.example\n' });
    const { following } = await stage.import('--write-state', ...options);
    expect([stage.declaring().sort(), following]).toEqual([declared, left]);
  });

  it.each([
    ['is told how to let them follow, without a state', [], 'remove the files, and import again'],
    ['is told how to let them follow, with a state', ['--write-state'], 'remove from the files those of reports'],
  ])('an import that does not know who is outside %s', async (_, options, way) => {
    const { run } = await openReports({});
    const { stdout } = await run(['import', ...options].join(' '));
    expect(stdout).toEqual(
      says(
        '4 filters may be those of the dashboard, and are declared, because almanac.yaml lists no safety.internalDomains.',
      ),
    );
    expect(stdout).toEqual(says(way));
    expect((await openReports(inside).then((stage) => stage.run('import'))).stdout).not.toContain('internalDomains');
    expect((await openReports({}).then((stage) => stage.run('import --filters all'))).stdout).not.toContain(
      'internalDomains',
    );
  });

  it('the report says how many, the next plan has nothing to do, and the first update is the danger that they follow', async () => {
    const stage = await openReports(inside);
    const { stdout } = await stage.run('import --write-state');
    expect(stdout.replace(/\s+/g, ' ')).toContain('1 filter matches the dashboard and will follow it');
    expect(unreadIn(stage)['schedules.email']).toEqual(['/filterConfig/region']);
    await stage.expectQuiet('--refresh=deep');
    stage.edit('name: email', 'name: Sales');
    expect(await unreadItems(stage)).toEqual([
      { subject: 'filterConfig.region', detail: '`schedules.email`: from now on `region` follows the dashboard' },
    ]);
    expect(await unreadItems(stage, '--refresh=deep')).toEqual([]);
  });
});

interface Declared {
  readonly schedules: Readonly<Record<string, { readonly filterConfig?: object }>>;
}

it('an import writes null for each filter that only the defaults have, and keeps those that the schedule has', async () => {
  const own = { ...acme, values: ['Gamma'] };
  const stage = await openCustomers({ region: own }, {});
  const id = await stage.create('email', { name: 'Without', identifier: 'e5521fd8', filterConfig: {} });
  const config = parse(stage.read('almanac.yaml')) as object;
  const filterConfig = { region: acme, customer: acme };
  const environments = { prod: { defaults: { schedules: { filterConfig: { tenant: acme } } } } };
  stage.write({ 'almanac.yaml': { ...config, environments, defaults: { schedules: { filterConfig } } } });
  const { files } = await stage.import('--env', 'prod');
  const declared = files.flatMap((each) => Object.values((parse(stage.read(each.path)) as Declared).schedules));
  expect(declared.map((each) => each.filterConfig)).toEqual([
    { region: null, customer: null, tenant: null },
    { region: own, customer: null, tenant: null },
    { region: acme, customer: null, tenant: null },
  ]);
  await stage.apply('--env', 'prod');
  await stage.expectQuiet('--env', 'prod');
  expect(stage.emulator.data().schedules.find((each) => each.id === id)?.fields['filterConfig']).toEqual({});
});
