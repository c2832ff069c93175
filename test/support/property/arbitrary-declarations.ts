// Valid declarations for the demo organization of the emulator, as users would write them: every destination, format
// and option, on dashboards, filters, queries and members that exist there. None draws an error, and none a warning
// but that of a test delivery; a secret stands as a reference to an environment variable, one of `secretVariables`.

import fc from 'fast-check';
import { demoOrganization } from '../../../src/emulator/demo-organization.ts';
import type { Json, JsonObject } from '../../../src/model/values/json.ts';

/** Addresses within a section, with what is declared there. */
export interface Declarations {
  readonly schedules: Readonly<Record<string, JsonObject>>;
  readonly dashboards: Readonly<Record<string, JsonObject>>;
  readonly aiJobs: Readonly<Record<string, JsonObject>>;
}

export interface DemoDashboard {
  readonly identifier: string;
  readonly filters: readonly string[];
  readonly controls: readonly string[];
  readonly queryKeys: readonly string[];
}

const { documents, members, models } = demoOrganization();

/** Those that are there and may be changed: a draft that is open is in the way of its filters. */
export const demoDashboards: readonly DemoDashboard[] = documents.flatMap(({ identifier, deleted, dashboard }) =>
  deleted || dashboard === null || dashboard.draft !== null
    ? []
    : [
        {
          identifier,
          filters: Object.keys(dashboard.filters),
          controls: dashboard.controls.map(({ id }) => id),
          queryKeys: dashboard.tiles.map(({ key }) => key),
        },
      ],
);

/** What `${env.…}` may name; set all of them where declarations are applied. */
export const secretVariables = ['SFTP_PASSWORD', 'HOOK_TOKEN', 'SIGNING_SECRET'] as const;

const memberIds = members.map(({ id }) => id);
const modelId = models[0]?.id ?? '';

type Options = Readonly<Record<string, fc.Arbitrary<Json>>>;

