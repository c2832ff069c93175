// The rows that a report shows: somebody changes the filters of a schedule in Omni, or those of its dashboard, and what
// drift, --write and apply make of that. Omni answers with the schedule's filters laid over the dashboard's: the emulator by
// whole entries, the doubles here key by key, with more keys, in other spellings, or not at all.

import { describe, expect, it } from 'vitest';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import type { EmulatedDocument, EmulatedObject, EmulatorData } from '../../src/emulator/store.ts';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Api } from '../../src/omni/api.ts';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { atFullSize, pairsOf } from '../support/runs/runs.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const sales = '12db1a0a';
const report = (name: string, filterConfig?: object, more: object = {}) => ({
  identifier: sales,
  name,
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['ana@example.com'],
  subject: 'Hi',
  ...(filterConfig === undefined ? {} : { filterConfig }),
  ...more,
});
const schedules = {
  acme: report('Acme', {
    region: { values: ['EU', 2026] },
    order_status: { kind: 'EQUALS', values: ['shipped'], is_negative: false },
  }),
  bo: report('Bo', { region: { kind: 'EQUALS', type: 'string', values: [] } }),
  cy: report('Cy'),
};

type Filters = Record<string, EmulatedObject>;
/** What the service answers for a schedule, from its own filters and the dashboard's. */
type Double = (own: Filters, ofDashboard: Filters) => JsonObject | undefined;

const keyByKey: Double = (own, ofDashboard) => mapped(ofDashboard, (filter, id) => ({ ...filter, ...own[id] }));
const whole: Double = (own, ofDashboard) => mapped(ofDashboard, (filter, id) => own[id] ?? filter);
const mapped = (filters: Filters, change: (filter: EmulatedObject, id: string) => EmulatedObject): JsonObject =>
  Object.fromEntries(Object.entries(filters).map(([id, filter]) => [id, change(filter, id)]));
const spelled: Double = (own, ofDashboard) =>
  mapped(keyByKey(own, ofDashboard) as Filters, ({ values, kind, ...rest }) => ({
    ...rest,
    ...(typeof kind === 'string' ? { kind: kind.toLowerCase() } : {}),
    ...(Array.isArray(values) ? { values: values.map(String).reverse() } : {}),
  }));
const labelled: Double = (own, ofDashboard) =>
  mapped(whole(own, ofDashboard) as Filters, (filter, id) => ({
    ...filter,
    ...{ label: 'As shown', description: 'x', hidden: true, required: true, requiredScope: 'tiles' },
    ...{ fieldName: id, viewName: 'orders' },
  }));
const lacking: Double = () => undefined;

interface Staged extends World {
  filtersOf(name: string): unknown;
  /** Somebody changes the dashboard. */
  editDashboard(edit: (filters: Filters) => void): void;
}

/** `double`: what answers from the apply on; `api`: replaces more. */
async function stage(
  declared: object | string = { schedules },
  double: Double = whole,
  more: (api: Api, world: () => Staged) => Partial<Api> = () => ({}),
  config: string | object = {},
): Promise<Staged> {
  let staged: Staged | undefined;
  const filtersIn = ({ documents }: EmulatorData) =>
    (documents.find(({ identifier }) => identifier === sales)?.dashboard?.filters ?? {}) as Filters;
  const connect = connecting((api) => {
    const getSchedule: Api['getSchedule'] = async (id, options) => {
      const found = await api.getSchedule(id, options);
      if (staged === undefined) return found;
      const own = staged.emulator.data().schedules.find((each) => each.id === id)?.fields['filterConfig'] ?? {};
      return { ...found, filterConfig: double(own as Filters, filtersIn(staged.emulator.data())) };
    };
    const doubled = { ...api, getSchedule };
    return { getSchedule, ...(staged === undefined ? {} : more(doubled, () => staged as Staged)) };
  });
  const world = await openApplied(declared as never, { config, outside: { connect } });
  staged = {
    ...world,
    filtersOf: (name) =>
      world.emulator.data().schedules.find(({ fields }) => fields['name'] === name)?.fields['filterConfig'] ?? {},
    editDashboard: (edit) => world.emulator.edit((data) => edit(filtersIn(data))),
  };
  world.asked();
  return staged;
}

