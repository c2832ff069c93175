import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { State, StateResource } from '../../src/model/plan/state.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { isSealedSecret, maskSealed } from '../../src/model/values/secret.ts';
import { Failure, type FailureCode } from '../../src/model/workspace/failure.ts';
import { parseState, renderState } from '../../src/state/format/parse-state.ts';

const state: State = {
  version: 2,
  lineage: '0d4c8d0e-6d0a-4a55-8a39-6f5b3f1a2c11',
  serial: 7,
  toolVersion: '0.1.0',
  baseUrl: 'https://acme.omniapp.co/api',
  salt: 'c2FsdA==',
  secretKey: '0123456789abcdef',
  commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  resources: {
    'schedules.weekly': {
      id: 'id-1',
      attributes: { name: 'Weekly', format: 'pdf' },
      unread: ['subject'],
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    },
    'dashboards.sales': {
      attributes: { identifier: '12db1a0a' },
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
    },
  },
  orphans: [{ id: 'id-0', address: 'schedules.x', identifier: 'a', name: 'X', since: '2026-01-01T00:00:00Z' }],
  unresolved: [{ address: 'schedules.y', action: 'create', since: '2026-01-01T00:00:00Z' }],
};

function refusal(
  text: string,
  code: FailureCode = 'state-unreadable',
): { readonly message: string; readonly hint: string } {
  try {
    parseState(text, 'almanac.state.json');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe(code);
    return { message: error.message, hint: error.hint ?? '' };
  }
  throw new Error('it was read');
}

/** The message of a state with some of its top-level keys replaced. */
function shapeRefusal(changes: object): string {
  return refusal(JSON.stringify({ ...state, ...changes })).message;
}

describe('renderState', () => {
  it('a written state keeps the order of its head, sorts the rest, and ends with a newline', () => {
    const text = renderState(state);
    expect(Object.keys(JSON.parse(text))).toEqual([
      'version',
      'lineage',
      'serial',
      'toolVersion',
      'baseUrl',
      'salt',
      'secretKey',
      'commit',
      'resources',
      'orphans',
      'unresolved',
    ]);
    expect(text.indexOf('dashboards.sales')).toBeLessThan(text.indexOf('schedules.weekly'));
    expect(text.indexOf('"format"')).toBeLessThan(text.indexOf('"name": "Weekly"'));
    expect(text.startsWith('{\n  "version": 2,\n')).toBe(true);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('a state keeps what was seen of groups, names and dashboards, and which files no commit held', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const board = { text: 'Board', id: 'a1f0', name: 'Board of directors' };
    const resource: StateResource = {
      id: 'id-1',
      attributes: { identifier: 'sales' },
      unread: ['/filterConfig/region'],
      groups: [board],
      entityId: 'b6f2',
      createdAt: at,
      updatedAt: at,
    };
    const seen = { names: { sales: 'Sales overview' }, resources: { 'schedules.a': resource } };
    const whole: State = { ...state, ...seen };
    expect(parseState(renderState(whole), 'state')).toEqual(whole);
  });

  it('a written state does not depend on the order of its keys', () => {
    const reversed = Object.fromEntries(Object.entries(state.resources).reverse());
    expect(renderState({ ...state, resources: reversed })).toBe(renderState(state));
  });

  it('a written state is read back unchanged', () => {
    const key = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/);
    const address = fc.tuple(fc.constantFrom('schedules', 'dashboards', 'aiJobs'), key).map((pair) => pair.join('.'));
    const time = fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString());
    const json = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;
    const name = fc.string({ unit: 'binary' });
    const resource = fc.record(
      { attributes: json, outputs: json, createdAt: time, updatedAt: time },
      { requiredKeys: ['attributes', 'createdAt', 'updatedAt'] },
    );
    const states: fc.Arbitrary<State> = fc.record({
      version: fc.constant(2 as const),
      lineage: fc.uuid(),
      serial: fc.nat(),
      toolVersion: fc.constant('0.1.0'),
      baseUrl: fc.webUrl(),
      salt: fc.base64String({ minLength: 4 }),
      resources: fc.dictionary(address, resource),
      orphans: fc.array(fc.record({ id: fc.uuid(), address, identifier: name, name, since: time })),
      unresolved: fc.array(
        fc.record({ address, action: fc.constantFrom('create', 'run', 'update'), name, since: time }),
      ),
    });
    fc.assert(
      fc.property(states, (some) => {
        const text = renderState(some);
        const read = parseState(text, 'state');
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(some)));
        expect(renderState(read)).toBe(text);
      }),
    );
  });
});