/** Some of these fields, and always those that are named. */
function some(options: Options, always: readonly string[] = []): fc.Arbitrary<JsonObject> {
  return fc.record(options, { requiredKeys: [...always], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

const pick = <T extends Json>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const flag = fc.boolean();

/** Texts with what trips YAML, JSON and terminals; no `${`. */
const word = pick(
  ...`sales|Weekly report|Umsätze: Süd|# 1|it's|a "quoted" text|yes|007|売上|- list|100 %|{braces}|tab\there|$5|*`.split(
    '|',
  ),
);
export const arbitraryText = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const lines = fc.array(arbitraryText, { minLength: 1, maxLength: 4 }).map((texts) => texts.join('\n'));

/** Valid, documented, at most hourly and with runs to come; several spellings of the same. */
export const arbitraryCron = fc
  .tuple(
    pick('0', '00', '5', '30', '59'),
    pick('9', '09', '*', '6,18', '8-17', '0/6', '*/4'),
    pick(...'? * MON *,? * 2 *,? * MON-FRI *,* * ? *,1 * ? *,L * ? *,15W * ? *,? * 6L *,? * 2#1 *'.split(',')),
  )
  .map((fields) => fields.join(' '));

export const arbitraryTimeZone = pick(
  ...'UTC Europe/London America/New_York US/Eastern Asia/Kolkata Asia/Calcutta Australia/Lord_Howe'.split(' '),
);

const email = pick(
  ..."ana@example.com bo@example.com cleo+reports@example.com d'arc@example.co.uk Ops@Example.org".split(' '),
);
const slackUser = pick('U0123456789', 'U0AAAAAAAAA', 'W0123456789', 'U0BBBBBBBBB');

const destinations = {
  webhook: some(
    {
      url: pick(
        'https://hooks.example.com/omni',
        'http://10.0.0.7:8080/in?team=a&b=%20',
        'https://hooks.example.com/${env.HOOK_TOKEN}',
      ),
    },
    ['url'],
  ),
  email: some(
    {
      recipients: fc.uniqueArray(email, { minLength: 1, maxLength: 4 }),
      subject: arbitraryText,
      textBody: lines,
      fanOut: flag,
    },
    ['recipients', 'subject'],
  ),
  slack: fc.oneof(
    some(
      {
        slackRecipientType: fc.constant('channel'),
        recipients: pick<Json>('C0123456789', ['C0123456789'], 'C0AAAAAAAAA'),
        textBody: lines,
      },
      ['slackRecipientType', 'recipients'],
    ),
    some(
      {
        slackRecipientType: fc.constant('users'),
        recipients: fc
          .tuple(fc.uniqueArray(slackUser, { minLength: 1, maxLength: 4 }), pick('list', ',', ', '))
          .map(([users, spelling]) => (spelling === 'list' ? users : users.join(spelling))),
        textBody: lines,
      },
      ['slackRecipientType', 'recipients'],
    ),
  ),
  sftp: some(
    {
      address: pick('sftp.example.com', '192.0.2.7', 'sftp://sftp.example.com', 'sftp://sftp.example.com/incoming/'),
      port: fc.integer({ min: 1, max: 65_535 }),
      username: pick('almanac', 'omni reports'),
      path: pick('/in', 'reports/weekly'),
      passwordUnencrypted: fc.constant('${env.SFTP_PASSWORD}'),
    },
    ['address', 'port', 'username', 'path'],
  ),
  s3: some(
    {
      bucketName: pick('acme-reports', 'acme.finance.2026', 'abc'),
      region: pick('eu-west-1', 'us-east-1', 'ap-southeast-2', 'us-gov-west-1'),
      roleArn: pick(
        'arn:aws:iam::123456789012:role/omni-reports',
        'arn:aws-us-gov:iam::123456789012:role/service/omni@reports',
      ),
      keyPrefix: pick('reports/weekly', 'reports/', '..backup/a..b', ''),
      filename: pick('report', '{{currentDate}}-{{ entityName }}', 'of {{yesterdayDate}} }} odd'),
    },
    ['bucketName', 'region', 'roleArn'],
  ),
};

/** The options of each format, those that need a single tile left out. */
const formats: Readonly<Record<string, Options>> = {
  csv: { showContentLink: flag, hideHiddenFields: flag, enableFormatting: flag },
  link_only: {},
  json: { showContentLink: flag, showFilters: flag },
  pdf: {
    showContentLink: flag,
    showFilters: flag,
    hideTitle: flag,
    paperFormat: pick('a3', 'a4', 'letter', 'legal', 'tabloid'),
    paperOrientation: pick('portrait', 'landscape'),
    expandTablesToShowAllRows: flag,
    singleColumnLayout: flag,
  },
  png: {
    showContentLink: flag,
    showFilters: flag,
    hideTitle: flag,
    expandTablesToShowAllRows: flag,
    singleColumnLayout: flag,
  },
  xlsx: { showContentLink: flag, showFilters: flag, hideHiddenFields: flag, enableFormatting: flag },
};

const formatOptions = fc.oneof(
  pick(...Object.keys(formats)).chain((format) =>
    some({ format: fc.constant(format), killJobsOnFailure: flag, ...formats[format] }, ['format']),
  ),
  some(
    { format: fc.constant('pdf'), paperFormat: fc.constant('fit_page'), paperOrientation: fc.constant('portrait') },
    ['format', 'paperFormat'],
  ),
);

/** The row limit, and what works for a single tile only. */
const tileOptions = pick('csv', 'json', 'xlsx').chain((format) =>
  some(
    {
      format: fc.constant(format),
      overrideRowLimit: fc.constant(true),
      maxRowLimit: fc.integer({ min: 1, max: 1_000_000 }),
      enableFormatting: flag,
    },
    ['format', 'overrideRowLimit'],
  ),
);

const filterKeys = {
  values: fc.array(pick('shipped', 'Europe', 'North America', '1', 'true', 'null', 'it: is'), { maxLength: 3 }),
  left_side: pick('30 days ago', '1 year ago'),
  required: flag,
};
const { values: _values, ...dateKeys } = filterKeys;
const ofDates = some(dateKeys, ['left_side']);
const ofTexts = fc.oneof(some(filterKeys, ['values']), ofDates);

/** Ids of filters of dates: an apply leaves a condition of another type. */
const dateFilters = new Set(
  documents.flatMap(({ dashboard }) =>
    Object.entries(dashboard?.filters ?? {}).flatMap(([id, { type }]) => (type === 'date' ? [id] : [])),
  ),
);

/** For some of the filters a condition each. */
function conditionsFor(ids: readonly string[]): fc.Arbitrary<JsonObject> {
  return some(Object.fromEntries(ids.map((id) => [id, dateFilters.has(id) ? ofDates : ofTexts])));
}

interface ScheduleChoice {
  /** A delivery that is sent once; false by default. */
  readonly testNow?: boolean;
  /** With fields that take operations full, other than `paused`; false by default. */
  readonly full?: boolean;
}

/** A schedule's fields, without `lifecycle` and `extra`. */
export function arbitrarySchedule({ testNow = false, full = false }: ScheduleChoice = {}): fc.Arbitrary<JsonObject> {
  return pick(...demoDashboards.keys()).chain((index) => {
    const { identifier, filters, queryKeys } = demoDashboards[index] as DemoDashboard;
    const queryKey = pick(...queryKeys);
    const conditions = testNow ? ['RESULTS_PRESENT'] : ['RESULTS_PRESENT', 'RESULTS_CHANGED', 'RESULTS_MISSING'];
    const condition = some(
      { conditionType: pick(...conditions, 'RESULTS_UNCHANGED'), conditionQueryMapKey: queryKey },
      ['conditionType', 'conditionQueryMapKey'],
    );
    const none = fc.constant<JsonObject>({});
    const delivery = fc.oneof(
      { weight: 3, arbitrary: formatOptions },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tileOptions, queryKey)
          .map(([options, key]): JsonObject => ({ ...options, queryIdentifierMapKey: key })),
      },
    );
    const names = (Object.keys(destinations) as (keyof typeof destinations)[]).filter(
      (name) => !testNow || name !== 's3',
    );
    const destination = pick(...names).chain((name) =>
      destinations[name].map((fields): JsonObject => ({ destinationType: name, ...fields })),
    );
    return fc
      .tuple(
        some(
          {
            name: arbitraryText,
            schedule: arbitraryCron,
            timezone: arbitraryTimeZone,
            userId: pick(...memberIds),
            filterConfig: conditionsFor(filters),
            ...(full ? { timezoneOverride: arbitraryTimeZone } : {}),
          },
          ['name', 'schedule', 'timezone'],
        ),
        delivery,
        destination,
        fc.oneof(none, condition),
      )
      .map((parts): JsonObject => ({ identifier, ...Object.assign({}, ...parts), ...(testNow ? { testNow } : {}) }));
  });
}

/** A dashboard's fields; at least one filter, control or an order. */
export function arbitraryDashboard({ identifier, filters, controls }: DemoDashboard): fc.Arbitrary<JsonObject> {
  const control = some({ label: arbitraryText, description: arbitraryText, hidden: flag });
  const ids = [...filters, ...controls];
  return fc
    .tuple(
      some({
        filters: conditionsFor(filters),
        ...(controls.length > 0 ? { controls: some(Object.fromEntries(controls.map((id) => [id, control]))) } : {}),
        userId: pick(...memberIds),
      }),
      fc.option(fc.shuffledSubarray(ids, { minLength: 1 }), { nil: undefined }),
    )
    .map(
      ([fields, filterOrder]): JsonObject => ({
        identifier,
        ...fields,
        ...(filterOrder === undefined ? {} : { filterOrder }),
      }),
    )
    .filter((fields) =>
      ['filters', 'controls', 'filterOrder'].some((name) => Object.keys(fields[name] ?? {}).length > 0),
    );
}

/** Without a conversation: one holds a single job at a time. */
export const arbitraryAiJob: fc.Arbitrary<JsonObject> = fc
  .tuple(
    some(
      {
        modelId: pick(modelId, modelId.toUpperCase()),
        prompt: lines,
        branchId: fc.constant('880e8400-e29b-41d4-a716-446655440003'),
        topicName: pick('order_items', 'customers'),
        userId: pick(...memberIds),
      },
      ['modelId', 'prompt'],
    ),
    fc.oneof(
      fc.constant({}),
      some(
        {
          webhookUrl: pick('https://hooks.example.com/ai', 'https://hooks.example.com/${env.HOOK_TOKEN}'),
          webhookSigningSecret: fc.constant('${env.SIGNING_SECRET}'),
          progressWebhookEnabled: flag,
          webhookMetadata: some({
            team: arbitraryText,
            'cost centre': fc.integer(),
            nested: fc.constant({ list: [1, null] }),
          }),
        },
        ['webhookUrl', 'webhookSigningSecret'],
      ),
    ),
  )
  .map(([fields, webhook]): JsonObject => ({ ...fields, ...webhook }));

/** Of the models and people of the emulator. */
export const arbitraryRoutine: fc.Arbitrary<JsonObject> = some(
  {
    modelId: pick(modelId, modelId.toUpperCase()),
    name: arbitraryText.filter((text) => text !== ''),
    prompt: lines,
    schedule: pick('0 9 ? * MON *', '30 6 L * ? *', '15 * * * ? *'),
    timezone: pick('UTC', 'Europe/London'),
    destination: fc.oneof(
      fc.record({
        type: fc.constant('email'),
        recipientEmails: fc.uniqueArray(pick('ana@example.com', 'bo@example.com', 'cy@example.com'), { minLength: 1 }),
      }),
      fc.record({
        type: fc.constant('slack'),
        recipientId: fc.constant('C0123456789'),
        slackRecipientType: fc.constant('channel'),
      }),
    ),
    branchId: fc.constant('880e8400-e29b-41d4-a716-446655440003'),
    topicName: pick('order_items', 'customers'),
    description: arbitraryText,
    userId: pick(...memberIds),
  },
  ['modelId', 'name', 'prompt', 'schedule', 'timezone', 'destination'],
);

/**
 * All that a workspace declares. Its keys come from a small set, so that two of them share most, and a key
 * always has one kind of delivery: a schedule that recurs may never become one that is sent once.
 */
export const arbitraryDeclarations = declarationsOf(false);

function declarationsOf(full: boolean): fc.Arbitrary<Declarations> {
  return fc
    .record({
      schedules: sectionOf(['a', 'b', 'c', 'd', 'Weekly-sales_2'], () => arbitrarySchedule({ full })),
      once: sectionOf(['once'], () => arbitrarySchedule({ testNow: true, full })),
      dashboards: sectionOf(['0', '1', '2', '3'], (index) =>
        arbitraryDashboard(demoDashboards[Number(index)] as DemoDashboard),
      ),
      aiJobs: sectionOf(['summary', 'forecast'], () => arbitraryAiJob),
    })
    .map(({ schedules, once, dashboards, aiJobs }) => ({
      schedules: distinctNames({ ...schedules, ...once }),
      dashboards: Object.fromEntries(Object.entries(dashboards).map(([key, fields]) => [`d${key}`, fields])),
      aiJobs,
    }));
}

const paused = fc.record(Object.fromEntries(['a', 'b', 'c', 'd', 'Weekly-sales_2'].map((key) => [key, fc.boolean()])), {
  noNullPrototype: true,
});

/** With fields that take operations full: some of the schedules are paused, for one. */
export const arbitraryFullDeclarations: fc.Arbitrary<Declarations> = fc
  .tuple(declarationsOf(true), paused)
  .map(([declarations, which]) => ({
    ...declarations,
    schedules: Object.fromEntries(
      Object.entries(declarations.schedules).map(([key, fields]) => [
        key,
        which[key] ? { ...fields, paused: true } : fields,
      ]),
    ),
  }));

function sectionOf(
  keys: readonly string[],
  entry: (key: string) => fc.Arbitrary<JsonObject>,
): fc.Arbitrary<Record<string, JsonObject>> {
  return fc.record(Object.fromEntries(keys.map((key) => [key, entry(key)])), {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<Record<string, JsonObject>>;
}

/** Two schedules of one name on one dashboard draw a warning. */
function distinctNames(schedules: Readonly<Record<string, JsonObject>>): Readonly<Record<string, JsonObject>> {
  const seen = new Set<string>();
  return Object.fromEntries(
    Object.entries(schedules).map(([key, fields]) => {
      const known = JSON.stringify([fields['identifier'], fields['name']]);
      const taken = seen.has(known);
      seen.add(known);
      return [key, taken ? { ...fields, name: `${String(fields['name'])} (${key})` } : fields];
    }),
  );
}
