// Mistakes in values are reported at the item that holds the value. The item may have the value from anywhere.

import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { pointerTo } from '../../src/model/values/pointer.ts';
import type { Code } from '../../src/model/workspace/codes.ts';
import { diagnosticsOf } from '../support/apply/loading.ts';
import { bucket, hook, mail, sftp, slack } from '../support/vocabulary.ts';

type Destination = keyof typeof destinations;

const destinations = {
  email: mail,
  webhook: hook,
  slack,
  sftp: () => sftp({ passwordUnencrypted: undefined }),
  s3: bucket,
} as const;

/** A value of a field that is wrong, and where in it. */
type Mistake = readonly [
  code: Code,
  destination: Destination,
  field: string,
  value: Json,
  ...below: (string | number)[],
];

const mistakes: readonly Mistake[] = [
  ['invalid-email', 'email', 'recipients', ['ana@example.com', 'bad'], 1],
  ['duplicate-recipient', 'email', 'recipients', ['ana@example.com', 'Ana@example.com'], 1],
  ['wrong-type', 'email', 'subject', ''],
  ['wrong-type', 'email', 'hideTitle', 1],
  ['odd-text', 'email', 'name', '“Weekly”'],
  ['unknown-value', 'email', 'paperFormat', 'a44'],
  ['filter-shape', 'email', 'filterConfig', { region: ['EU'] }, 'region'],
  ['not-ignorable', 'email', 'lifecycle', { ignoreChanges: ['recipients'] }, 'ignoreChanges', 0],
  ['unknown-variable', 'email', 'textBody', '${var.none}'],
  ['secret-not-here', 'email', 'textBody', '${env.TOKEN}'],
  ['invalid-interpolation', 'email', 'textBody', '${none}'],
  ['invalid-id', 'email', 'userId', 'Ana Ortiz'],
  ['identifier-is-url', 'email', 'identifier', 'https://acme.omniapp.co/dashboards/12db1a0a'],
  ['invalid-cron', 'email', 'schedule', '0 9 * * *'],
  ['cron-never-fires', 'email', 'schedule', '0 9 30 2 ? *'],
  ['cron-too-frequent', 'email', 'schedule', '0/15 9 * * ? *'],
  ['cron-undocumented', 'email', 'schedule', '0 9 LW * ? *'],
  ['cron-weekday-numbers', 'email', 'schedule', '0 9 ? * 1-5 *'],
  ['invalid-timezone', 'email', 'timezone', 'Berlin'],
  ['timezone-spelling', 'email', 'timezone', 'europe/berlin'],
  ['fixed-offset-zone', 'email', 'timezone', 'EST'],
  ['invalid-url', 'webhook', 'url', 'ftp://hooks.example.com'],
  ['secret-in-plain-text', 'webhook', 'url', 'https://ana:hunter2@hooks.example.com/x'],
  ['invalid-slack-id', 'slack', 'recipients', 'sales'],
  ['one-slack-channel', 'slack', 'recipients', 'C1,C2'],
  ['invalid-host', 'sftp', 'address', 'sftp://sftp.example.com:22'],
  ['odd-host', 'sftp', 'address', 'sftp.example.com#x'],
  ['wrong-type', 'sftp', 'port', 0],
  ['unknown-region', 's3', 'region', 'us-east-9'],
  ['bucket-name-aws', 's3', 'bucketName', 'a..b'],
  ['invalid-role-arn', 's3', 'roleArn', 'omni'],
  ['role-arn-aws', 's3', 'roleArn', 'arn:aws:iam::123456789012:user/omni'],
  ['invalid-key-prefix', 's3', 'keyPrefix', '../x'],
  ['invalid-filename', 's3', 'filename', 'sales.csv'],
  ['filename-slash', 's3', 'filename', 'a/b'],
];

interface Written {
  readonly loop: JsonObject;
  readonly reference: Json;
  readonly files?: Readonly<Record<string, string>>;
  readonly file: string;
  /** Of the value; left out for a cell. */
  readonly pointer?: string;
}

const [source, csv, item] = ['schedules/a.yaml', 'schedules/items.csv', '/schedules/a/forEach/item'];

/** The ways in which an item can have a value; undefined for a value that it cannot have in this way. */
const shapes: Readonly<Record<string, (mistake: Mistake) => Written | undefined>> = {
  'a value of a map': ([, , , v]) => ({
    loop: { forEach: { item: { v } } },
    reference: '${each.v}',
    file: source,
    pointer: `${item}/v`,
  }),
  // A map is the values of the item.
  'its only value': ([, , , value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? undefined
      : { loop: { forEach: { item: value } }, reference: '${each.value}', file: source, pointer: item },
  'a cell of a row': ([, , , value]) =>
    typeof value !== 'string' || value === '' || value.includes('${')
      ? undefined
      : {
          loop: { forEachRow: { file: 'items.csv', key: 'code' } },
          reference: '${each.v}',
          files: { [csv]: `code,v\nfirst,"${value}"\n` },
          file: csv,
        },
  // almanac.yaml is not interpolated.
  'a value of a variable': ([, , , v]) =>
    JSON.stringify(v).includes('${')
      ? undefined
      : {
          loop: { forEach: '${var.items}' },
          reference: '${each.v}',
          files: { 'almanac.yaml': JSON.stringify({ variables: { items: { item: { v } } } }) },
          file: 'almanac.yaml',
          pointer: '/variables/items/item/v',
        },
  // What two lists have in common is there once, so a spliced list holds nothing twice.
  'a list inside another': ([code, , , v]) =>
    Array.isArray(v) && code !== 'duplicate-recipient'
      ? { loop: { forEach: { item: { v } } }, reference: ['${each.v}'], file: source, pointer: `${item}/v` }
      : undefined,
};

const cases = Object.entries(shapes).flatMap(([shape, write]) =>
  mistakes.flatMap((mistake) => {
    const written = write(mistake);
    return written === undefined ? [] : [[mistake[0], mistake[2], shape, mistake, written] as const];
  }),
);

test.each(cases)('%s in %s is reported at the item that has it as %s', async (code, field, _, mistake, written) => {
  const [, destination, , , ...below] = mistake;
  const fields = { ...destinations[destination](), [field]: written.reference };
  const found = await diagnosticsOf({
    [source]: JSON.stringify({ schedules: { a: { ...written.loop, ...fields } } }),
    ...written.files,
  });
  const path = written.pointer === undefined ? undefined : written.pointer + pointerTo(...below);
  const at = found.filter((each) => each.code === code && each.file === written.file);
  expect(at.map((each) => (path === undefined ? each.line : each.path))).toEqual([path ?? 2]);
  expect(at[0]?.related?.[0]?.message).toContain(`\`${field}\``);
});