const pathsOf = ({ drift }: Pick<DriftDocument, 'drift'>) =>
  drift.flatMap(({ address, diff }) => diff.map(({ op, path }) => `${op} ${address}${path}`));
const give = (filters: object) => (fields: Record<string, unknown>) =>
  Object.assign(fields, { filterConfig: { ...(fields['filterConfig'] as object), ...filters } });

const notReadIn = ({ diagnostics }: DriftDocument) =>
  diagnostics.flatMap(({ code, address = [], concerns = [] }) =>
    code === 'not-read' ? [address, concerns].flat() : [],
  );

describe('nobody changed a filter', () => {
  const refusing = (status: number) => () => ({ getFilters: () => Promise.reject(refusal(status)) });

  it.each<[string, Double, Parameters<typeof stage>[2]?, number?]>([
    ['by whole entries', whole],
    ['key by key', keyByKey],
    ['with labels', labelled],
    ['with numbers as text, in another order and in small letters', spelled],
    ['without the field', lacking, undefined, 3],
    ['and refuses the filters of the dashboard with 403', whole, refusing(403), 3],
    ['and fails with 500 at the filters of the dashboard', labelled, refusing(500), 3],
  ])('drift finds nothing where the service answers %s', async (_, double, more, notCompared = 0) => {
    const world = await stage({ schedules }, double, more);
    const { code, document } = await world.drift('--deep');
    expect([code, pathsOf(document), notReadIn(document).length]).toEqual([0, [], notCompared]);
    await world.expectQuiet();
    if (notCompared > 0)
      expect((await world.run('drift --deep')).stderr).toEqual(
        says('Omni did not show all of the filters of `schedules.acme` and 2 others, so they were not compared.'),
      );
  });

  it.each(['500', '503', 'garbage'] as const)(
    'the look goes on after %s for the filters of the dashboard',
    async (fault) => {
      const world = await openApplied({ schedules }, { faults: [{ fault, on: 'GET /v1/dashboards' }] });
      world.change('Acme', give({ region: { values: ['US'] } }));
      const { document } = await world.drift('--deep');
      expect(pathsOf(document)).toContain('add schedules.acme/filterConfig/region/values/0');
      expect(notReadIn(document).length).toBe(3);
    },
  );

  it.each([401, 429])(
    'a %i for the filters of a dashboard ends the look, as for any other question',
    async (status) => {
      const world = await stage({ schedules }, whole, refusing(status));
      expect((await world.run('drift --deep')).code).toBe(1);
    },
  );

  it('drift finds nothing whenever somebody edits the dashboard during the look', async () => {
    let left = Number.POSITIVE_INFINITY;
    const editing = (api: Api, world: () => Staged): Partial<Api> => {
      const counted =
        <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
        async (...args: A) => {
          const answer = await ask(...args);
          left -= 1;
          if (left === 0)
            world().editDashboard((filters) => {
              Object.assign(filters['region'] ?? {}, { values: ['US'] });
              Object.assign(filters['order_date'] ?? {}, { left_side: '1 day ago' });
            });
          return answer;
        };
      return {
        listSchedules: counted(api.listSchedules),
        getSchedule: counted(api.getSchedule),
        getRecipients: counted(api.getRecipients),
        getFilters: counted(api.getFilters),
      };
    };
    const world = await stage({ schedules }, keyByKey, editing);
    const { filters } = structuredClone(
      world.emulator.data().documents.find(({ identifier }) => identifier === sales)?.dashboard,
    ) ?? { filters: {} };
    await world.drift('--deep');
    const requests = world.asked().length;
    for (let at = 1; at <= requests; at += 1) {
      left = at;
      const { document } = await world.drift('--deep');
      expect(pathsOf(document), `edited after request ${at} of ${requests}`).toEqual([]);
      world.editDashboard((now) => Object.assign(now, structuredClone(filters)));
    }
    expect(requests).toBe(1 + 1 + 3);
  });

  it('what all schedules of a dashboard have alike is named once, and a single one is told how to keep the spelling', async () => {
    const odd: Double = (own, ofDashboard) =>
      mapped(whole(own, ofDashboard) as Filters, (filter, id) =>
        id === 'order_date' ? { ...filter, kind: 'LAST_7' } : filter,
      );
    const world = await stage({ schedules }, odd);
    const { code, document } = await world.drift('--deep');
    expect([code, document.filterSpellings]).toEqual([0, [{ identifier: sales, id: 'order_date' }]]);
    const { stdout } = await world.run('drift --deep');
    expect(stdout).toEqual(
      says(
        'Omni writes `order_date` of the dashboard 12db1a0a differently in the answers for schedules than on the dashboard, and the same in all schedules of the dashboard: such a spelling does not count as drift.',
      ),
    );
    const single = await stage({ schedules: { cy: schedules.cy } }, odd);
    expect((await single.run('drift --deep')).stdout).toEqual(
      says(
        'If nobody changed the filter, Omni only writes it differently; `almanac drift --deep --write` adopts that form.',
      ),
    );
    expect((await single.run('drift --deep --write')).code).toBe(0);
    expect((await single.drift('--deep')).code).toBe(0);
  });
});

