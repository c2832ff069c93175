// `almanac who`: everybody who receives something, and because of what.

import { describe, expect, it } from 'vitest';
import type { Output } from '../../src/commands/base/world.ts';
import type { WhoDocument } from '../../src/commands/who/document.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const schedule = (key: string, ...lines: readonly string[]) =>
  `  ${key}:\n${[
    `name: Report ${key}`,
    'identifier: 12db1a0a',
    'schedule: 0 9 ? * MON *',
    'timezone: Europe/London',
    'format: csv',
    ...lines,
  ]
    .map((line) => `    ${line}\n`)
    .join('')}`;
const email = (key: string, recipients: string) =>
  schedule(key, 'destinationType: email', `subject: ${key}`, `recipients: ${recipients}`);

const config = {
  api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' },
  variables: { kim: 'kim@partner.com' },
  environments: { staging: { deliver: { email: ['tests@acme.com'] } } },
  safety: { internalDomains: ['acme.com'] },
};

const files = {
  'almanac.yaml': config,
  'schedules/a.yaml': `audiences:
  board: { emails: [cfo@acme.com] }
defaults:
  schedules:
    recipients: [all@acme.com]
schedules:
${email('direct', '[Ana@acme.com, "${var.kim}"]')}${email('audience', '["${audience.board}"]')}${schedule(
  'defaulted',
  'destinationType: email',
  'subject: Hello',
  'paused: true',
)}${email('item', '["${each.to}"]').replace('    name: Report item\n', '    forEach: { emea: { to: li@acme.com } }\n    name: Report ${each.key}\n')}${email(
  'row',
  '["${each.mail}"]',
).replace('    name: Report row\n', '    forEachRow: { file: rows.csv, key: code }\n    name: Report ${each.key}\n')}`,
  'schedules/rows.csv': 'code,mail\none,mo@partner.com\n',
  'schedules/b.yaml': `schedules:
${schedule('slack', 'destinationType: slack', 'slackRecipientType: users', 'recipients: U0000000001,U0000000002')}${schedule(
  'hook',
  'destinationType: webhook',
  'url: https://Hooks.acme.com/in/${env.HOOK_KEY}',
)}${schedule('sftp', 'destinationType: sftp', 'address: sftp.partner.com', 'port: 22', 'username: omni', 'path: /in')}`,
};

const open = () => workspaceIn(makeFolder(files), {});
const asked = async (...argv: readonly string[]) => {
  const { stdout } = await open().run('who', '--format', 'json', ...argv);
  return JSON.parse(stdout) as WhoDocument;
};
const names = ({ recipients }: WhoDocument) => recipients.map(({ recipient }) => recipient);

