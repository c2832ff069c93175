// What a look compares of a schedule, in docs/drift.md: a table generated from the rows of the fields, placed between markers,
// with what comes back in another form and has a reader of its own in `src/observe`.

import type { Destination, ResourceField } from '../../src/model/fields/field.ts';
import { fieldsRead } from '../../src/model/fields/fields.ts';

interface Row {
  readonly destination?: Destination;
  readonly words: string;
  /** Beside the fields: with `--refresh`, and with `--refresh=deep`. */
  readonly list?: string;
  readonly deep?: string;
}

const rows: readonly Row[] = [
  {
    words: 'every schedule',
    list: 'whether a single tile became the whole dashboard',
    deep: '[`filterConfig`](#filters)',
  },
  {
    destination: 'email',
    words: 'e-mail',
    list: 'the number of `recipients`, where there are no `userGroups`',
    deep: '`recipients`, [`userGroups`](files.md#user-groups)',
  },
  { destination: 'slack', words: 'Slack', deep: '`recipients`' },
  { destination: 'sftp', words: 'SFTP' },
  { destination: 'webhook', words: 'webhook' },
  { destination: 's3', words: 'S3' },
];

export function comparedTable(): string {
  const lines = rows.map(({ destination, words, list, deep }) => {
    const shallow = [...named(fieldsRead('schedule', 'list'), destination), ...(list === undefined ? [] : [list])];
    const more = [
      ...named(fieldsRead('schedule', 'details', 'metadata'), destination),
      ...(deep === undefined ? [] : [deep]),
    ];
    return `| ${words} | ${shallow.join(', ')} | ${more.join(', ')} |\n`.replaceAll('|  |', '| |');
  });
  const dashboard =
    '| a dashboard | the declared `filters` and `controls`, and the order of those in `filterOrder` | |\n';
  return ['| | with `--refresh` | also with `--refresh=deep` |\n', '|---|---|---|\n', ...lines, dashboard].join('');
}

function named(
  fields: readonly (readonly [string, ResourceField])[],
  destination: Destination | undefined,
): readonly string[] {
  return fields
    .filter(([, { destinations }]) => (destination === undefined ? !destinations : destinations?.includes(destination)))
    .map(([name, { secretsIn, read }]) => {
      if (secretsIn !== undefined) return `\`${name}\` ([secret](files.md#what-omni-shows) or not)`;
      return read === 'metadata' ? `\`${name}\` where Omni shows it` : `\`${name}\``;
    });
}