describe('somebody changes a filter of a schedule', () => {
  const changes: Readonly<Record<string, readonly [name: string, filters: object, paths: readonly string[]]>> = {
    'other values': ['Acme', { region: { values: ['US', '2026'] } }, ['region/values/0', 'region/values/1']],
    opened: ['Acme', { order_status: { kind: 'EQUALS', values: [] } }, ['order_status/values/0']],
    'turned around': ['Acme', { region: { values: ['EU', 2026], is_negative: true } }, ['region/is_negative']],
    'another kind': ['Acme', { order_status: { kind: 'CONTAINS', values: ['shipped'] } }, ['order_status/kind']],
    'a filter of its own': ['Bo', { order_date: { kind: 'ON', values: ['2026-01-01'] } }, ['order_date']],
    'a first filter of its own': ['Cy', { region: { kind: 'EQUALS', values: ['US'] } }, ['']],
  };
  const doubles = {
    'by whole entries': whole,
    'key by key': keyByKey,
    'with labels': labelled,
    'in other spellings': spelled,
  };
  const cases = pairsOf(Object.keys(changes), Object.keys(doubles));

  it.each(cases)('%s is found, undone by apply and kept by --write, from an answer %s', async (change, double) => {
    const [name, filters, paths] = changes[change as keyof typeof changes] ?? ['', {}, []];
    const world = await stage({ schedules }, doubles[double as keyof typeof doubles]);
    const applied = world.filtersOf(name);
    world.change(name, give(filters));
    const changed = world.filtersOf(name);
    const { code, document } = await world.drift('--deep');
    const found = document.drift.flatMap(({ diff }) => diff.map(({ path }) => path.replace(/^\/filterConfig\/?/, '')));
    expect([code, [...new Set(found)].sort()]).toEqual([2, paths]);

    const kept = await world.drift('--deep', '--write');
    expect([kept.code, kept.document.written?.map(({ path }) => path)]).toEqual([0, ['/filterConfig']]);
    await world.expectQuiet();
    await world.apply('--refresh=deep');
    expect(world.filtersOf(name)).toEqual(changed);

    world.declare(schedules);
    await world.apply();
    expect(world.filtersOf(name)).toEqual(applied);
    world.change(name, give(filters));
    await world.apply('--refresh=deep');
    expect(world.filtersOf(name)).toEqual(applied);
    expect((await world.drift('--deep')).code).toBe(0);
  });
});

