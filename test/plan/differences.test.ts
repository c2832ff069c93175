// What counts as a difference between two declarations, and how a plan shows it.

import { describe, expect, it } from 'vitest';
import type { FieldDiff } from '../../src/model/plan/plan.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { aiJob, dashboard, declare, plan, schedule, secret, slack, stateOf } from '../support/plan/planning.ts';

function diffOf(before: JsonObject, after: JsonObject, address = 'schedules.s'): readonly FieldDiff[] {
  return plan(declare({ [address]: after }), stateOf({ [address]: before })).changes[0]?.diff ?? [];
}

/** `~ /name: "a" -> "b"`. */
function lines(diffs: readonly FieldDiff[]): readonly string[] {
  const signs = { add: '+', remove: '-', change: '~' };
  const shown = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));
  return diffs.map(({ path, op, before, after, sensitive }) => {
    const arrow = op === 'change' && !sensitive ? ' -> ' : '';
    return `${signs[op]} ${path}: ${sensitive ? '(sensitive)' : ''}${shown(before)}${arrow}${shown(after)}`;
  });
}

describe('declarations that mean the same', () => {
  const png = schedule({ format: 'png' });
  const csv = schedule({ format: 'csv' });
  it.each<[string, JsonObject, JsonObject]>([
    [
      'a default written out',
      png,
      { ...png, killJobsOnFailure: false, hideTitle: false, showFilters: true, fanOut: false },
    ],
    [
      'a default of csv written out',
      csv,
      { ...csv, enableFormatting: false, overrideRowLimit: false, showContentLink: true },
    ],
    ['recipients in another order', schedule(), schedule({ recipients: ['bo@example.com', 'ana@example.com'] })],
    ['slack users as a text and as a list', slack('U1,U2'), slack(['U2', 'U1'])],
    ['slack users with blanks and a comma too many', slack('U1, U2 ,'), slack('U2,U1')],
    [
      'one slack channel as a text and as a list',
      slack('C1', { slackRecipientType: 'channel' }),
      slack(['C1'], { slackRecipientType: 'channel' }),
    ],
    ['cron with names and without', schedule(), schedule({ schedule: '0 9 ? * 2 *' })],
    ['cron with leading zeros', schedule(), schedule({ schedule: '00 09 ? * mon *' })],
    [
      'cron for every day in both day fields',
      schedule({ schedule: '0 9 * * ? *' }),
      schedule({ schedule: '0 9 ? * 1-7 *' }),
    ],
    ['a zone and its alias', schedule({ timezone: 'America/New_York' }), schedule({ timezone: 'US/Eastern' })],
    ['a zone that was renamed', schedule({ timezone: 'Asia/Kolkata' }), schedule({ timezone: 'Asia/Calcutta' })],
    [
      'keys of a map in another order',
      schedule({ filterConfig: { a: { x: 1, y: 2 }, b: {} } }),
      schedule({ filterConfig: { b: {}, a: { y: 2, x: 1 } } }),
    ],
    ['no lifecycle and an empty one', schedule(), schedule({ lifecycle: {} })],
    [
      'no lifecycle and its defaults',
      schedule(),
      schedule({ lifecycle: { preventDestroy: false, ignoreChanges: [] } }),
    ],
    [
      'fields to ignore in another order',
      schedule({ lifecycle: { ignoreChanges: ['name', 'subject'] } }),
      schedule({ lifecycle: { ignoreChanges: ['subject', 'name'] } }),
    ],
  ])('declarations that mean the same have no difference: %s', (_, one, other) => {
    expect(lines(diffOf(one, other))).toEqual([]);
    expect(lines(diffOf(other, one))).toEqual([]);
  });
});