describe('who', () => {
  it('names every recipient with what gives it and where, without a token', async () => {
    const { recipients, formatVersion } = await asked();
    expect(formatVersion).toBe(1);
    const lines = recipients.flatMap(({ recipient, kind, deliveries }) =>
      deliveries.map(({ address, via, file, line }) =>
        [recipient, kind, address, [via.kind, via.name].filter(Boolean).join(' '), `${file}:${line}`].join(' | '),
      ),
    );
    expect(lines).toEqual([
      'U0000000001 | slack | schedules.slack | resource | schedules/b.yaml:10',
      'U0000000002 | slack | schedules.slack | resource | schedules/b.yaml:10',
      'all@acme.com | email | schedules.defaulted | default | schedules/a.yaml:5',
      'ana@acme.com | email | schedules.direct | resource | schedules/a.yaml:15',
      'cfo@acme.com | email | schedules.audience | audience board | schedules/a.yaml:2',
      'hooks.acme.com | webhook | schedules.hook | resource | schedules/b.yaml:18',
      'kim@partner.com | email | schedules.direct | variable kim | almanac.yaml:7',
      'li@acme.com | email | schedules.item.emea | item emea | schedules/a.yaml:35',
      'mo@partner.com | email | schedules.row.one | row one | schedules/rows.csv:2',
      'sftp.partner.com | sftp | schedules.sftp | resource | schedules/b.yaml:26',
    ]);
    expect(recipients.find(({ recipient }) => recipient === 'all@acme.com')?.deliveries[0]).toMatchObject({
      identifier: '12db1a0a',
      format: 'csv',
      paused: true,
      managed: true,
    });
  });

  it('names a delivery once where its list names somebody twice', async () => {
    const workspace = workspaceIn(
      makeFolder({ ...files, 'schedules/a.yaml': `schedules:\n${email('twice', '[ana@acme.com, Ana@acme.com]')}` }),
      {},
    );
    const { stdout } = await workspace.run('who', 'ana@acme.com', '--format', 'csv');
    expect(stdout.trimEnd().split('\r\n')).toHaveLength(2);
  });

  it('takes patterns in letters of either case, and leaves out internal domains', async () => {
    expect(names(await asked('*@PARTNER.com'))).toEqual(['kim@partner.com', 'mo@partner.com']);
    expect(names(await asked('ANA@acme.com', 'U0000000002'))).toEqual(['U0000000002', 'ana@acme.com']);
    expect(names(await asked('--external'))).toEqual(['kim@partner.com', 'mo@partner.com', 'sftp.partner.com']);
  });

  it('says that nobody is who was asked for, and what was probably meant', async () => {
    const { code, stdout, stderr } = await open().run('who', 'kim@partner.con', 'partner.com');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nobody.\n' });
    expect(stderr).toContain('Nobody is kim@partner.con. Did you mean `kim@partner.com`?');
    // Its letters are nearly those of somebody else, who has another name.
    expect((await open().run('who', 'bob@acme.com')).stderr).toBe('Nobody is bob@acme.com.\n');
    expect(stderr).toContain('Nobody is partner.com.');
    const part = await open().run('who', 'ana');
    expect(part.stderr).toBe("Nobody is ana. Names are matched as a whole: try '*ana*'.\n");
  });

  it('refuses an empty pattern instead of finding nobody', async () => {
    const { code, stderr } = await open().run('who', '');
    expect(code).toBe(1);
    expect(stderr).toContain('A pattern is empty.');
  });

  it('leaves nothing out on a narrow terminal: what has no column stands below the name', async () => {
    let written = '';
    const stdout: Output = { write: (text) => (written += text), isTerminal: true, width: 60 };
    await workspaceIn(makeFolder(files), {}, { stdout }).run('--no-color', 'who', 'kim@partner.com', 'li@acme.com');
    expect(written).toBe(
      [
        'kim@partner.com',
        '  schedules.direct',
        '    csv, at 09:00 on Monday Europe/London',
        '    almanac.yaml:7, variable kim',
        '',
        'li@acme.com',
        '  schedules.item.emea',
        '    csv, at 09:00 on Monday Europe/London',
        '    schedules/a.yaml:35, item emea',
        '',
        '2 recipients of 2 resources.',
        '',
      ].join('\n'),
    );
  });

  it('names those who are declared where a sink of the environment receives it instead', async () => {
    const workspace = workspaceIn(makeFolder({ ...files, 'schedules/b.yaml': '' }), {});
    const asJson = ['--env', 'staging', '--format', 'json'];
    const { stdout } = await workspace.run('who', 'cfo@acme.com', 'tests@acme.com', ...asJson);
    const { recipients } = JSON.parse(stdout) as WhoDocument;
    expect(recipients).toMatchObject([{ recipient: 'cfo@acme.com', deliveries: [{ sink: 'staging' }] }]);
  });

  it('takes ids from the state, also for what is still to be moved', async () => {
    const workspace = open();
    const at = '2026-01-01T00:00:00Z';
    const resource = (id: string) => ({ id, attributes: {}, createdAt: at, updatedAt: at });
    const resources = { 'schedules.audience': resource('one'), 'schedules.former': resource('two') };
    const header = { version: 2, lineage: 'a', serial: 1, toolVersion: '0', baseUrl: config.api.baseUrl, salt: 'AAAA' };
    workspace.write({
      'almanac.state.json': { ...header, resources, orphans: [], unresolved: [] },
      'schedules/moved.yaml': 'moved: [{ from: schedules.former, to: schedules.direct }]\n',
    });
    const { stdout, stderr } = await workspace.run('who', '--format', 'csv', '*@acme.com');
    expect(stderr).toBe('');
    expect(stdout.split('\r\n')[0]).toMatch(/^recipient,kind,address,id,/);
    expect(stdout).toContain('ana@acme.com,email,schedules.direct,two,');
    expect(stdout).toContain('cfo@acme.com,email,schedules.audience,one,');
  });

  it('names the audience that gives a user group, and the schedule that names one itself', async () => {
    const text = email('board', '[ana@acme.com]\n    userGroups: [Owners, "${audience.finance}"]');
    const source = `audiences:\n  finance: { userGroups: [Finance] }\nschedules:\n${text}`;
    const workspace = workspaceIn(makeFolder({ 'almanac.yaml': config, 'schedules/a.yaml': source }), {});
    const { stdout } = await workspace.run('who', '--format', 'json');
    const { recipients } = JSON.parse(stdout) as WhoDocument;
    expect(recipients.map(({ recipient, kind, deliveries }) => [recipient, kind, deliveries[0]?.via])).toEqual([
      ['Finance', 'group', { kind: 'audience', name: 'finance' }],
      ['Owners', 'group', { kind: 'resource' }],
      ['ana@acme.com', 'email', { kind: 'resource' }],
    ]);
  });

  it('names the people, the user groups by id and the channels of routines', async () => {
    const group = '8f14e45f-ceea-467f-9ab3-0c1f2b3d4e5f';
    const routine = {
      modelId: ids.model,
      prompt: 'What changed?',
      schedule: '0 9 ? * MON *',
      timezone: 'Europe/London',
    };
    const declared = {
      audiences: { board: { emails: ['cfo@acme.com'] } },
      routines: {
        mail: {
          ...routine,
          name: 'Mail',
          destination: { type: 'email', recipientEmails: '${audience.board}', userGroupIds: [group] },
        },
        chat: {
          ...routine,
          name: 'Chat',
          destination: { type: 'slack', recipientId: 'C0123456789', slackRecipientType: 'channel' },
        },
      },
    };
    const workspace = workspaceIn(makeFolder({ 'almanac.yaml': config, 'schedules/a.yaml': declared }), {});
    const { stdout } = await workspace.run('who', '--format', 'csv');
    const rows = stdout
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, 3).join());
    expect(rows).toEqual([
      `${group},group,routines.mail`,
      'C0123456789,slack,routines.chat',
      'cfo@acme.com,email,routines.mail',
    ]);
    expect((await workspace.run('who', '8f14*')).stdout).toContain(
      `group ${group}  routines.mail  at 09:00 on Monday Europe/London`,
    );
    expect((await workspace.run('who', '--external', group)).stdout).toBe('Nobody.\n');
  });

  it('refuses --external where no domain is internal, and a workspace that needs --env without it', async () => {
    const without = workspaceIn(makeFolder({ ...files, 'almanac.yaml': { ...config, safety: {} } }), {});
    const external = await without.run('who', '--external');
    expect(external.code).toBe(1);
    expect(external.stderr).toContain('no domain is listed');
    const strict = { ...files, 'almanac.yaml': { ...config, environmentRequired: true } };
    const refused = await workspaceIn(makeFolder(strict), {}).run('who');
    expect(refused.stderr).toContain('Add --env with one of: staging.');
  });
});
