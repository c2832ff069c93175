// `almanac who --online` for many schedules, with hostile names, and after broken runs. What a broken run has read is
// kept. All else is in the transcripts.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WhoDocument } from '../../src/commands/who/who-document.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import { connecting } from '../support/cli/connecting.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { expectDocument } from '../support/schemas.ts';
import { start, workspaceIn } from '../support/workspace.ts';
import { openApplied, type World } from '../support/world.ts';

const common = { identifier: '12db1a0a', schedule: '0 9 ? * MON *', timezone: 'Europe/London', format: 'csv' };
const mail = (name: string, ...recipients: string[]) => ({
  ...common,
  name,
  destinationType: 'email',
  subject: name,
  recipients,
});
const declared = {
  all: {
    ...mail('Declared', 'ana@example.com', 'guest@partner.com', 'left@example.com'),
  },
};
const byHand = [
  mail('Mail', 'Ana@example.com', 'guest@partner.com'),
  { ...common, name: 'Chat', destinationType: 'slack', slackRecipientType: 'users', recipients: 'U1, U2' },
  { ...common, name: 'Hook', destinationType: 'webhook', url: 'https://Hooks.slack.com/services/T0/B0/a-secret' },
  {
    ...common,
    name: 'Files',
    destinationType: 'sftp',
    address: 'sftp.partner.com',
    port: 22,
    username: 'u',
    path: '/in',
  },
  { ...common, name: 'Bucket', destinationType: 's3', bucketName: 'acme-reports', region: 'eu-west-1', roleArn: 'arn' },
  mail('tmp of Bo', 'bo@example.com'),
];
const emailOnly = 'GET /v1/users/email-only';

interface Stage extends World {
  who(...argv: readonly string[]): Promise<WhoDocument>;
}

async function open(schedules: readonly object[] = byHand, options: EmulatorOptions & { config?: object } = {}) {
  const stage = await openApplied({ schedules: declared }, options);
  for (const fields of schedules) stage.makeByHand(fields);
  const who = async (...argv: readonly string[]) => {
    const { stdout } = await stage.run('who', '--online', '--format', 'json', ...argv);
    return expectDocument<WhoDocument>('who', stdout);
  };
  return { ...stage, who } satisfies Stage;
}

const recipientsOf = (asked: readonly string[]) => asked.filter((line) => line.endsWith('/recipients'));
const lines = ({ recipients }: WhoDocument) =>
  recipients.map(({ recipient, kind, membership, deliveries }) =>
    [
      recipient,
      kind,
      membership ?? '-',
      ...deliveries.map(({ address, name, via }) =>
        [address ?? `(${name})`, via.kind === 'resource' ? '' : `${via.kind} ${via.name}`].join(' ').trim(),
      ),
    ].join(' | '),
  );

