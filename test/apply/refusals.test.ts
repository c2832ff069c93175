// What refuses an apply before its first request, and what does not.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import type { Failure } from '../../src/model/workspace/failure.ts';
import { schedule, stateOf } from '../support/apply/declared.ts';
import { apiWith, core, outcomesOf, stage } from '../support/apply/stage.ts';
import { failureOf } from '../support/failure-of.ts';

const dashboard = (identifier: string): JsonObject => ({ identifier, filters: { status: { values: ['x'] } } });
const tracked = (name = 'S', fields: JsonObject = {}) =>
  stateOf({ 'schedules.s': { id: 'x', attributes: schedule(name, fields) } });
const staged = (declared: Record<string, unknown>, rest: Parameters<typeof stage>[1] = {}) =>
  stage(declared, { almanac: core, ...rest });

describe('before the first request is refused', () => {
  const hooked = (...variables: readonly string[]) =>
    schedule('S', { url: `https://hooks.example.com/${variables.map((name) => `\${env.${name}}`).join('')}` });
  const other = 'https://other.omniapp.co/api';
  const ten = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `schedules.s${index}`,
      {
        id: `id of ${index}`,
        attributes: schedule(`S${index}`, index === 0 ? { lifecycle: { preventDestroy: true } } : {}),
      },
    ]),
  );
  const one = { schedules: { s: schedule('S') } };
  const refresh = { depth: 'list', only: false } as const;
  const saying = (...words: readonly string[]) => new RegExp(words.join('[\\s\\S]*'));

  it.each<[string, Parameters<typeof staged>, Record<string, string>, object, Failure['code'], RegExp]>([
    [
      'missing secrets',
      [{ schedules: { s: hooked('HOOK', 'OTHER') } }],
      { OTHER: 'x' },
      {},
      'missing-secret',
      /HOOK(?![\s\S]*OTHER)[\s\S]*missing-variable/,
    ],
    [
      'a missing secret of a target that is named by its previous address',
      [
        { schedules: { t: hooked('HOOK') }, moved: [{ from: 'schedules.s', to: 'schedules.t' }] },
        { state: tracked('S', { url: 'https://hooks.example.com/' }) },
      ],
      {},
      { targets: ['schedules.s'], allow: { orphans: true } },
      'missing-secret',
      /HOOK/,
    ],
    ['a token of spaces', [one], { OMNI_API_TOKEN: '  ' }, {}, 'missing-token', /OMNI_API_TOKEN and OMNI_API_KEY/],
    [
      'a missing token, by the configured variable',
      [one, { almanac: apiWith({ tokenEnv: 'OMNI_PROD_TOKEN' }) }],
      {},
      {},
      'missing-token',
      /OMNI_PROD_TOKEN/,
    ],
    ['a missing base URL', [one, { almanac: {} }], {}, {}, 'missing-base-url', /OMNI_BASE_URL/],
    [
      'a state of another base URL',
      [one, { state: stateOf({}, { baseUrl: other }) }],
      {},
      {},
      'state-conflict',
      saying(other),
    ],
    [
      'orphans, too many deletions and protected resources, in one',
      [{ schedules: { s9: schedule('S9') } }, { state: stateOf(ten) }],
      {},
      {},
      'blocked',
      saying(
        'schedules.s0 is blocked',
        '9 schedules would keep running',
        '9 of 10 tracked',
        '--allow orphans',
        '--force',
      ),
    ],
    [
      'a digest that is not the expected one',
      [one],
      {},
      { expect: 'f'.repeat(64) },
      'plan-stale',
      saying('f'.repeat(64)),
    ],
    [
      'nothing declared where the state tracks resources',
      [{}, { state: stateOf({ 'dashboards.d': { attributes: dashboard('d') } }) }],
      {},
      {},
      'invalid-workspace',
      /nothing-declared/,
    ],
    [
      'a target that nothing knows, although a refresh was asked for',
      [one, { state: tracked(), almanac: apiWith() }],
      {},
      { refresh, targets: ['schedules.nope'] },
      'usage',
      /`schedules.nope` matches nothing/,
    ],
    [
      'a replacement that cannot be made, although a refresh was asked for',
      [
        { ...one, dashboards: { d: dashboard('12db1a0a') } },
        { state: tracked(), almanac: apiWith() },
      ],
      {},
      { refresh, replace: ['dashboards.d'] },
      'usage',
      /--replace accepts only schedules or routines; dashboards\.d is a dashboard\./,
    ],
  ])('an apply is refused before the first request for %s', async (_, open, environment, options, code, words) => {
    const made = staged(...open);
    Object.assign(made.environment, environment);
    if (open[1]?.almanac !== undefined && code === 'missing-token') made.environment = {};
    const before = structuredClone(made.store.stored);
    const failure = await failureOf(made.apply(options));
    expect(failure.code).toBe(code);
    expect(JSON.stringify([failure.message, failure.hint, failure.findings])).toMatch(words);
    expect(made.connections).toEqual([]);
    expect(made.asked).toEqual([]);
    expect(made.store.stored).toEqual(before);
    expect(made.store.log.at(-1)).toBe('release');
  });

  it.each<[string, Parameters<typeof staged>, object]>([
    [
      'for a missing secret of a resource that is not a target',
      [{ schedules: { s: hooked('HOOK'), t: schedule('T') } }],
      { targets: ['schedules.t'] },
    ],
    [
      'for nothing declared with --allow empty',
      [{}, { state: stateOf({ 'dashboards.d': { attributes: dashboard('d') } }) }],
      { allow: { empty: true } },
    ],
  ])('an apply is not refused %s', async (_, open, options) => {
    expect(Object.values(outcomesOf(await staged(...open).apply(options)))).toEqual(['applied']);
  });
});
