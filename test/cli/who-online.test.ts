// `almanac who --online` over real HTTP: who receives the schedules that were made in Omni, what it costs to ask, and what
// is kept of a run that did not finish.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WhoDocument } from '../../src/commands/who/document.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { StoredSchedule } from '../../src/emulator/store.ts';
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
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const emailOnly = 'GET /v1/users/email-only';
const group = '123e4567-e89b-12d3-a456-426614174000';

function makeByHand(stage: World, schedules: readonly object[], more: Partial<StoredSchedule> = {}): void {
  for (const [index, fields] of schedules.entries()) stage.makeByHand(fields, { id: idOf(index), ...more });
}

interface Stage extends World {
  who(...argv: readonly string[]): Promise<WhoDocument>;
}

async function open(schedules: readonly object[] = byHand, options: EmulatorOptions & { config?: object } = {}) {
  const stage = await openApplied({ schedules: declared }, options);
  makeByHand(stage, schedules);
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
  it('adds whoever receives what was made in Omni, of every kind, and what each address is there', async () => {
    const stage = await open();
    stage.emulator.edit(({ members }) => {
      members.push({ id: idOf(99), name: 'Left', email: 'left@example.com', active: false });
    });
    const document = await stage.who();
    expect(lines(document)).toEqual([
      'U1 | slack | - | (Chat)',
      'U2 | slack | - | (Chat)',
      'acme-reports | s3 | - | (Bucket)',
      'ana@example.com | email | member | schedules.all | (Mail)',
      'bo@example.com | email | member | (tmp of Bo)',
      'guest@partner.com | email | email-only | schedules.all | (Mail)',
      'hooks.slack.com | webhook | - | (Hook)',
      'left@example.com | email | deactivated | schedules.all',
      'sftp.partner.com | sftp | - | (Files)',
    ]);
    const ana = document.recipients.find(({ recipient }) => recipient === 'ana@example.com');
    expect(ana?.deliveries[1]).toEqual({
      id: idOf(0),
      ...{ name: 'Mail', identifier: '12db1a0a', format: 'csv', schedule: '0 9 ? * MON *', timezone: 'Europe/London' },
      ...{ paused: false, managed: false, via: { kind: 'resource' } },
    });
    expect(document).not.toHaveProperty('notRead');
  });

  it('sends the pages of the list and one request for each schedule that is untracked, and says so first', async () => {
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

  it('names the user group that somebody receives it with, beside the schedule that names them', async () => {
    const stage = await open([]);
    stage.emulator.edit((data) => {
      data.userGroups = [{ id: group, name: 'Finance', memberIds: data.members.slice(0, 2).map(({ id }) => id) }];
    });
    makeByHand(stage, [mail('Close', 'ana@example.com')], { userGroupIds: [group] });
    expect(lines(await stage.who('ana@example.com', 'bo@example.com'))).toEqual([
      'ana@example.com | email | member | schedules.all | (Close) | (Close) group Finance',
      'bo@example.com | email | member | (Close) group Finance',
    ]);
    const { stdout } = await stage.run('who', 'bo@example.com', '--online');
    expect(stdout).toMatch(/bo@example\.com +member +Close +.*untracked, group Finance/);
  });

  it('reads who is in the groups of what is declared, and whom Omni counts beside those who are declared', async () => {
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

  it('asks only for schedules that can match: an address or a domain is reached by mail only', async () => {
    const stage = await open();
    const document = await stage.who('*@partner.com');
    expect(lines(document)).toEqual(['guest@partner.com | email | email-only | schedules.all | (Mail)']);
    expect(recipientsOf(stage.asked())).toHaveLength(2);
    await stage.who('sftp.partner.com');
    expect(recipientsOf(stage.asked())).toHaveLength(6);
  });

  it('asks for one person alone where one address is found', async () => {
    const stage = await open([]);
    expect(lines(await stage.who('left@example.com'))).toEqual([
      'left@example.com | email | email-only | schedules.all',
    ]);
    const people = stage.emulator.requests().filter(({ path }) => /users/i.test(path));
    expect(people.map(({ query }) => query)).toMatchObject([
      { filter: 'userName eq "left@example.com"' },
      { email: 'left@example.com' },
    ]);
    stage.emulator.edit(({ schedules }) => schedules.splice(0));
    expect(lines(await stage.who('left@example.com'))).toEqual(['left@example.com | email | unknown | schedules.all']);
  });

  it('calls an address a member where one of its accounts is active, however many there are', async () => {
    const stage = await open([]);
    stage.emulator.edit(({ members }) => {
      members.push({ id: idOf(99), name: 'Ana before', email: 'ANA@example.com', active: false });
    });
    expect(lines(await stage.who('ana@example.com'))[0]).toContain('| member |');
  });

  it('does not say what an address is where the token is a personal one', async () => {
    const stage = await open();
    const token = stage.emulator.data().tokens.find(({ kind }) => kind === 'personal')?.token ?? '';
    stage.environment['OMNI_API_TOKEN'] = token;
    const { stdout, stderr } = await stage.run('who', '--online', '--format', 'json');
    expect(stdout).not.toContain('"membership"');
    expect(stderr.replace(/\s+/g, ' ')).toContain('is not known: only an organization key may ask for that.');
    expect(stage.asked().filter((line) => /users/i.test(line))).toEqual([]);
  });

  it('takes --limit schedules a run and goes on where the last one ended', async () => {
    const stage = await open();
    const first = await stage.run('who', '--online', '--limit', '4', '--format', 'json');
    expect(expectDocument<WhoDocument>('who', first.stdout).notRead).toBe(2);
    expect(first.stderr.replace(/\s+/g, ' ')).toContain('2 schedules left by --limit: continue with --resume.');
    const before = recipientsOf(stage.asked());
    expect(before).toHaveLength(4);
    const refused = await stage.run('who', '--online');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/reading of recipients did not finish[\s\S]*--resume[\s\S]*--force/);
    expect(stage.asked()).toEqual([]);
    const document = await stage.who('--resume', '--limit', '4');
    const after = recipientsOf(stage.asked());
    expect(new Set([...before, ...after]).size).toBe(6);
    expect(after).toHaveLength(2);
    expect(lines(document)).toEqual(lines(await stage.who()));
  });

  it('names what cannot be read, and goes on with the others', async () => {
    const odd = [...byHand.slice(0, 1), { ...common, name: 'Sheet', destinationType: 'google_sheets' }];
    const stage = await open(odd, { faults: [] });
    const { code, stdout, stderr } = await stage.run('who', '--online', '--format', 'json');
    expect(code).toBe(0);
    expect(expectDocument<WhoDocument>('who', stdout).notRead).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      `Not read: Sheet (id ${idOf(1)}). It delivers to google_sheets, and Almanac does not know who receives that.`,
    );
    expect(recipientsOf(stage.asked())).toHaveLength(1);
  });

  it('is refused without --online, with operations core, and where the declarations have errors, before it sends', async () => {
    const stage = await open();
    expect((await stage.run('who', '--limit', '2')).stderr).toContain('Add --online.');
    const config = JSON.parse(stage.read('almanac.yaml')) as { api: object };
    stage.write({ 'almanac.yaml': { ...config, api: { ...config.api, operations: 'core' } } });
    expect((await stage.run('who', '--online')).stderr).toContain('operations: full');
    stage.write({ 'almanac.yaml': config, 'schedules/broken.yaml': 'schedules: { broken: 1 }\n' });
    expect((await stage.run('who', '--online')).stderr).toContain('Nothing was sent');
    expect(stage.asked()).toEqual([]);
  });

  it('keeps names from terminals and spreadsheets: what somebody called a schedule or a group does nothing there', async () => {
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

  it('says that nothing is there to be continued, and starts from the beginning', async () => {
    const stage = await open();
    const { code, stderr } = await stage.run('who', '--online', '--resume');
    expect(code).toBe(0);
    expect(stderr).toContain('warning: There is no unfinished reading of recipients to continue, so this one starts');
    expect((await stage.run('who', '--online')).stderr).not.toContain('to continue');
  });

  it('keeps what the schedules said where the people cannot be read', async () => {
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
