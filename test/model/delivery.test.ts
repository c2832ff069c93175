// The one view of what a resource delivers reads every field. Each field of the tables of fields is tried: one that the
// view does not read where it should would be missed by every reader.

import { describe, expect, test } from 'vitest';
import { type Delivery, deliveryOf, idleOf, sinkFields } from '../../src/model/fields/delivery.ts';
import { fieldApplies, fieldsInside, fieldsOf } from '../../src/model/fields/fields.ts';
import { plainNames, shownNames } from '../../src/model/fields/receiver.ts';
import { groupsIn, type RecordedGroup } from '../../src/model/plan/user-groups.ts';
import type { Kind } from '../../src/model/values/address.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { pointerSegments, pointerTo, valueAt } from '../../src/model/values/pointer.ts';
import { maskSealed, Secret, sealedSecret, sensitive } from '../../src/model/values/secret.ts';
import { aiJob, bucket, dashboard, hook, mail, routine, sftp, slack } from '../support/vocabulary.ts';

const parts = [
  'way',
  'to',
  'inExtra',
  'shows',
  'rows',
  'alert',
  'asWhom',
  'isFannedOut',
  'when',
  'paused',
  'secrets',
] as const;
type Part = (typeof parts)[number];

/** Another value, and the parts of the view that it changes. */
type Probe = readonly [value: Json, ...says: readonly Part[]];

const uuid = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
const ofEveryKind: Readonly<Record<string, Probe>> = {
  in: [['production']],
  lifecycle: [{ preventDestroy: true }],
  accept: [{ 'filter-empty': 'Looked at.' }],
  meta: [{ owner: '@acme/finance' }],
  extra: [{ cc: ['eve@evil.example'] }, 'inExtra'],
};

/** By kind, all of its fields: what is inside of one of several records stands behind a point. */
const probes: Readonly<Record<Kind, Readonly<Record<string, Probe>>>> = {
  dashboard: {
    identifier: ['ffff0000', 'shows'],
    filters: [{ region: { values: ['Asia'] } }, 'rows'],
    // Nobody knows which rows a control lets through.
    controls: [{ by: { label: 'By' } }],
    filterOrder: [['region']],
    clearExistingDraft: [true],
    // Nothing runs.
    userId: [uuid],
    ...ofEveryKind,
  },
  schedule: {
    identifier: ['ffff0000', 'shows'],
    name: ['Other'],
    schedule: ['0 8 * * ? *', 'when'],
    timezone: ['Asia/Tokyo', 'when'],
    format: ['xlsx', 'shows'],
    destinationType: ['other', 'way', 'to', 'secrets'],
    url: ['https://evil.example/${env.HOOK}', 'to', 'secrets'],
    recipients: [['eve@evil.example'], 'to'],
    userGroups: [['Board'], 'to'],
    subject: ['Other'],
    textBody: ['Other'],
    fanOut: [true, 'isFannedOut', 'shows'],
    slackRecipientType: ['users', 'to'],
    address: ['sftp://evil.example/in', 'to', 'secrets'],
    port: [2222],
    username: ['${env.SFTP_USER}', 'secrets', 'to'],
    path: ['/other', 'to'],
    passwordUnencrypted: [sensitive, 'secrets'],
    bucketName: ['evil', 'to'],
    region: ['us-east-1'],
    roleArn: ['arn:aws:iam::999999999999:role/omni', 'to'],
    keyPrefix: ['other/', 'to'],
    filename: ['other/{{entityName}}', 'to'],
    filterConfig: [{ region: { values: ['Asia'] } }, 'rows'],
    timezoneOverride: ['Asia/Tokyo', 'shows'],
    queryIdentifierMapKey: ['Jmn2r3KV', 'shows'],
    conditionType: ['RESULTS_PRESENT', 'alert'],
    conditionQueryMapKey: ['Jmn2r3KV', 'alert'],
    showContentLink: [false],
    showFilters: [false, 'shows'],
    hideTitle: [true],
    hideHiddenFields: [true, 'shows'],
    enableFormatting: [true, 'shows'],
    overrideRowLimit: [true, 'shows'],
    maxRowLimit: [10, 'shows'],
    expandTablesToShowAllRows: [true, 'shows'],
    singleColumnLayout: [true],
    paperFormat: ['a4'],
    paperOrientation: ['portrait'],
    killJobsOnFailure: [true],
    testNow: [true, 'when'],
    userId: [uuid, 'asWhom'],
    owner: ['eve@evil.example', 'asWhom'],
    paused: [true, 'paused'],
    ...ofEveryKind,
  },
  routine: {
    modelId: [uuid, 'shows'],
    branchId: [uuid, 'shows'],
    topicName: ['orders', 'shows'],
    name: ['Other'],
    description: ['Other'],
    prompt: ['Other.', 'shows'],
    schedule: ['0 8 * * ? *', 'when'],
    timezone: ['Asia/Tokyo', 'when'],
    'destination.type': ['other', 'way', 'to'],
    'destination.recipientEmails': [['eve@evil.example'], 'to'],
    'destination.userGroupIds': [[uuid], 'to'],
    'destination.recipientId': ['C9', 'to'],
    'destination.slackRecipientType': ['users', 'to'],
    userId: [uuid, 'asWhom'],
    owner: ['eve@evil.example', 'asWhom'],
    ...ofEveryKind,
  },
  aiJob: {
    modelId: [uuid, 'shows'],
    prompt: ['Other.', 'shows'],
    conversationId: [uuid, 'shows'],
    branchId: [uuid, 'shows'],
    topicName: ['orders', 'shows'],
    progressWebhookEnabled: [true],
    webhookUrl: ['https://evil.example/${env.HOOK}', 'way', 'to', 'secrets'],
    webhookSigningSecret: [sensitive, 'secrets'],
    webhookMetadata: [{ team: 'data' }],
    userId: [uuid, 'asWhom'],
    ...ofEveryKind,
  },
};

