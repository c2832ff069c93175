import { describe, expect, it, test } from 'vitest';
import { joinedWith, reachOf, tilesSent } from '../../src/declare/rows/reached-tiles.ts';
import type { DashboardLayout, RemoteQuery, TileFilter } from '../../src/model/service/documents.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { readLayout } from '../../src/omni/read-answers.ts';

const field = 'customers.region';

function filter(map: Readonly<Record<string, string | false>> = {}, condition: JsonObject = {}): TileFilter {
  return { condition, field, map: new Map(Object.entries(map)) };
}

const tile = (key: string, query?: RemoteQuery['query']): RemoteQuery => ({ key, query });
const named = tile('a', { fields: ['customers.name'], userEditedSQL: '' });

test.each<[what: string, TileFilter, RemoteQuery, ReturnType<typeof reachOf>]>([
  ['names the view of the field', filter(), named, { how: 'limited' }],
  ['has the view as its table', filter(), tile('a', { table: 'customers' }), { how: 'limited' }],
  ['filters by the view itself', filter(), tile('a', { filters: { 'customers.id': {} } }), { how: 'limited' }],
  ['names a view that only begins alike', filter(), tile('a', { fields: ['customers_old.name'] }), { how: 'untold' }],
  ['is not shown', filter(), tile('a'), { how: 'untold' }],
  ['is in SQL', filter(), tile('a', { fields: [field], userEditedSQL: 'SELECT 1' }), { how: 'sql' }],
  ['has blank SQL', filter(), tile('a', { fields: [field], userEditedSQL: ' ' }), { how: 'limited' }],
  ['is taken out', filter({ a: false }), named, { how: 'taken-out' }],
  ['is in SQL and taken out', filter({ a: false }), tile('a', { userEditedSQL: 'SELECT 1' }), { how: 'taken-out' }],
  ['is mapped to the same field', filter({ a: field }), named, { how: 'limited' }],
  [
    'is mapped to another field',
    filter({ a: 'customers.name' }),
    named,
    { how: 'other-field', field: 'customers.name' },
  ],
  ['is not in the map', filter({ b: false }), named, { how: 'limited' }],
])('a filter and a tile whose query %s', (_, of, query, reach) => {
  expect(reachOf(of, query)).toEqual(reach);
});

describe('filters that are joined', () => {
  const europe = { type: 'string', kind: 'EQUALS', values: ['Europe'] };
  const layout = (other: TileFilter, id = filter()): Pick<DashboardLayout, 'filters'> => ({
    filters: new Map([
      ['region', id],
      ['other', other],
    ]),
  });

  it.each<[what: string, TileFilter, TileFilter | undefined, JsonObject | undefined, readonly string[]]>([
    ['has a value on the dashboard', filter({}, europe), undefined, undefined, ['other']],
    ['has none', filter({}, { values: [] }), undefined, undefined, []],
    ['has one of the report', filter({}, { values: [] }), undefined, europe, ['other']],
    ['is emptied by the report', filter({}, europe), undefined, { values: [] }, []],
    ['does not reach the tile', filter({ a: false }, europe), undefined, undefined, []],
    ['limits another field of the tile', filter({ a: 'customers.name' }, europe), undefined, undefined, []],
    ['limits a tile that the first does not reach', filter({}, europe), filter({ a: false }), undefined, []],
    [
      'is of another field, and points at this one here',
      { ...filter({ a: field }, europe), field: 'orders.x' },
      undefined,
      undefined,
      ['other'],
    ],
    ['is a boolean, which needs no value', filter({}, { type: 'boolean' }), undefined, undefined, ['other']],
  ])('another filter that %s', (_, other, own, set, expected) => {
    const rows = new Map(set === undefined ? [] : [['other', { condition: set }]]);
    expect(joinedWith('region', named, layout(other, own), rows)).toEqual(expected);
  });

  it('a tile whose query Omni does not show is read by its map, and one in SQL or of another view is not', () => {
    const both = layout(filter({}, europe));
    const joined = (query?: RemoteQuery['query']) => joinedWith('region', tile('a', query), both, new Map());
    expect(joined()).toEqual(['other']);
    expect(joined({ userEditedSQL: 'SELECT 1' })).toEqual([]);
    expect(joined({ fields: ['orders.id'] })).toEqual([]);
  });
});

describe('the tiles that a report sends', () => {
  const pages = [
    { name: 'One', tiles: new Set(['a']) },
    { name: 'Two', tiles: new Set(['b']) },
  ];
  const dashboard = { tiles: [tile('a'), tile('b'), tile('c')], filters: new Map(), pages };
  const sent = (format: string, key?: string, layout: DashboardLayout = dashboard) =>
    tilesSent(layout, { format, tile: key }).map((each) => each.key);

  it('a PDF and a PNG have the first page of several, and other formats all tiles', () => {
    expect(sent('pdf')).toEqual(['a']);
    expect(sent('png')).toEqual(['a']);
    expect(sent('csv')).toEqual(['a', 'b', 'c']);
    expect(sent('pdf', undefined, { ...dashboard, pages: pages.slice(0, 1) })).toEqual(['a', 'b', 'c']);
  });

  it('a report of one tile has that tile, on whatever page, and one of an unknown tile has none', () => {
    expect(sent('pdf', 'b')).toEqual(['b']);
    expect(sent('csv', 'z')).toEqual([]);
  });
});

describe('the layout in an answer', () => {
  const page = (name: string, ...keys: readonly string[]) => ({
    containerType: 'page',
    name,
    container: {
      containerType: 'grid',
      children: keys.map((attachedQueryKey) => ({ containerType: 'stack', metadata: { attachedQueryKey } })),
    },
  });

  it('holds tiles with queries, filters that have a field, and pages at any depth', () => {
    const layout = readLayout({
      queryPresentations: {
        data: {
          a: { name: 'A', query: { fields: ['x.y'], limit: 3 } },
          text: { type: 'markdown' },
          b: { query: 'odd' },
        },
      },
      controls: {
        data: {
          region: { config: { fieldName: field, values: [] }, map: { a: false, b: 'x.y', c: null } },
          metric: { config: { type: 'FIELD_SELECTION', field } },
          odd: null,
        },
      },
      containers: [{ children: [page('One', 'a'), page('Two', 'b')] }],
    });
    expect(layout.tiles.map(({ key, name, query }) => [key, name, query?.fields])).toEqual([
      ['a', 'A', ['x.y']],
      ['b', undefined, undefined],
    ]);
    expect([...layout.filters.keys()]).toEqual(['region']);
    expect([...(layout.filters.get('region')?.map ?? [])]).toEqual([
      ['a', false],
      ['b', 'x.y'],
    ]);
    expect(layout.pages.map(({ name, tiles }) => [name, ...tiles])).toEqual([
      ['One', 'a'],
      ['Two', 'b'],
    ]);
  });

  it('an answer without queries or controls is not read', () => {
    expect(() => readLayout({ queryPresentations: {} })).toThrow('It has no queries or no controls.');
    expect(() => readLayout([])).toThrow();
  });
});
