// What selectors choose: addresses add up, labels of one kind add up, and different kinds narrow each other.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { Secret } from '../../src/model/values/secret.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { type DeclaredObject, type Loop, nothingDeclared, type Resource } from '../../src/model/workspace/resource.ts';
import { choiceAmong, resolve, resolveOne, resolveOrAll } from '../../src/plan/select.ts';
import { failureOf } from '../support/failure-of.ts';
import { stateOf } from '../support/plan/planning.ts';

const resource = (address: string, attributes: DeclaredObject, sink?: Resource['sink']): Resource => ({
  kind: address.startsWith('dashboards.') ? 'dashboard' : 'schedule',
  ...{ address, attributes, sink, line: 1, origin: { file: 'all.yaml', document: 0, pointer: '' } },
});
const hook = new Secret('https://hooks.example.com/t0ken', ['T'], ['t0ken'], 'https://hooks.example.com/${env.T}');

const resources = [
  resource('schedules.sales', {
    ...{ identifier: '12db1a0a', destinationType: 'email', recipients: ['Ana@example.com', 'kim@partner.com'] },
    meta: { tags: ['board', 'daily'], owner: '@acme/sales' },
  }),
  resource('schedules.stock', {
    ...{ identifier: '12db1a0a', destinationType: 'slack', recipients: 'U0123456789, U0AAAAAAAAA' },
    meta: { tags: ['daily'] },
  }),
  resource('schedules.export', { identifier: '77aa88bb', destinationType: 'webhook', url: hook }),
  resource(
    'schedules.board',
    { identifier: '77aa88bb', destinationType: 'email', recipients: ['sink@test.example'], meta: { tags: ['board'] } },
    { environment: 'staging', declared: { recipients: ['bo@example.com'] } },
  ),
  resource('schedules.regions.emea', { identifier: '77aa88bb', destinationType: 's3', bucketName: 'drop' }),
  resource('dashboards.sales', { identifier: '12db1a0a' }),
];
const applied = (attributes: JsonObject) => ({ id: 'a', attributes });
const state = stateOf({
  'schedules.sales': applied({
    ...{ identifier: '0ld0ld00', destinationType: 'email', recipients: ['former@example.com'] },
    meta: { tags: ['former'] },
  }),
  'schedules.gone': applied({ destinationType: 'sftp', address: 'files.example.com', meta: { owner: '@acme/gone' } }),
});

const desired = { ...nothingDeclared, resources };
const loaded = { desired, findings: [], fileNamed: () => undefined };
const known = choiceAmong([...resources.map(({ address }) => address), 'schedules.gone'], { loaded, state });
const chosen = (...selectors: string[]) =>
  [...resolve(selectors, known).addresses].map((address) => address.replace('schedules.', '')).join(' ');

function refusal(...selectors: string[]): string {
  try {
    return chosen(...selectors);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.message} ${error.hint}`;
  }
}

describe('selectors', () => {
  test('an empty list chooses nothing, and everything only where that is only shown', () => {
    expect(chosen()).toBe('');
    expect(resolveOrAll([], known).addresses.size).toBe(7);
    expect(resolveOrAll(['kind:dashboard'], known).addresses.size).toBe(1);
  });

  test.each([
    ['an address', ['schedules.stock'], 'stock'],
    ['a loop', ['schedules.regions'], 'regions.emea'],
    ['addresses with stars, in their order', ['schedules.st*', 'schedules.s*'], 'stock sales'],
    ['one of two tags', ['tag:daily', 'tag:board'], 'sales stock board'],
    ['two labels', ['tag:daily', 'tag:board', 'via:email'], 'sales board'],
    ['an address and a label', ['schedules.s*', 'owner:@acme/*'], 'sales'],
    ['an address that a label narrows', ['schedules.sales', 'schedules.stock', 'via:slack'], 'stock'],
    ['an e-mail address in letters of either case', ['to:ana@Example.com'], 'sales'],
    ['a domain', ['to:*@example.com'], 'sales board'],
    ['a Slack id in a text of several', ['to:U0AAAAAAAAA'], 'stock'],
    ['the host of an address that is a secret', ['to:hooks.example.com'], 'export'],
    ['a bucket', ['to:drop'], 'regions.emea'],
    ['a receiver that a sink replaces', ['to:bo@example.com'], 'board'],
    ['the sink', ['to:sink@test.example'], 'board'],
    ['a receiver that was applied', ['to:former@example.com'], 'sales'],
    ['a tag that was applied', ['tag:former'], 'sales'],
    ['a label of what is no longer declared', ['owner:@acme/gone'], 'gone'],
    ['a dashboard', ['dashboard:12db1a0a'], 'sales stock dashboards.sales'],
    ['a dashboard that was applied', ['dashboard:0ld0ld00'], 'sales'],
    ['ways of delivery', ['via:s3', 'via:sftp'], 'regions.emea gone'],
    ['a kind', ['kind:dashboard'], 'dashboards.sales'],
  ])('%s selects what has it', (_, selectors, expected) => {
    expect(chosen(...selectors)).toBe(expected);
  });

  test.each([
    ['to:ana@example.co', 'Did you mean `to:Ana@example.com`?'],
    ['to:partner.com', 'a domain (`to:*@partner.com`)'],
    ['to:*@nobody.org', 'the id of a Slack channel or user'],
    ['to:ana@exampleXcom', '`to:ana@exampleXcom` matches nothing.'],
    ['to:hooks.example.com/t0ken', '`to:hooks.example.com/t0ken` matches nothing.'],
    ['dashboard:12db1a0b', 'Did you mean `dashboard:12db1a0a`?'],
    ['dashboard:https://acme.omniapp.co/dashboards/77aa88bb?x=1', 'Did you mean `dashboard:77aa88bb`?'],
    ['via:mail', 'Did you mean `via:email`?'],
    ['via:fax', 'The destinations are webhook, email, sftp, slack, s3.'],
    ['kind:report', 'The kinds are '],
    ['Ana@example.com', 'Did you mean `to:Ana@example.com`?'],
    ['77aa88bb', 'Did you mean `dashboard:77aa88bb`?'],
    ['schedules.sale', 'Did you mean `schedules.sales`?'],
    ['reports.*', 'A selector is an address such as schedules.fin-*, or tag: owner: to: dashboard: via: kind: shows:.'],
  ])('the selector %s, which matches nothing, is refused with a hint', (selector, words) => {
    expect(refusal('schedules.sales', selector)).toContain(`\`${selector}\` matches nothing.`);
    expect(refusal('schedules.sales', selector)).toContain(words);
  });

  test('selectors that nothing matches together are refused', () => {
    expect(refusal('schedules.sales', 'via:slack')).toContain(
      'Nothing matches all of schedules.sales, via:slack; nothing was done.',
    );
  });
});