describe('somebody changes a filter where a default gives one', () => {
  const filter = (id: string, value: string) => `${id}: { type: string, kind: EQUALS, values: [${value}] }`;
  const [region, status] = [filter('region', 'EU'), filter('order_status', 'shipped')];
  const open = 'region: { values: [], kind: EQUALS, type: string }';
  const returned = filter('order_status', 'returned');
  const common =
    'schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email, recipients: [ana@example.com], subject: Hi';
  const acme = (own: string) => `  acme: { name: Acme${own} }\n`;
  const bo = '  bo: { name: Bo }\n';
  const map = (...filters: readonly string[]) => `, filterConfig: { ${filters.join(', ')} }`;
  const named = `, identifier: ${sales}`;

  // Of a filter that a report no longer has itself, Omni returns the value that its dashboard has.
  it.each<[title: string, defaults: string, declared: string, filters: object, written: string]>([
    [
      'the filter of the default was taken off, beside one of its own',
      named + map(region),
      `schedules:\n${acme(map(status))}${bo}`,
      { region: undefined },
      `schedules:\n${acme(map(status, open))}${bo}`,
    ],
    [
      'one of its own was changed, and the filter of the default is not repeated',
      named + map(region),
      `schedules:\n${acme(map(status))}${bo}`,
      { order_status: { kind: 'EQUALS', values: ['returned'] } },
      `schedules:\n${acme(map(returned))}${bo}`,
    ],
    [
      'one of its own was changed, and null for the filter of the default stays',
      named + map(region),
      `schedules:\n${acme(map('region: null', status))}${bo}`,
      { order_status: { kind: 'EQUALS', values: ['returned'] } },
      `schedules:\n${acme(map('region: null', returned))}${bo}`,
    ],
    [
      'one of its own was changed, and null for a filter that a merge gives stays',
      named,
      `schedules:\n  bo: &bo { name: Bo${map(region)} }\n  acme: { <<: *bo, name: Acme${map('region: null', status)} }\n`,
      { order_status: { kind: 'EQUALS', values: ['returned'] } },
      `schedules:\n  bo: &bo { name: Bo${map(region)} }\n  acme: { <<: *bo, name: Acme${map('region: null', returned)} }\n`,
    ],
    [
      'a filter of a default of the file was changed, whose null stays',
      named + map(region),
      `defaults: { schedules: { filterConfig: { region: null, ${status} } } }\nschedules:\n${acme('')}`,
      { order_status: { kind: 'EQUALS', values: ['returned'] } },
      `defaults: { schedules: { filterConfig: { region: null, ${returned} } } }\nschedules:\n${acme('')}`,
    ],
    [
      'a filter of a default of the file was changed, and the one below it is not repeated',
      named + map(region),
      `defaults: { schedules: { filterConfig: { ${status} } } }\nschedules:\n${acme('')}`,
      { order_status: { kind: 'EQUALS', values: ['returned'] } },
      `defaults: { schedules: { filterConfig: { ${returned} } } }\nschedules:\n${acme('')}`,
    ],
    [
      'the default names no dashboard',
      map(region),
      `schedules:\n${acme(named + map(status))}${bo.replace(' }', `${named + map(region)} }`)}`,
      { order_status: { kind: 'EQUALS', values: ['returned'] } },
      `schedules:\n${acme(named + map(returned))}${bo.replace(' }', `${named + map(region)} }`)}`,
    ],
  ])('%s', async (_, defaults, declared, filters, written) => {
    const config = `defaults: { schedules: { ${common}${defaults} } }\n`;
    const world = await stage(declared, keyByKey, undefined, config);
    world.change('Acme', give(filters));
    const { code, document } = await world.drift('--deep', '--write');
    expect([code, document.notWritten]).toEqual([0, []]);
    expect(world.read('schedules/all.yaml')).toBe(written);
    await world.expectQuiet();
  });
});

atFullSize(
  'a deep look at 300 e-mails with and without filters on 40 dashboards takes 343 requests',
  async () => {
    const data = demoOrganization();
    const [first] = data.documents.filter(({ identifier }) => identifier === sales);
    const identifiers = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const documents = identifiers.map((identifier) => ({ ...structuredClone(first), identifier }) as EmulatedDocument);
    const declared = Array.from({ length: 300 }, (_, index) => {
      const more = { identifier: identifiers[index % 40] };
      return [
        `s${index}`,
        report(`S${index}`, index % 2 === 0 ? { region: { values: ['EU'] } } : undefined, more),
      ] as const;
    });
    const world = await openApplied({ schedules: Object.fromEntries(declared) }, { data: { ...data, documents } });
    world.asked();
    expect((await world.drift('--deep')).code).toBe(0);
    const asked = world.asked();
    expect(asked).toHaveLength(343);
    expect(asked.filter((each) => each.includes('/dashboards/'))).toHaveLength(40);
  },
  60_000,
);