const toSlack = { type: 'slack', recipientId: 'C0123456789', slackRecipientType: 'channel' };
const bases: readonly (readonly [name: string, Kind, JsonObject])[] = [
  ['a dashboard', 'dashboard', dashboard()],
  ['a schedule by e-mail', 'schedule', mail()],
  ['a schedule to Slack', 'schedule', slack()],
  ['a schedule to a webhook', 'schedule', hook()],
  ['a schedule to an SFTP server', 'schedule', sftp()],
  ['a schedule to S3', 'schedule', bucket()],
  ['a routine by e-mail', 'routine', routine()],
  ['a routine to Slack', 'routine', routine({ destination: toSlack })],
  ['an AI job', 'aiJob', aiJob()],
  ['an AI job with a webhook', 'aiJob', aiJob({ webhookUrl: 'https://hooks.acme.com/in' })],
];

function plain(kind: Kind, attributes: JsonObject): Readonly<Record<Part, string>> {
  const view = deliveryOf(kind, attributes);
  const text = (value: unknown) => JSON.stringify(value instanceof Map ? [...value] : value) ?? '';
  return Object.fromEntries(parts.map((part) => [part, text(view[part])])) as Record<Part, string>;
}

function fieldNames(kind: Kind): readonly string[] {
  return Object.entries(fieldsOf[kind]).flatMap(([name, { shape }]) =>
    shape.type === 'oneOf' ? Object.keys(fieldsInside(shape) ?? {}).map((inside) => `${name}.${inside}`) : name,
  );
}

/** Undefined where the field does not apply. */
function withProbe(kind: Kind, base: JsonObject, name: string, value: Json): JsonObject | undefined {
  const [field = '', inside] = name.split('.');
  if (inside === undefined)
    return field === 'destinationType' || fieldApplies(fieldsOf[kind][field] as never, base)
      ? { ...base, [field]: value }
      : undefined;
  return { ...base, [field]: { ...(base[field] as JsonObject), [inside]: value } };
}