describe('keys', () => {
  const named = (...addresses: string[]) => addresses.map((address) => resource(address, {}));
  const origin = { file: 'all.yaml', document: 0, pointer: '' };
  const declared = {
    ...nothingDeclared,
    resources: named(
      ...['schedules.weekly', 'schedules.twice', 'routines.twice', 'schedules.shared', 'schedules.regions.emea'],
      ...['dashboards.sales', 'schedules.schedules', 'schedules.tag', 'schedules.here', 'schedules.flat'],
    ),
    loops: ([['regions', 'emea'], ['empty']] as const).map(
      ([key, ...keys]) => ({ address: `schedules.${key}`, keys, origin, line: 1 }) as unknown as Loop,
    ),
    moves: [
      { from: 'schedules.old', to: 'schedules.weekly', origin, line: 1 },
      { from: 'schedules.flat', to: 'schedules.regions.emea', origin, line: 1 },
      { from: 'aiJobs.job', to: 'aiJobs.renamed', origin, line: 1 },
    ],
    absent: ['schedules.staging', 'aiJobs.here'].map((address) => ({ address, attributes: {}, origin, line: 1 })),
  };
  const tracked = stateOf({
    'schedules.gone': applied({}),
    'aiJobs.shared': applied({}),
    'aiJobs.job': applied({}),
    'aiJobs.sole': applied({}),
  });
  const among = (options: { readonly onlyWhole?: boolean; readonly hasErrors?: boolean } = {}) =>
    choiceAmong(
      [...declared.resources.map(({ address }) => address), 'schedules.gone'].filter((at) => at.startsWith('sched')),
      {
        loaded: {
          desired: declared,
          findings: options.hasErrors ? [{ code: 'unknown-field', message: 'It is unknown.' }] : [],
          fileNamed: () => undefined,
        },
        state: tracked,
        onlyWhole: options.onlyWhole,
        whyNot: () => ({ why: 'is not a schedule', hint: 'Name a schedule.' }),
      },
    );
  const said = async (work: () => unknown) => {
    const { code, message, hint } = await failureOf(Promise.resolve().then(work));
    return `${code}: ${message} ${hint}`;
  };

  test.each([
    ['of a schedule', 'weekly', 'schedules.weekly'],
    ['of what is only in the state', 'gone', 'schedules.gone'],
    ['of a loop', 'regions', 'schedules.regions'],
    ['of an instance, which has that of its item', 'regions.emea', 'schedules.regions.emea'],
    ['that is the name of a section', 'schedules', 'schedules.schedules'],
    ['that is the name of a label', 'tag', 'schedules.tag'],
  ])('a key %s stands for its whole address', (_, key, address) => {
    const { selectors, addresses, isNamed } = resolve([key], among());
    expect(selectors).toEqual([address]);
    expect([...addresses].every(isNamed)).toBe(true);
    expect(addresses).toEqual(resolve([address], among()).addresses);
  });

  test('a key adds up with patterns and whole addresses, in their order', () => {
    expect([...resolve(['weekly', 'schedules.t*', 'gone'], among()).addresses]).toEqual([
      ...['schedules.weekly', 'schedules.twice', 'schedules.tag', 'schedules.gone'],
    ]);
  });

  test.each([
    ['a key that two kinds declare', 'twice', '`twice` may be `routines.twice` or `schedules.twice`.'],
    ['a key that the state tracks as another kind', 'shared', '`shared` may be `aiJobs.shared` or `schedules.shared`.'],
    ['a key that another environment declares', 'here', '`here` may be `aiJobs.here` or `schedules.here`.'],
    ['a key of another kind', 'sales', '`dashboards.sales` is not a schedule. Nothing was done. Name a schedule.'],
    ['a key of another kind in the state', 'sole', '`aiJobs.sole` is not a schedule.'],
    ['a key of another environment', 'staging', '`schedules.staging` does not exist in this environment.'],
    [
      'a key of another kind from before a move',
      'job',
      '`aiJobs.job` is not a schedule. Nothing was done. Name a schedule.',
    ],
    ['a key of a loop without items', 'empty', '`schedules.empty` is a loop without items, so it declares nothing.'],
    [
      'a key from before a move',
      'old',
      '`schedules.old` matches nothing. Nothing was done. Did you mean `schedules.weekly`?',
    ],
    ['a misspelt key', 'wekly', '`wekly` matches nothing. Nothing was done. Did you mean `schedules.weekly`?'],
    ['a misspelt key of a loop', 'regoins', 'Did you mean `schedules.regions`?'],
    ['a misspelt key of an instance', 'regions.emae', 'Did you mean `schedules.regions.emea`?'],
    ['the key of an item alone', 'emea', '`emea` matches nothing.'],
    ['a key behind another section', 'dashboards.weekly', 'Did you mean `schedules.weekly`?'],
    ['a misspelt section', 'schedule.weekly', 'Did you mean `schedules.weekly`?'],
    [
      'a key in other letters',
      'Weekly',
      '`Weekly` matches nothing. Nothing was done. Did you mean `schedules.weekly`?',
    ],
    ['a pattern of keys', 'week*', '`week*` matches nothing.'],
    ['a key in quotes', '"weekly"', '`"weekly"` matches nothing. Nothing was done. Did you mean `schedules.weekly`?'],
    ['nothing', '', '`` matches nothing.'],
    ['the name of a property of objects', 'constructor', '`constructor` matches nothing.'],
  ])('%s is refused with one error', async (_, key, words) => {
    const text = await said(() => resolve([key], among()));
    expect(text).toContain('usage: ');
    expect(text).toContain(words);
  });

  test('one error is about all selectors that are wrong', async () => {
    expect(await said(() => resolve(['weekly', 'wekly', 'twice', 'via:mail'], among()))).toBe(
      [
        'usage: `wekly` matches nothing.',
        '`twice` may be `routines.twice` or `schedules.twice`.',
        '`via:mail` matches nothing. Nothing was done. Did you mean `schedules.weekly`?',
        'Write the whole address.',
        'The destinations are webhook, email, sftp, slack, s3.',
      ].join('\n'),
    );
  });

  test('in CI, what is delivered is named by whole addresses, patterns and labels, and by no key', async () => {
    const inCi = among({ onlyWhole: true });
    expect(await said(() => resolve(['weekly'], inCi))).toContain('Write `schedules.weekly`.');
    expect(await said(() => resolve(['twice'], inCi))).toContain('may be `routines.twice` or `schedules.twice`');
    expect(await said(() => resolve(['wekly'], inCi))).toContain('Did you mean `schedules.weekly`?');
    for (const whole of ['schedules.weekly', 'schedules.week*', 'kind:schedule'])
      expect(resolve([whole], inCi).addresses.size).toBeGreaterThan(0);
  });

  test('a key is refused where a file has errors, since that file may declare it as well', async () => {
    expect(await said(() => resolve(['weekly'], among({ hasErrors: true })))).toContain('invalid-workspace: ');
    expect(resolve(['schedules.weekly'], among({ hasErrors: true })).addresses.size).toBe(1);
  });

  test.each([
    ['a loop', 'regions', 'schedules.regions is a loop, and one resource is meant.'],
    ['a pattern', 'schedules.week*', '`schedules.week*` is not an address, and one resource is meant.'],
    ['a label', 'tag:board', '`tag:board` is not an address, and one resource is meant.'],
  ])('where one resource is meant, %s is refused', async (_, word, words) => {
    expect(await said(() => resolveOne(word, among()))).toContain(words);
    expect(resolveOne('weekly', among())).toBe('schedules.weekly');
    expect(resolveOne('regions.emea', among())).toBe('schedules.regions.emea');
  });
});