it('a look at the list compares the filters of schedules whose details it reads, and asks no dashboard', async () => {
  const world = await stage();
  world.change('Acme', give({ region: { values: ['US'] } }));
  expect((await world.drift()).code).toBe(0);
  world.change('Acme', (fields) => Object.assign(fields, { recipients: ['ana@example.com', 'bo@example.com'] }));
  world.change('Cy', give({ region: { values: ['US'] } }));
  void world.asked();
  const { document } = await world.drift();
  expect(pathsOf(document)).toContain('add schedules.acme/filterConfig/region/values/0');
  expect((await world.run('drift')).stdout).toContain('+ filterConfig.region.values: "US"');
  expect(pathsOf(document).filter((each) => !each.includes('schedules.acme'))).toEqual([]);
  expect(world.asked().some((each) => each.includes('/dashboards/'))).toBe(false);
});

it('drift says first how a filter is kept that somebody gave a schedule, because undoing that shows other rows', async () => {
  const world = await stage();
  world.change('Cy', give({ region: { kind: 'EQUALS', values: ['US'], label: 'Mine' } }));
  const { stdout } = await world.run('drift --deep');
  expect(stdout).toContain('+ filterConfig.region.values: ["US"]');
  expect(stdout).not.toContain('Mine');
  expect(stdout).toEqual(
    says(
      'To keep a change: `almanac drift --deep --write` writes it into the source files. To undo it: `almanac apply --refresh=deep`; a report to which somebody gave a filter loses the filter, and shows different rows.',
    ),
  );
  expect(stdout).toContain('Never shown by Omni, so not compared: `subject`.');
  const { drift, changes } = await world.plan('--refresh=deep');
  expect(pathsOf({ drift })).toEqual(['add schedules.cy/filterConfig']);
  expect(changes).toMatchObject([
    { action: 'update', reason: 'drifted', before: { filterConfig: { region: { kind: 'EQUALS', values: ['US'] } } } },
  ]);
});

describe('a filter that a schedule sets is gone from its dashboard', () => {
  const lost = async () => {
    const world = await stage();
    world.editDashboard((filters) => delete filters['region']);
    return world;
  };

  it('drift names it first, --write never writes it, and the change that would send it is left', async () => {
    const world = await lost();
    const { code, document } = await world.drift('--deep');
    expect([code, pathsOf(document)]).toEqual([
      2,
      ['remove schedules.acme/filterConfig/region', 'remove schedules.bo/filterConfig'],
    ]);
    const { stdout } = await world.run('drift --deep');
    expect(stdout).toMatch(
      /^Look at this first\n {2}!! 1 filter is gone from its dashboard: without it a report would show all\n/,
    );
    const declared = world.read('schedules/all.yaml');
    const kept = await world.drift('--deep', '--write');
    expect(kept.document.notWritten).toMatchObject([{ reason: 'filter-gone' }, { reason: 'filter-gone' }]);
    expect([kept.code, world.read('schedules/all.yaml')]).toEqual([2, declared]);

    world.sent();
    const refused = await world.run('apply --refresh=deep --auto-approve');
    expect([refused.code, world.sent()]).toEqual([1, []]);
    expect(refused.stdout).toEqual(
      says('Its dashboard no longer has the filter `region`, and without it the report would show all rows.'),
    );
    const { dangers, changes } = await world.plan('--refresh=deep');
    // The filter of Bo has no value: set again, it may show every row.
    expect(dangers.map(({ code: of, gravity }) => `${of} ${gravity}`)).toEqual([
      'other-rows grave',
      'filter-gone grave',
    ]);
    expect(changes.map(({ left }) => left !== undefined)).toEqual([true, true]);
  });

  it('nothing is left once the filter is no longer declared, or the schedule goes to another dashboard', async () => {
    const world = await lost();
    const { order_status } = schedules.acme.filterConfig as Record<string, unknown>;
    world.declare({
      ...schedules,
      acme: report('Acme', { order_status }),
      bo: report('Bo', schedules.bo.filterConfig, { identifier: '7ae01c55' }),
    });
    const { changes } = await world.plan('--refresh=deep');
    expect(changes.map(({ address, reason, blocked }) => [address, reason, blocked])).toEqual([
      ['schedules.acme', 'as-declared', undefined],
      ['schedules.bo', 'changed-and-drifted', undefined],
    ]);
  });

  it('a filter that a schedule sets is not drift while its dashboard has it', async () => {
    const double: Double = (own, ofDashboard) => {
      const { region: _, ...others } = whole(own, ofDashboard) ?? {};
      return others;
    };
    const world = await stage({ schedules }, double);
    const { code, document } = await world.drift('--deep');
    expect([code, pathsOf(document), notReadIn(document).length]).toEqual([0, [], 2]);
  });
});