describe('parseState refuses', () => {
  const text = renderState(state);

  it.each(['', ' \n', '\uFEFF'])('an empty state file (%j) is refused', (empty) => {
    const { message, hint } = refusal(empty);
    expect(message).toBe('almanac.state.json cannot be read: it is empty.');
    expect(hint).toContain('git restore almanac.state.json');
  });

  it('a state file cut off anywhere is refused', () => {
    for (let length = 1; length < text.trimEnd().length; length += 1) {
      expect(refusal(text.slice(0, length)).message).toContain('it is not valid JSON: ');
    }
  });

  it('a state file that is not JSON is refused in the words of Node, with the place where they have one', () => {
    expect(refusal(text.replace('"serial": 7,', '"serial": 7')).message).toBe(
      "almanac.state.json cannot be read: it is not valid JSON: Expected ',' or '}' after property value in JSON (line 5, column 3).",
    );
    expect(refusal(text.slice(0, -2)).message).toMatch(/not valid JSON: .+ in JSON \(line \d+, column \d+\)\.$/);
    expect(refusal('[').message).toContain('not valid JSON: Unexpected end of JSON input.');
    for (const damaged of ['{"a" "b"}', '{"a": NaN}', String.raw`{"a": "\x"}`, '\0\0\0', `${text}x`])
      expect(refusal(damaged).message).toContain('it is not valid JSON: ');
  });

  it('what is in a file that is not JSON is not shown: it may be any file', () => {
    for (const other of [
      'hunter2',
      'OMNI_API_KEY=hunter2',
      '{"key": hunter2}',
      `${text}hunter2`,
      '"hunter2',
      '[object Object]',
    ])
      expect(refusal(other).message).not.toMatch(/hunter2|OMNI/);
  });

  it('a state file that is nested too deeply is refused', () => {
    expect(refusal('['.repeat(100_000) + ']'.repeat(100_000)).message).toContain('it is nested too deeply');
  });

  it('a state file with a duplicate key, which JSON.parse would drop silently, is refused', () => {
    const twice = text.replace('"serial": 7,', '"serial": 7,\n  "serial": 8,');
    expect(refusal(twice).message).toContain('the key "serial" appears twice in the same object (line 5, column 3)');
    const deep = text.replace(
      '"attributes": {',
      String.raw`"attributes": { "a\"{": [{ "b": 1 }, { "b": ":" }], "a\u0022{": 2,`,
    );
    expect(deep).not.toBe(text);
    expect(refusal(deep).message).toContain(String.raw`the key "a\"{" appears twice in the same object (line `);
  });

  it.each(['\n', '\r\n'])('a state file with git conflict markers is refused', (newline) => {
    const conflict = text
      .replace('  "serial": 7,\n', '<<<<<<< HEAD\n  "serial": 7,\n=======\n  "serial": 8,\n>>>>>>> main\n')
      .replaceAll('\n', newline);
    const { message, hint } = refusal(conflict);
    expect(message).toBe('almanac.state.json cannot be read: it contains git conflict markers (line 4).');
    expect(hint).toContain('Keep the side that was applied last');
  });

  it('a state file of a newer version is refused', () => {
    const { message, hint } = refusal(JSON.stringify({ version: 4, toolVersion: '3.1.0', more: true }));
    expect(message).toBe(
      'almanac.state.json cannot be read: it was written by almanac 3.1.0, as state version 4; this almanac reads version 2.',
    );
    expect(hint).toBe('Upgrade almanac to 3.1.0 or later.');
  });

  it('a state file of the version before this one is refused, with the way to a new state', () => {
    const { message, hint } = refusal(JSON.stringify({ ...state, version: 1 }));
    expect(message).toBe(
      'almanac.state.json cannot be read: it was written as state version 1; this almanac reads version 2.',
    );
    expect(hint).toMatch(
      /^An earlier build wrote it\. Start with a new state.*import --write-state.* what is declared\.$/,
    );
  });

  it('a state file of the wrong shape is refused with a JSON pointer', () => {
    expect(refusal('{}').message).toContain('/version is missing');
    expect(shapeRefusal({ extra: 1 })).toContain('/extra is not known to this version');
    expect(shapeRefusal({ serial: -1 })).toContain('/serial is less than 0');
    expect(shapeRefusal({ serial: 2 ** 53 })).toContain('/serial is greater than 9007199254740991');
    expect(shapeRefusal({ salt: '' })).toContain('/salt is empty');
    expect(shapeRefusal({ resources: { 'charts.x': {} } })).toContain('/resources/charts.x is not an address');
    expect(shapeRefusal({ resources: { 'schedules.': {} } })).toContain('/resources/schedules. is not an address');
    expect(shapeRefusal({ unresolved: [{ ...state.unresolved[0], action: 'burn' }] })).toContain(
      '/unresolved/0/action is not "create", "update", "replace", "delete", "forget", "move", "adopt", "run" or "trigger"',
    );
    for (const since of ['today', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00+01:00']) {
      expect(shapeRefusal({ unresolved: [{ ...state.unresolved[0], since }] })).toContain(
        '/unresolved/0/since is not a time such as 2026-01-31T09:00:00Z',
      );
    }
    expect(shapeRefusal({ orphans: [{ ...state.orphans[0], replaced: false }] })).toContain(
      '/orphans/0/replaced is not true',
    );
    expect(refusal(text.replace('"salt"', '"__proto__": 1, "salt"')).message).toContain('/__proto__ is not known');
  });

  it('a state file that tracks an id twice is refused', () => {
    const again = { ...state.resources, 'schedules.again': state.resources['schedules.weekly'] };
    expect(shapeRefusal({ resources: again })).toContain(
      '/resources/schedules.again/id is also the id of schedules.weekly',
    );
  });

  it('a state file that an editor changed to CRLF or a byte order mark is accepted', () => {
    expect(parseState(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'state')).toEqual(state);
  });
});

it('a secret of a state may have a text with the names of its variables', () => {
  const url = { $secret: 'f', text: 'https://hooks.example.com/${env.KEY}' };
  expect([url, { $secret: null }, { $secret: 'f' }].map(isSealedSecret)).toEqual([true, true, true]);
  expect([{ $secret: 'f', text: 1 }, { $secret: 'f', more: '' }, { text: '' }].map(isSealedSecret)).toEqual([
    false,
    false,
    false,
  ]);
  expect(maskSealed({ url })).toEqual({ url: url.text });
  expect(maskSealed({ url: { $secret: 'f' } })).toEqual({ url: '(sensitive)' });
});

it('the ids of user groups are read in small letters, as Omni lists them', () => {
  const id = 'A1F0C6D2-7B34-4E59-8C1D-52E6F90B7A31';
  const [weekly] = Object.values(state.resources);
  const planted = { ...state, resources: { 'schedules.weekly': { ...weekly, groups: [{ text: 'Board', id }] } } };
  const read = parseState(JSON.stringify(planted), 'almanac.state.json');
  expect(read.resources['schedules.weekly']?.groups).toEqual([{ text: 'Board', id: id.toLowerCase() }]);
});

it('the id of the member for whom something was made is read in small letters, too', () => {
  const [id, madeBy] = ['B7F0C6D2-7B34-4E59-8C1D-52E6F90B7A31', 'C8F0C6D2-7B34-4E59-8C1D-52E6F90B7A31'];
  const [weekly] = Object.values(state.resources);
  const planted = { ...state, resources: { 'schedules.weekly': { ...weekly, id, madeBy } } };
  const read = parseState(JSON.stringify(planted), 'almanac.state.json');
  expect(read.resources['schedules.weekly']).toMatchObject({ id: id.toLowerCase(), madeBy: madeBy.toLowerCase() });
});