describe('declarations that differ', () => {
  it('a default that no longer applies is shown as a difference of the field itself', () => {
    const { format: _, ...rest } = schedule();
    expect(lines(diffOf({ ...rest, format: 'pdf' }, { ...rest, format: 'link_only' }))).toEqual([
      '~ /format: "pdf" -> "link_only"',
    ]);
  });

  it('a difference shows values as they were written', () => {
    const before = schedule({ schedule: '00 09 ? * mon *', timezone: 'US/Eastern' });
    const after = schedule({ schedule: '0 9 ? * TUE *', timezone: 'Europe/London' });
    expect(lines(diffOf(before, after))).toEqual([
      '~ /schedule: "00 09 ? * mon *" -> "0 9 ? * TUE *"',
      '~ /timezone: "US/Eastern" -> "Europe/London"',
    ]);
  });

  it('a difference lists fields in the order of the table, whatever the order of the file', () => {
    const before = schedule({ subject: 'A', textBody: 'a', killJobsOnFailure: true });
    const { subject, textBody, killJobsOnFailure, ...rest } = schedule({
      subject: 'B',
      textBody: 'b',
      killJobsOnFailure: false,
    });
    const after = { killJobsOnFailure, textBody, ...rest, subject } as JsonObject;
    expect(diffOf(before, after).map(({ path }) => path)).toEqual(['/subject', '/textBody', '/killJobsOnFailure']);
  });

  it('sets differ by their elements', () => {
    expect(lines(diffOf(schedule(), schedule({ recipients: ['cy@example.com', 'ana@example.com'] })))).toEqual([
      '- /recipients/1: "bo@example.com"',
      '+ /recipients/1: "cy@example.com"',
    ]);
    expect(lines(diffOf(slack('U1,U2'), slack(['U2', 'U3'])))).toEqual([
      '- /recipients/0: "U1"',
      '+ /recipients/1: "U3"',
    ]);
  });

  it('lists differ by their elements, and their order matters', () => {
    const before = dashboard({ filterOrder: ['a', 'b', 'c'] });
    expect(lines(diffOf(before, dashboard({ filterOrder: ['a', 'x', 'c'] }), 'dashboards.d'))).toEqual([
      '- /filterOrder/1: "b"',
      '+ /filterOrder/1: "x"',
    ]);
    expect(diffOf(before, dashboard({ filterOrder: ['b', 'a', 'c'] }), 'dashboards.d')).not.toEqual([]);
  });

  it('nested maps differ entry by entry', () => {
    const before = schedule({ filterConfig: { region: { values: ['EU'], kind: 'EQUALS' }, gone: { values: [] } } });
    const after = schedule({
      filterConfig: { region: { values: ['EU', 'US'], kind: 'EQUALS' }, 'a/b~c': { values: ['x'] } },
    });
    expect(lines(diffOf(before, after))).toEqual([
      '+ /filterConfig/a~1b~0c: {"values":["x"]}',
      '- /filterConfig/gone: {"values":[]}',
      '+ /filterConfig/region/values/1: "US"',
    ]);
  });

  it('texts of several lines differ as a whole, so that a report can show them line by line', () => {
    const [before, after] = ['Hello\nall\n', 'Hello\neveryone\n'];
    expect(diffOf(schedule({ textBody: before }), schedule({ textBody: after }))).toEqual([
      { path: '/textBody', op: 'change', before, after, sensitive: false },
    ]);
  });

  it('a difference shows an added field and a removed field', () => {
    expect(lines(diffOf(schedule({ textBody: 'x' }), schedule({ hideTitle: true })))).toEqual([
      '- /textBody: "x"',
      '+ /hideTitle: true',
    ]);
  });

  it('a difference shows a default that is overridden or restored', () => {
    expect(lines(diffOf(schedule({ showFilters: true }), schedule({ showFilters: false })))).toEqual([
      '+ /showFilters: false',
    ]);
    expect(lines(diffOf(schedule({ showFilters: false }), schedule()))).toEqual(['- /showFilters: false']);
  });

  it('a very long list differs as a whole', () => {
    const many = (name: string) => Array.from({ length: 3000 }, (_, index) => `${name}${index}@example.com`);
    const diff = diffOf(schedule({ recipients: many('a') }), schedule({ recipients: many('b') }));
    expect(diff).toHaveLength(1);
    expect(diff[0]).toMatchObject({ path: '/recipients', op: 'change' });
  });

  it('a difference shows a key called __proto__', () => {
    const hostile = (value: string) => JSON.parse(`{"__proto__": {"values": ["${value}"]}}`) as JsonObject;
    const diff = diffOf(schedule({ filterConfig: hostile('a') }), schedule({ filterConfig: hostile('b') }));
    expect(lines(diff)).toEqual(['- /filterConfig/__proto__/values/0: "a"', '+ /filterConfig/__proto__/values/0: "b"']);
  });
});

describe('a create', () => {
  it('a create shows the values that it sets, with the options of the request and without defaults', () => {
    const attributes = schedule({
      userId: '987fcdeb-51a2-43d7-9b56-254415f67890',
      hideTitle: false,
      paperFormat: 'a4',
    });
    const [change] = plan(declare({ 'schedules.s': attributes }), undefined).changes;
    expect(change?.diff.map(({ path }) => path)).toEqual([
      '/identifier',
      '/name',
      '/schedule',
      '/timezone',
      '/format',
      '/destinationType',
      '/recipients',
      '/subject',
      '/paperFormat',
      '/userId',
    ]);
    expect(change?.after).toEqual(attributes);
  });
});