describe('what is not compared', () => {
  it('a filter that was never sent is compared once an update has sent it', async () => {
    const world = await stage();
    const state = world.state();
    const { 'schedules.acme': acme, ...others } = state.resources;
    const resources = { ...others, 'schedules.acme': { ...acme, unread: ['/filterConfig/region'] } };
    world.write({ 'almanac.state.json': { ...state, resources } });
    world.change('Acme', give({ region: { values: ['US'] } }));
    expect(await world.drift('--deep')).toMatchObject({ code: 0, document: { drift: [] } });
    const config = world.read('almanac.yaml');
    const rows = { filters: ['region'], allow: 'tenants.csv' };
    world.write({
      'tenants.csv': 'shows,receiver\n',
      'almanac.yaml': { ...JSON.parse(config), safety: { internalDomains: ['example.com'], rows } },
    });
    expect(await world.drift('--deep'), 'it divides the rows').toMatchObject({ code: 2 });
    world.write({ 'almanac.yaml': config });
    world.declare({ ...schedules, acme: { ...schedules.acme, subject: 'Another' } });
    await world.apply();
    expect(world.state().resources['schedules.acme']?.unread).toBeUndefined();
    world.change('Acme', give({ region: { values: ['US'] } }));
    expect((await world.drift('--deep')).code).toBe(2);
  });
});

describe('loops', () => {
  const loop = (name: string, more = '') => `schedules:
  usage:
    forEach:
      aa: { customer: Aa, title: A }
      bb: { customer: Bb, title: B }
    identifier: 12db1a0a
    name: Usage ${name}
    schedule: 0 9 ? * MON *
    timezone: UTC
    format: pdf
    destinationType: email
    recipients: [ana@example.com]
    subject: Usage
    filterConfig: { region: { values: ["\${each.customer}"] } }
${more}`;

  it('the value of an item is written into the item', async () => {
    const world = await stage(loop('${each.title}'));
    world.change('Usage A', give({ region: { values: ['Bb'] } }));
    expect((await world.run('drift --deep --write')).code).toBe(0);
    expect(world.read('schedules/all.yaml')).toContain('aa: { customer: Bb, title: A }');
    await world.expectQuiet();
  });

  it('a value of the item that gives another field too is not written, and the other field is named', async () => {
    const world = await stage(loop('${each.customer}', '    textBody: ${each.title}\n'));
    world.change('Usage Aa', give({ region: { values: ['Bb'] } }));
    const { code, stdout } = await world.run('drift --deep --write');
    expect(code).toBe(2);
    expect(stdout).toEqual(
      says(
        'The value `customer` of its item in schedules/all.yaml gives `name` as well, so it cannot hold what Omni has for `filterConfig` alone. Give every item in schedules/all.yaml a value of its own for `filterConfig`, or change all of it yourself.',
      ),
    );
  });
});
