// What Omni has and a declaration may not say: an import leaves it out, names it and its reason, and writes nothing that
// validate or a plan refuses.

import { expect, test } from 'vitest';
import type { Json } from '../../src/model/values/json.ts';
import { bucket, hook, inOneLine, mail, sftp, slack } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const schedules = [
  ...[mail({ name: 'Sound' }), mail({ name: 'Mail' }), sftp({ name: 'Feed', passwordUnencrypted: 'x' })],
  ...[hook({ name: 'Hook' }), slack({ name: 'Chat' }), bucket({ name: 'Bucket' })],
];

const odd: readonly (readonly [what: string, name: string, fields: Readonly<Record<string, Json>>])[] = [
  ['a cron expression of another tool', 'Mail', { schedule: '0 9 * * MON' }],
  ['a zone that is none', 'Mail', { timezone: 'Berlin' }],
  ['a format that nobody knows', 'Mail', { format: 'gif' }],
  ['a receiver without a domain', 'Mail', { recipients: ['ana@'] }],
  ['a receiver with a display name', 'Mail', { recipients: ['Ana <ana@example.com>'] }],
  ['an option of another format', 'Mail', { format: 'csv', paperFormat: 'a4' }],
  ['a list of filters', 'Mail', { filterConfig: [1] }],
  ['a subject with a reference', 'Mail', { subject: 'For ${each.customer}' }],
  ['a name with a template', 'Mail', { name: 'Mail {{ customer }}' }],
  ['a condition without a tile', 'Mail', { conditionType: 'RESULTS_PRESENT' }],
  ['a port beyond the last', 'Feed', { port: 70000 }],
  ['a server with a port in its address', 'Feed', { address: 'sftp.example.com:22' }],
  ['a URL without a scheme', 'Hook', { url: 'hooks.example.com/in' }],
  ['two channels', 'Chat', { recipients: 'C0123456789,C0123456780' }],
  ['a channel by its name', 'Chat', { recipients: '#sales' }],
  ['a bucket in capitals', 'Bucket', { bucketName: 'Acme' }],
  ['a file name with an extension', 'Bucket', { filename: 'x.csv' }],
  ['a prefix that leads up', 'Bucket', { keyPrefix: 'a/../b' }],
  ['a role that is none', 'Bucket', { roleArn: 'omni' }],
];

test.each(odd)('an import writes nothing that is refused: %s', async (_, changed, fields) => {
  const world = await openWorld({}, { environment: { SFTP_PASSWORD: 'x' } });
  for (const { name, ...made } of schedules) world.makeByHand({ ...made, name, ...(name === changed ? fields : {}) });
  const { imported, skipped } = await world.import();
  expect(imported.length + skipped.length).toBe(schedules.length);
  expect(imported.length).toBeGreaterThanOrEqual(schedules.length - 1);
  for (const { reason } of skipped) expect(reason).toMatch(/\w.*\.$/s);
  for (const command of ['validate', 'plan', 'plan --refresh=deep']) {
    const ran = await world.run(command);
    expect(ran.code, inOneLine(`${command}: ${ran.stdout}${ran.stderr}`)).toBe(0);
  }
});