describe('secrets', () => {
  const sftp = (password: string | null | undefined, fields: JsonObject = {}) => {
    const { recipients: _, subject: __, ...rest } = schedule();
    const login = { destinationType: 'sftp', address: 'sftp.example.com', port: 22, username: 'u', path: '/in' };
    return {
      ...rest,
      ...login,
      ...(password === undefined ? {} : { passwordUnencrypted: secret(password) }),
      ...fields,
    };
  };

  it('a secret that is the same, or unknown, is not a difference', () => {
    expect(diffOf(sftp('one'), sftp('one'))).toEqual([]);
    expect(diffOf(sftp('one'), sftp(null))).toEqual([]);
  });

  it('a changed, added or removed secret is shown without its value', () => {
    expect(lines(diffOf(sftp('one'), sftp('two')))).toEqual(['~ /passwordUnencrypted: (sensitive)']);
    expect(lines(diffOf(sftp(undefined), sftp('two')))).toEqual(['+ /passwordUnencrypted: (sensitive)']);
    expect(lines(diffOf(sftp(undefined), sftp(null)))).toEqual(['+ /passwordUnencrypted: (sensitive)']);
    expect(lines(diffOf(sftp('one'), sftp(undefined)))).toEqual(['- /passwordUnencrypted: (sensitive)']);
  });

  it('a difference shows a secret that replaces plain text, and plain text that replaces a secret', () => {
    const hook = (url: JsonObject[string]) => ({ ...sftp(undefined), destinationType: 'webhook', url });
    expect(lines(diffOf(hook('https://a.example.com'), hook(secret('one'))))).toEqual(['~ /url: (sensitive)']);
    expect(lines(diffOf(hook(secret('one')), hook('https://a.example.com')))).toEqual(['~ /url: (sensitive)']);
  });

  it('a difference shows secrets inside lists and maps without their values', () => {
    const job = (fingerprint: string | null) =>
      aiJob({ webhookMetadata: { key: secret(fingerprint), list: [1, secret(fingerprint)], team: 'data' } });
    expect(diffOf(job('one'), job(null), 'aiJobs.j')).toEqual([]);
    expect(lines(diffOf(job('one'), job('two'), 'aiJobs.j'))).toEqual([
      '~ /webhookMetadata/key: (sensitive)',
      '- /webhookMetadata/list/1: (sensitive)',
      '+ /webhookMetadata/list/1: (sensitive)',
    ]);
    const [created] = plan(declare({ 'aiJobs.j': job('one') }), undefined).changes;
    expect(lines(created?.diff ?? []).slice(2)).toEqual([
      '+ /webhookMetadata/key: (sensitive)',
      '+ /webhookMetadata/list/0: 1',
      '+ /webhookMetadata/list/1: (sensitive)',
      '+ /webhookMetadata/team: "data"',
    ]);
  });

  it('a set with an unknown secret counts as unchanged', () => {
    const to = (...fingerprints: readonly (string | null)[]) =>
      schedule({ recipients: ['ana@example.com', ...fingerprints.map(secret)] });
    expect(lines(diffOf(to('m', 'n'), to('m', null)))).toEqual([]);
    expect(lines(diffOf(to('m', 'n'), to(null, 'n')))).toEqual([]);
    expect(lines(diffOf(to('m', 'n'), to(null, null)))).toEqual([]);
    expect(lines(diffOf(to('m', 'n'), to('m', 'o')))).not.toEqual([]);
    expect(lines(diffOf(to('m'), to('m', null)))).toEqual(['+ /recipients/2: (sensitive)']);
  });

  it('secrets in a set are shown at the same places, whatever their values', () => {
    const to = (...fingerprints: readonly (string | null)[]) =>
      schedule({ recipients: [...fingerprints.map(secret), 'ana@example.com', 'bo@example.com'] });
    const added = ['+ /recipients/4: (sensitive)'];
    for (const fingerprint of ['a', 'n', 'z', null])
      expect(lines(diffOf(to('m', 'o'), to('m', 'o', fingerprint)))).toEqual(added);
    for (const fingerprint of ['a', 'n', 'z'])
      expect(lines(diffOf(to('m', 'o', fingerprint), to('o', 'm')))).toEqual(['- /recipients/4: (sensitive)']);
  });

  it('a change contains no secret', () => {
    const { changes } = plan(
      declare({ 'schedules.s': sftp('f1ngerprint-2', { name: 'x' }) }),
      stateOf({ 'schedules.s': sftp('f1ngerprint-1') }),
    );
    expect(changes).toHaveLength(1);
    expect(JSON.stringify(changes)).not.toContain('f1ngerprint');
    expect(changes[0]?.after).toMatchObject({ passwordUnencrypted: '(sensitive)' });
    const [unknown] = plan(declare({ 'schedules.s': sftp(null) }), undefined).changes;
    expect(unknown?.after).toMatchObject({ passwordUnencrypted: '(known at apply)' });
  });
});