describe('each field says in the view of a kind what it means, and nothing else', () => {
  test.each(Object.entries(probes) as [Kind, Readonly<Record<string, Probe>>][])(
    'all fields of %s are tried',
    (kind, tried) => {
      expect(
        Object.keys(tried).sort(),
        'The probes above are not the fields of the table. A probe says which parts of the view its field changes.',
      ).toEqual([...fieldNames(kind)].sort());
    },
  );

  const cases = Object.entries(probes).flatMap(([kind, tried]) =>
    Object.entries(tried).map(([name, probe]) => [kind as Kind, name, probe] as const),
  );
  test.each(cases)('%s.%s', (kind, name, [value, ...says]) => {
    const changed = bases.map(([, of, base]) => {
      const other = of === kind ? withProbe(kind, base, name, value) : undefined;
      if (other === undefined) return [];
      const [was, is] = [plain(kind, base), plain(kind, other)];
      return parts.filter((part) => was[part] !== is[part]);
    });
    expect([...new Set(changed.flat())].sort()).toEqual([...says].sort());
  });

  /** By part of the view, what the table of fields says that its fields decide. A secret decides nothing by itself. */
  const decided: Readonly<Record<Part, readonly string[]>> = {
    ...{ way: ['who'], to: ['who', 'file'], inExtra: ['who'], secrets: ['who', 'nothing'] },
    ...{
      shows: ['rows', 'columns', 'file', 'rights'],
      rows: ['rows'],
      alert: ['when'],
      when: ['when'],
      paused: ['when'],
    },
    ...{ asWhom: ['rights'], isFannedOut: ['rights'] },
  };
  const inTable = ([kind, name]: (typeof cases)[number]) => fieldsOf[kind][name.split('.')[0] ?? '']?.decides ?? '';

  test('what a field says in the view is what it decides by the table of fields', () => {
    const others = cases.filter((each) =>
      each[2].slice(1).some((part) => !decided[part as Part].includes(inTable(each))),
    );
    expect(others.map(([kind, name]) => `${kind}.${name}`)).toEqual([]);
  });

  test('the view misses what few fields decide, and these may only become fewer', () => {
    const weighty = cases.filter((each) => ['when', 'who', 'rows', 'columns', 'rights'].includes(inTable(each)));
    expect(weighty.filter(([, , probe]) => probe.length === 1).map(([kind, name]) => `${kind}.${name}`)).toEqual([
      'dashboard.controls',
      ...['schedule.port', 'schedule.region', 'schedule.killJobsOnFailure'],
      'aiJob.progressWebhookEnabled',
    ]);
  });
});

/** `email ana@example.com /recipients/0`. */
const brief = ({ to }: Pick<Delivery, 'to'>) => to.map(({ kind, shown, at }) => `${kind} ${shown} ${at}`);

describe('the receivers of each destination', () => {
  test.each<[string, Kind, JsonObject, readonly string[]]>([
    ['nobody', 'dashboard', dashboard(), []],
    [
      'people and groups',
      'schedule',
      mail({ recipients: ['Ana@x.example', 'bo@x.example'], userGroups: ['Sales, EMEA'] }),
      ['email Ana@x.example /recipients/0', 'email bo@x.example /recipients/1', 'group Sales, EMEA /userGroups/0'],
    ],
    [
      'people in one text',
      'schedule',
      mail({ recipients: 'ana@x.example, bo@x.example' }),
      ['email ana@x.example /recipients', 'email bo@x.example /recipients'],
    ],
    [
      'people in Slack',
      'schedule',
      slack({ slackRecipientType: 'users', recipients: ['U1, U2', 'U3'] }),
      ['slack U1 /recipients/0', 'slack U2 /recipients/0', 'slack U3 /recipients/1'],
    ],
    ['a host', 'schedule', hook({ url: 'https://Hooks.Example.com:8443/in?a=1' }), ['webhook hooks.example.com /url']],
    ['a server', 'schedule', sftp({ address: 'sftp://SFTP.example.com/in' }), ['sftp sftp.example.com /address']],
    [
      'a server whose address cannot be read',
      'schedule',
      sftp({ address: 'me@sftp.example.com:22' }),
      ['sftp me@sftp.example.com:22 /address'],
    ],
    ['a bucket', 'schedule', bucket(), ['s3 reports /bucketName']],
    [
      'people of a routine',
      'routine',
      routine({ destination: { type: 'email', recipientEmails: ['ana@x.example'], userGroupIds: [uuid] } }),
      ['email ana@x.example /destination/recipientEmails/0', `group ${uuid} /destination/userGroupIds/0`],
    ],
    [
      'a channel of a routine',
      'routine',
      routine({ destination: toSlack }),
      ['slack C0123456789 /destination/recipientId'],
    ],
    [
      'the host of a job',
      'aiJob',
      aiJob({ webhookUrl: 'https://hooks.acme.com/in' }),
      ['webhook hooks.acme.com /webhookUrl'],
    ],
    ['nobody where it is not said how', 'schedule', mail({ destinationType: undefined }), []],
    ['nobody where a destination is no map', 'routine', routine({ destination: 'email' }), []],
  ])('%s', (_, kind, attributes, expected) => {
    const view = deliveryOf(kind, attributes);
    expect(brief(view)).toEqual(expected);
    for (const { at } of [...view.to, ...view.rows.values()]) expect(valueAt(attributes, at)).toBeDefined();
  });

  test('hosts and buckets have what stands behind them', () => {
    const of = (attributes: JsonObject) => deliveryOf('schedule', attributes).to[0];
    expect(of(hook({ url: 'https://h.example/a/b?c=1' }))).toMatchObject({ path: '/a/b?c=1' });
    expect(of(sftp({ address: 'sftp://h.example/in', path: '/a.csv' }))).toMatchObject({ path: '/in', file: '/a.csv' });
    expect(of(bucket({ filename: 'a/b' }))).toMatchObject({ path: 'sales/', file: 'a/b', account: '123456789012' });
    expect(plainNames(of(bucket()) as never)).toEqual(['reports', '123456789012']);
  });

  test('a channel is told from people', () => {
    const isPerson = (type: string) => deliveryOf('schedule', slack({ slackRecipientType: type })).to[0]?.isPerson;
    expect([isPerson('users'), isPerson('channel')]).toEqual([true, false]);
  });

  test('what a sink gives are the fields that name people, channels and URLs', () => {
    expect([...sinkFields].sort()).toEqual(
      ['recipients', 'userGroups', 'slackRecipientType', 'url', 'destination', 'webhookUrl'].sort(),
    );
  });
});