describe('who --online', () => {
  it('who --online sends the pages of the list and one request for each schedule that is untracked, and says so first', async () => {
    const many = Array.from({ length: 105 }, (_, index) => mail(`Mail ${index}`, `p${index}@partner.com`));
    const stage = await open(many, { config: { ignore: [{ name: 'Mail 104' }] } });
    const { stderr } = await stage.run('who', '--online');
    const asked = stage.asked();
    const list = asked.filter((line) => line === 'GET /v1/schedules');
    expect(list).toHaveLength(2);
    const ofSchedules = recipientsOf(asked);
    expect(new Set(ofSchedules).size).toBe(ofSchedules.length);
    expect(asked.slice(0, 2)).toEqual(list);
    expect(stderr).toContain(`Reading ${ofSchedules.length} schedules in ${ofSchedules.length} requests`);
    expect(ofSchedules).toHaveLength(104);
    // Three addresses are declared, and two of these have no account; of the others the schedules say so.
    const people = asked.filter((line) => /users/i.test(line));
    expect(people).toEqual(['GET /scim/v2/Users', 'GET /scim/v2/Users', 'GET /scim/v2/Users', emailOnly, emailOnly]);
    expect(asked).toHaveLength(2 + ofSchedules.length + 5);
    expect(existsSync(join(stage.path, '.almanac-recipients.json'))).toBe(false);
  });

  it('who --online reads who is in the groups of what is declared, and whom Omni counts beside those who are declared', async () => {
    const named = { ...mail('Board', 'ana@example.com'), userGroups: ['Board'] };
    const plain = mail('Plain', 'ana@example.com');
    const stage = await openApplied({ schedules: { a: named, b: plain, c: { ...plain, name: 'Same' } } });
    stage.change('Plain', (fields) => {
      fields['recipients'] = ['ana@example.com', 'Cy@example.com'];
    });
    stage.emulator.edit(({ userGroups = [], members }) => {
      const memberIds = members.flatMap(({ id, email }) => (email === 'bo@example.com' ? [id] : []));
      for (const each of userGroups) if (each.id === ids.board) each.memberIds = memberIds;
    });
    stage.change('Board', (_, schedule) => {
      schedule.userGroupIds = [ids.board];
    });
    stage.asked();
    const { stdout, stderr } = await stage.run(
      'who',
      'bo@example.com',
      'cy@example.com',
      '--online',
      '--format',
      'json',
    );
    expect(lines(expectDocument<WhoDocument>('who', stdout))).toEqual([
      'bo@example.com | email | member | schedules.a group Board',
      expect.stringMatching(/^cy@example.com \| email \| \S+ \| schedules.b$/),
    ]);
    expect(stderr).toContain('Reading 2 schedules in 2 requests');
    expect(recipientsOf(stage.asked())).toHaveLength(2);
    expect((await stage.run('who', 'bo@example.com')).stderr).toContain('Who is in a user group was not asked');
    const leaving = await stage.run('offboard', 'bo@example.com');
    expect(leaving.stdout).toMatch(/receives +schedules.a \(group Board\)/);
    expect(leaving.stdout).toContain('Remove them in Omni from the group Board');
    expect((await stage.run('offboard', 'ana@example.com', '--offline')).stdout).toMatch(/groups +not known either/);
  });

  it('who --online keeps names from terminals and spreadsheets: what somebody called a schedule or a group does nothing there', async () => {
    const stage = await open([mail('=1+2\u001b[31m', 'ana@example.com')]);
    const csv = await stage.run('who', '--online', '--format', 'csv', 'ana@example.com');
    expect(csv.stdout).toContain("'=1+2");
    const table = await stage.run('who', '--online', 'ana@example.com');
    expect(csv.stdout + table.stdout).not.toContain('\u001b');
    expect(csv.stdout.split('\r\n')[2]).toMatch(/^ana@example\.com,email,,.*,false,,resource,,,member$/);
  });
});

describe('a run of who --online that did not finish', () => {
  const name = '.almanac-recipients.json';

  /** Before the nth schedule is asked. */
  function interruptedAt(stage: Stage, at: number) {
    const controller = new AbortController();
    let count = 0;
    const connect = connecting(({ getRecipients }) => ({
      getRecipients: (...given) => {
        count += 1;
        if (count === at) controller.abort();
        return getRecipients(...given);
      },
    }));
    return workspaceIn(stage, stage.environment, { connect, signal: controller.signal });
  }

  it('loses nothing to Ctrl-C: the next run asks only for the rest, and no file holds a secret', async () => {
    const stage = await open();
    const ran = await interruptedAt(stage, 5).run('who', '--online');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`${name} keeps what was read`);
    const first = recipientsOf(stage.asked());
    const file = join(stage.path, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('a-secret');
    const document = await stage.who('--resume');
    const all = [...first, ...recipientsOf(stage.asked())];
    expect(all).toHaveLength(6);
    expect(new Set(all).size).toBe(6);
    expect(existsSync(file)).toBe(false);
    expect(lines(document)).toEqual(lines(await stage.who()));
  });

  it('a run of who --online that did not finish keeps what the schedules said where the people cannot be read', async () => {
    // Four addresses, each asked for up to five times.
    const faults = Array.from({ length: 20 }, (_, at) => ({ fault: '500', on: '/scim/v2/Users', at: at + 1 }) as const);
    const stage = await open(byHand, { faults });
    const ran = await workspaceIn(stage, stage.environment, { clock: makeInstantClock(start) }).run('who', '--online');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('--resume');
    stage.asked();
    expect(lines(await stage.who('--resume'))).toHaveLength(9);
    expect(recipientsOf(stage.asked())).toEqual([]);
  });
});
