// `almanac test`: one delivery now, to recipients that it names, without a trace in the state.

import { describe, expect, it } from 'vitest';
import { ids, routineBody } from '../support/emulator/start-emulator.ts';
import { says } from '../support/vocabulary.ts';
import { type Declared, inBrief, openWorld, type WorldOptions } from '../support/world.ts';

const common = { identifier: '12db1a0a', schedule: '0 9 ? * MON *', timezone: 'Europe/London', format: 'csv' };
const schedules = {
  mail: {
    ...common,
    name: 'Mail',
    destinationType: 'email',
    recipients: ['ana@example.com', 'bo@example.com'],
    subject: 'Hi',
    paused: true,
    lifecycle: { preventDestroy: true },
  },
  chat: { ...common, name: 'Chat', destinationType: 'slack', slackRecipientType: 'users', recipients: 'U1, U2' },
  drop: {
    ...common,
    name: 'Drop',
    destinationType: 'sftp',
    address: 'sftp://sftp.example.com/incoming',
    port: 22,
    username: 'omni',
    path: '/in',
    passwordUnencrypted: '${env.SFTP_PASSWORD}',
  },
  hook: { ...common, name: 'Hook', destinationType: 'webhook', url: 'http://127.0.0.1:9/${env.HOOK_KEY}' },
  bucket: {
    ...common,
    name: 'Bucket',
    destinationType: 's3',
    bucketName: 'acme-reports',
    region: 'eu-west-1',
    roleArn: 'arn:aws:iam::123456789012:role/omni',
  },
  changed: {
    ...common,
    name: 'Changed',
    destinationType: 'webhook',
    url: 'http://127.0.0.1:9/x',
    conditionType: 'RESULTS_CHANGED',
    conditionQueryMapKey: '1',
  },
};
const secrets = { SFTP_PASSWORD: 'sftp-pass-word-1', HOOK_KEY: 'token-4711' };
const declared = {
  schedules,
  dashboards: { sales: { identifier: '12db1a0a', filters: { region: { values: ['EU'] } } } },
  routines: { digest: routineBody({ owner: 'ana@example.com' }) },
};

const stage = async (options: WorldOptions = {}, files: Declared = declared) => {
  const world = await openWorld(files, { environment: secrets, ...options });
  return { ...world, sent: () => inBrief(world.asked()) };
};

describe('almanac test', () => {
  it.each([
    ['mail', ['by e-mail to 2 recipients:', 'ana@example.com', 'bo@example.com']],
    ['chat', ['to Slack, users:', 'U1', 'U2']],
    ['drop', ['by SFTP to:', 'omni@sftp.example.com:22/incoming /in']],
    ['hook', ['to the webhook:', 'http://127.0.0.1:9/${env.HOOK_KEY}']],
  ])('almanac test delivers %s and says to whom', async (key, words) => {
    const { emulator, sent, ...workspace } = await stage();
    const ran = await workspace.run('test', `schedules.${key}`, '--auto-approve');
    expect(ran).toMatchObject({
      code: 0,
      stdout: `Omni was asked to deliver schedules.${key} once, now. The state did not change.\n`,
    });
    for (const word of words) expect(ran.stderr).toContain(word);
    expect(sent()).toEqual(['POST /schedules']);
    expect(emulator.data()).toMatchObject({ schedules: [], deliveries: [{ name: schedules[key as 'mail'].name }] });
    expect(() => workspace.state()).toThrow();
    for (const secret of Object.values(secrets)) expect(`${ran.stdout}${ran.stderr}`).not.toContain(secret);
  });

  it.each([
    ['schedules.bucket', 'no test delivery to S3'],
    ['schedules.changed', 'RESULTS_CHANGED'],
    ['dashboards.sales', 'is not a schedule'],
    [
      'routines.digest',
      'is a routine, and the service has no test delivery of a routine. Nothing was done. hint: almanac trigger',
    ],
    ['schedules.gone', 'is not declared'],
    ['schedules.mial', 'Did you mean `schedules.mail`?'],
    ['mial', 'Did you mean `schedules.mail`?'],
    ['digest', '`routines.digest` is a routine'],
  ])('almanac test refuses %s: %s', async (address, words) => {
    const { sent, ...workspace } = await stage();
    const ran = await workspace.run('test', address, '--auto-approve');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toEqual(says(words));
    expect(sent()).toEqual([]);
  });

  it('almanac test asks on a terminal, and only yes is accepted', async () => {
    const asked: string[] = [];
    let answer = 'y';
    const ask = async (question: string) => {
      asked.push(question);
      return answer;
    };
    const { sent, ...workspace } = await stage({ outside: { asker: () => ask } });
    expect(await workspace.run('test', 'schedules.mail')).toMatchObject({ code: 1 });
    expect(sent()).toEqual([]);
    const without = workspace.beside({ asker: () => undefined });
    expect((await without.run('test', 'schedules.mail')).stderr).toContain(
      'no terminal to ask on, so nothing was sent',
    );
    answer = 'yes';
    const ran = await workspace.run('test', 'schedules.mail', '-q');
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('ana@example.com') });
    expect(asked).toHaveLength(2);
    expect(sent()).toHaveLength(1);
  });

  it('almanac test refuses to deliver if a secret is not set or the files have errors', async () => {
    const { sent, ...workspace } = await stage({ environment: {} });
    const { stderr } = await workspace.run('test', 'schedules.drop', '--auto-approve');
    expect(stderr).toContain('SFTP_PASSWORD');
    expect(stderr).not.toContain('HOOK_KEY');
    expect((await workspace.run('test', 'schedules.mail', '--auto-approve')).code).toBe(0);
    workspace.write({ 'schedules/bad.yaml': { schedules: { bad: { name: 'x' } } } });
    expect((await workspace.run('test', 'schedules.mail', '--auto-approve')).code).toBe(1);
    expect(sent()).toHaveLength(1);
  });

  it('almanac test delivers with the rights of the declared owner, whose address is looked up', async () => {
    const mail = { ...schedules.mail, owner: 'BO@example.com' };
    const { emulator, ...workspace } = await stage({}, { schedules: { mail } });
    await workspace.run('test', 'schedules.mail', '--auto-approve');
    expect(emulator.data().deliveries).toMatchObject([{ ownerId: ids.bo }]);
    await workspace.apply();
    expect(emulator.data().schedules).toMatchObject([{ ownerId: ids.bo }]);
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['nobody has the address of the owner', 'eve@example.com', {}, 'Nobody in the organization has the address eve@'],
    ['the token may not look people up', 'bo@example.com', { OMNI_API_TOKEN: 'omni_pat_x' }, 'an organization key'],
  ])('almanac test refuses like an apply, before it delivers, where %s', async (_, owner, environment, words) => {
    const mail = { ...schedules.mail, owner };
    const { emulator, ...workspace } = await stage({ environment }, { schedules: { mail } });
    const ran = await workspace.run('test', 'schedules.mail', '--auto-approve');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toEqual(says('error[blocked]'));
    expect(ran.stderr).toEqual(says(words));
    expect(emulator.data().deliveries).toEqual([]);
  });

  it('almanac test is not sent again if its answer was lost', async () => {
    const { sent, emulator, ...workspace } = await stage({ faults: [{ fault: 'drop-after' }] });
    const ran = await workspace.run('test', 'schedules.mail', '--auto-approve');
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('before you send it') });
    expect(sent()).toHaveLength(1);
    expect(emulator.data().deliveries).toHaveLength(1);
  });
});