describe('the same view of declared, sealed and masked attributes', () => {
  const shown = 'https://hooks.example.com/${env.HOOK}';
  const forms: readonly (readonly [string, (text: string, named: string) => unknown])[] = [
    ['declared', (text, named) => new Secret(text, ['HOOK'], ['k3y'], named)],
    ['sealed', (_, named) => sealedSecret('f1ngerprint', named)],
    ['masked', (_, named) => maskSealed(sealedSecret('f1ngerprint', named) as unknown as Json)],
  ];
  test.each(forms)('a URL is %s', (_, secret) => {
    const { to, secrets } = deliveryOf('schedule', { ...hook(), url: secret('https://hooks.example.com/k3y', shown) });
    expect(to).toMatchObject([{ shown: 'hooks.example.com', path: '/${env.HOOK}' }]);
    expect(secrets).toEqual([{ field: 'url', variables: ['HOOK'], host: 'hooks.example.com' }]);
  });

  test.each<[string, unknown]>([
    ['declared', Secret.unknown()],
    ['literal', Secret.literal('eve@evil.example')],
    ['sealed', sealedSecret('f1ngerprint')],
    ['masked', sensitive],
  ])('of a receiver behind a secret that is %s only its place is known', (_, secret) => {
    const { to } = deliveryOf('schedule', { ...mail(), recipients: ['ana@example.com', secret] });
    expect(to[1]).toEqual({
      kind: 'email',
      shown: sensitive,
      compared: sensitive,
      at: '/recipients/1',
      isHidden: true,
    });
    expect(to.flatMap(shownNames)).toEqual(['ana@example.com']);
  });

  test('a password has a place to go to, and no variable where only its mask is known', () => {
    const { secrets } = deliveryOf('schedule', sftp({ username: 'almanac', passwordUnencrypted: sensitive }));
    expect(secrets).toEqual([{ field: 'passwordUnencrypted', variables: [], host: 'sftp.example.com' }]);
  });

  test('a row of Omni is read as what is declared is', () => {
    const row = {
      id: 'a',
      modelId: 'm',
      paused: false,
      destination: { type: 'email', recipientEmails: ['Ana@x.example'] },
    };
    expect(deliveryOf('routine', row).to).toMatchObject([{ compared: 'ana@x.example' }]);
  });
});

