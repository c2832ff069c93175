// A new schedule says to whom it goes, and with whose rights: one field among many would pass a review, although its domain
// is known already.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { aiJob, dashboard, schedule } from '../support/plan/planning.ts';
import { dangersOf, found, mail } from '../support/security/dangers.ts';

const someId = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
const known = { 'schedules.known': mail('x@partner.example', 'y@other.example', 'z@acme.com') };
const codesOf = (dangers: ReturnType<typeof dangersOf>) => dangers.map(({ code }) => code);

describe('outside recipients of new schedules', () => {
  const added = (fields: JsonObject) => ({ ...known, 'schedules.new': schedule(fields) });

  test.each<[string, JsonObject, readonly string[]]>([
    ['are named although their domain is known', { recipients: ['b@partner.example'] }, ['b@partner.example']],
    ['are named without those inside', { recipients: ['b@partner.example', 'c@acme.com'] }, ['b@partner.example']],
    ['are no danger where all are inside', { recipients: ['c@acme.com', 'd@acme.com'] }, []],
    [
      'are named where the schedule only runs once',
      { recipients: ['b@partner.example'], testNow: true },
      ['b@partner.example'],
    ],
    [
      'are named where a field under extra addresses them',
      { recipients: ['c@acme.com'], extra: { cc: 'b@partner.example' } },
      ['b@partner.example'],
    ],
  ])('%s', (_, fields, named) => {
    const dangers = dangersOf(added(fields), known);
    expect(found(dangers)).toEqual(named.map((recipient) => `outside-recipient: ${recipient}`));
    for (const { title } of dangers) {
      expect(title).toBe('1 outside recipient gets new schedules');
      expect(title).not.toContain('first time');
    }
  });

  test('are named besides their domain where that is new', () => {
    const dangers = dangersOf(added({ recipients: ['eve@evil.example'] }), known);
    expect(found(dangers)).toEqual(['outside-domain: evil.example', 'outside-recipient: eve@evil.example']);
  });

  test('are one line where many schedules go to the same one', () => {
    const many = Object.fromEntries([1, 2, 3].map((n) => [`schedules.n-${n}`, mail('b@partner.example')]));
    const [danger] = dangersOf({ ...known, ...many }, known);
    expect(danger?.items).toEqual([{ subject: 'b@partner.example', detail: '`schedules.n-1` and 2 others' }]);
  });

  test('are not those of an adopted schedule, which delivers to them already', () => {
    const entries = { adopt: [['schedules.new', 'an-id']] } as const;
    expect(found(dangersOf(added({ recipients: ['b@partner.example'] }), known, { entries }))).toEqual([]);
  });

  test('are not those of an update, which names whom it adds', () => {
    const before = { ...known, 'schedules.new': mail('b@partner.example') };
    expect(found(dangersOf(added({ recipients: ['c@other.example'] }), before))).toEqual([
      'recipient-added: c@other.example',
      'recipient-removed: b@partner.example',
    ]);
  });
});

describe('without safety.internalDomains', () => {
  const domains: readonly string[] = [];
  const way = 'list your own domains under safety.internalDomains in almanac.yaml';

  test('known domains of new schedules are one line with their number and the way to name one’s own', () => {
    const many = Object.fromEntries(
      [1, 2, 3].map((n) => [`schedules.n-${n}`, mail(`${n}@partner.example`, `${n}@acme.com`)]),
    );
    const [danger, ...others] = dangersOf({ ...known, ...many }, known, { domains });
    expect(others).toEqual([]);
    expect(danger).toEqual({
      code: 'outside-recipient',
      gravity: 'caution',
      title: `Recipients at 2 known domains get new schedules. To see who is outside, ${way}`,
      items: [],
    });
  });

  test('a domain that receives something for the first time is named as loudly, and not called outside', () => {
    const dangers = dangersOf({ ...known, 'schedules.new': mail('eve@evil.example') }, known, { domains });
    expect(dangers).toEqual([
      {
        code: 'outside-domain',
        gravity: 'grave',
        title: `1 domain receives something for the first time. To see what is outside, ${way}`,
        items: [{ subject: 'evil.example', detail: '`schedules.new`' }],
      },
    ]);
  });

  test('a plan that creates nothing says nothing of domains that are known', () => {
    const renamed = { ...known, 'schedules.known': { ...known['schedules.known'], name: 'Renamed' } };
    expect(dangersOf(renamed, known, { domains })).toEqual([]);
  });
});

describe('the user whose rights are used', () => {
  test.each<[string, string, JsonObject, string]>([
    ['a new schedule', 'schedules.new', schedule({ recipients: [], userId: someId }), 'schedules'],
    ['a test delivery', 'schedules.new', schedule({ recipients: [], userId: someId, testNow: true }), 'schedules'],
    ['a new AI job', 'aiJobs.new', aiJob({ userId: someId }), 'AI jobs'],
  ])('is named for %s', (_, address, attributes, what) => {
    const [danger, ...others] = dangersOf({ [address]: attributes }, {});
    expect(others).toEqual([]);
    expect(danger).toEqual({
      code: 'new-owner',
      gravity: 'caution',
      title: `1 owner gets ${what}, which then run with their rights`,
      items: [{ subject: someId, detail: `\`${address}\`` }],
    });
  });

  test('is named once for schedules and AI jobs', () => {
    const [danger] = dangersOf(
      { 'schedules.new': schedule({ recipients: [], userId: someId }), 'aiJobs.new': aiJob({ userId: someId }) },
      {},
    );
    expect(danger?.title).toBe('1 owner gets schedules and AI jobs, which then run with their rights');
  });

  test('is not named where an AI job runs again for the same user', () => {
    const before = { 'aiJobs.q': aiJob({ userId: someId }) };
    expect(codesOf(dangersOf({ 'aiJobs.q': aiJob({ userId: someId, prompt: 'More.' }) }, before))).toEqual([]);
  });

  test('is not named for a dashboard, whose filters are everybody’s', () => {
    expect(codesOf(dangersOf({ 'dashboards.d': dashboard({ userId: someId }) }, {}))).toEqual([]);
  });

  test('is not named for an adoption, which sends nothing', () => {
    const entries = { adopt: [['schedules.new', 'an-id']] } as const;
    const attributes = schedule({ recipients: [], userId: someId });
    expect(codesOf(dangersOf({ 'schedules.new': attributes }, {}, { entries }))).toEqual([]);
  });
});