describe('what is compared', () => {
  const board: RecordedGroup = { text: 'Board', id: uuid, people: 12 };
  const groups = (...known: readonly RecordedGroup[]) => groupsIn(() => known);
  const compared = (userGroups: readonly string[], known: readonly RecordedGroup[]) =>
    deliveryOf('schedule', mail({ recipients: [], userGroups }), groups(...known)).to.map((each) => each.compared);

  test('an address is the same in any letters, and a Slack id is not', () => {
    const of = (attributes: JsonObject) => deliveryOf('schedule', attributes).to.map((each) => each.compared);
    expect(of(mail({ recipients: ['Ana@Example.com'] }))).toEqual(['ana@example.com']);
    expect(of(slack({ recipients: 'c012' }))).toEqual(['c012']);
  });

  test.each<[string, readonly string[], readonly RecordedGroup[], readonly string[]]>([
    ['by its name', ['Board'], [board], [uuid]],
    ['by its id in any letters', [uuid.toUpperCase()], [board], [uuid]],
    ['by an id that nobody knows', [uuid.toUpperCase()], [], [uuid]],
    ['by what Omni calls it now', ['Leaders'], [{ ...board, name: 'Leaders' }], [uuid]],
    ['not by a name that two groups have', ['Board'], [board, { ...board, id: 'other' }], ['Board']],
    ['first by what it was declared as', ['Board'], [board, { text: 'Old', name: 'Board', id: 'other' }], [uuid]],
  ])('a group is known %s', (_, names, known, expected) => {
    expect(compared(names, known)).toEqual(expected);
  });

  test('a group is shown with the people that were counted', () => {
    const { to } = deliveryOf('schedule', mail({ recipients: [], userGroups: ['Board', 'Sales'] }), groups(board));
    expect(to.flatMap(shownNames)).toEqual(['Board (a group of 12 people)', 'Sales (a group)']);
    expect(to.flatMap(plainNames)).toEqual(['Board', 'Sales']);
  });

  test.each([
    ['before', (uncounted: RecordedGroup) => [board, uncounted]],
    ['after', (uncounted: RecordedGroup) => [uncounted, board]],
  ])('of two records of a group, the one whose people were counted says more, %s the other', (_, both) => {
    const known = groups(...both({ text: 'Board', id: uuid }));
    const { to } = deliveryOf('schedule', mail({ recipients: [], userGroups: ['Board'] }), known);
    expect(to.flatMap(shownNames)).toEqual(['Board (a group of 12 people)']);
  });
});

test('everything under extra that looks like an address or a URL may receive it, with its place', () => {
  const extra = {
    copies: [{ email: 'eve@evil.example' }, 'see https://a.example/x or (bo@b.example)'],
    'kim@c.example': true,
    server: 'sftp://d.example/in',
    hidden: { $secret: 'f1ngerprint' },
    note: 'nobody @ all, @acme/sales',
    joined: ['eve@e.example|ana@acme.com', 'ana@acme.com@f.example', '@eve@g.example'],
  };
  const { to, inExtra } = deliveryOf('dashboard', dashboard({ extra }));
  expect(to).toEqual([]);
  expect(brief({ to: inExtra })).toEqual([
    'email eve@evil.example /extra/copies/0/email',
    'webhook a.example /extra/copies/1',
    'email bo@b.example /extra/copies/1',
    'email kim@c.example /extra/kim@c.example',
    'sftp d.example /extra/server',
    'email eve@e.example|ana /extra/joined/0',
    'email e.example|ana@acme.com /extra/joined/0',
    'email ana@acme.com /extra/joined/1',
    'email acme.com@f.example /extra/joined/1',
    'email eve@g.example /extra/joined/2',
  ]);
});

test('a filter has its condition and its place, and what is no map counts as its values', () => {
  const filterConfig = { 'a/b': { values: ['x'], kind: 'EQUALS' }, c: ['y'] };
  const { rows } = deliveryOf('schedule', mail({ filterConfig }));
  expect(rows.get('a/b')).toEqual({
    written: filterConfig['a/b'],
    condition: filterConfig['a/b'],
    at: '/filterConfig/a~1b',
  });
  expect(rows.get('c')).toEqual({ written: ['y'], condition: { values: ['y'] }, at: pointerTo('filterConfig', 'c') });
  expect([...rows.values()].map(({ at }) => pointerSegments(at)[1])).toEqual(['a/b', 'c']);
});

test('with whose rights it runs says an owner first, and then whom its POST acts for', () => {
  const of = (fields: JsonObject) => deliveryOf('schedule', mail(fields)).asWhom;
  expect(of({ owner: 'a@x.example', userId: uuid })).toEqual({ name: 'a@x.example', isOwner: true });
  expect(of({ userId: uuid })).toEqual({ name: uuid, isOwner: false });
  expect(of({})).toBeUndefined();
});

test('what is paused, or runs only once, has no coming runs', () => {
  const of = (kind: Kind, attributes: JsonObject) => idleOf(deliveryOf(kind, attributes));
  expect(of('schedule', mail())).toBeUndefined();
  expect(of('schedule', mail({ paused: true, testNow: true }))).toBe('paused');
  expect(of('schedule', mail({ testNow: true }))).toBe('once');
  expect(of('aiJob', aiJob())).toBeUndefined();
  expect(deliveryOf('aiJob', aiJob()).when).toBeUndefined();
  expect(deliveryOf('schedule', mail({ schedule: sensitive })).when?.schedule).toBeUndefined();
});
