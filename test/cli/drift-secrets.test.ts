// A webhook's address and a user name that hold a secret: whoever changes one in Omni is noticed, although neither the
// state nor a report holds the value.

import { describe, expect, it } from 'vitest';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import { says } from '../support/vocabulary.ts';
import type { Workspace } from '../support/workspace.ts';
import { openApplied } from '../support/world.ts';

const hook = (key: string, variable = 'HOOK') => `  ${key}:
    identifier: 12db1a0a
    name: ${key.toUpperCase()}
    schedule: 0 9 ? * MON *
    timezone: Europe/London
    format: pdf
    destinationType: webhook
    url: https://hooks.example.com/services/\${env.${variable}}
`;
const drop = `  drop:
    identifier: 12db1a0a
    name: DROP
    schedule: 0 9 ? * MON *
    timezone: Europe/London
    format: csv
    destinationType: sftp
    address: sftp.example.com
    port: 22
    username: \${env.SFTP_USER}
    path: /in
    passwordUnencrypted: \${env.SFTP_PASSWORD}
`;
const declared = `schedules:\n${hook('a')}${hook('b')}${drop}`;
const secrets = { HOOK: 'T0000/first-key', SFTP_USER: 'ana-the-user', SFTP_PASSWORD: 'pass-word-1' };
const elsewhere = 'https://user:w0rd@chat.example.net:8443/in/other-key?token=t0ken-of-theirs';

async function stage(text = declared, environment: Readonly<Record<string, string>> = secrets) {
  const workspace = await openApplied(text, { environment });
  const { emulator } = workspace;
  const given = (more: Readonly<Record<string, string>>) =>
    workspace.beside({}, { ...more, OMNI_API_TOKEN: workspace.organizationKey });
  const change = (name: string, field: string, value: string) =>
    workspace.change(name, (fields) => (fields[field] = value));
  const sentTo = (name: string, field: string) =>
    emulator.data().schedules.find(({ fields }) => fields['name'] === name)?.fields[field];
  const drift = async (at: Workspace = workspace, ...argv: readonly string[]) => {
    const ran = await at.run('drift', '--deep', '--format', 'json', ...argv);
    if (ran.code === 1) throw new Error(ran.stdout + ran.stderr);
    return { ...ran, document: JSON.parse(ran.stdout) as DriftDocument };
  };
  return { emulator, workspace, given, change, sentTo, drift };
}

const noValue = /first-key|second-key|other-key|t0ken-of-theirs|w0rd|ana-the-user|bo-the-user|pass-word/;

describe('a secret that Omni shows', () => {
  it.each([
    ['the address', 'A', 'url', 'services/${env.HOOK}', elsewhere, 'https://chat.example.net:8443/(sensitive)'],
    [
      'only the key, on the same host',
      ...['B', 'url', 'services/${env.HOOK}', 'https://hooks.example.com/services/T0000/other-key'],
      'https://hooks.example.com/(sensitive)',
    ],
    ['a user name, of which nothing is shown', 'DROP', 'username', '${env.SFTP_USER}', 'bo-the-user', '(sensitive)'],
  ] as const)('is drift if somebody changed %s', async (_, name, field, declaredAs, value, shown) => {
    const { workspace, change, drift } = await stage();
    change(name, field, value);
    const { code, document, stdout } = await drift();
    expect(code).toBe(2);
    const before = expect.stringContaining(declaredAs);
    const diff = [{ path: `/${field}`, op: 'change', before, after: shown, sensitive: true }];
    expect(document.drift).toEqual([{ address: `schedules.${name.toLowerCase()}`, diff }]);
    const text = await workspace.run('drift', '--deep');
    expect(text.stdout).toContain(shown);
    expect(stdout + text.stdout + text.stderr).not.toMatch(noValue);
    expect((await drift(workspace, '--write')).document.notWritten).toMatchObject([{ reason: 'secret' }]);
    expect(workspace.read('schedules/all.yaml')).toBe(declared);
  });

  it('a secret that Omni shows stays as it is after apply --refresh-only, until the next apply sets it back', async () => {
    const { workspace, change, sentTo } = await stage();
    change('A', 'url', elsewhere);
    await workspace.apply('--refresh=deep', '--refresh-only');
    expect(workspace.read('almanac.state.json')).toContain('https://chat.example.net:8443/(sensitive)');
    expect(workspace.read('almanac.state.json')).not.toMatch(noValue);
    expect((await workspace.plan('--refresh=deep')).changes).toMatchObject([{ address: 'schedules.a', requests: 1 }]);
    await workspace.apply('--refresh=deep');
    expect(sentTo('A', 'url')).toBe('https://hooks.example.com/services/T0000/first-key');
  });

  it('a secret that Omni shows is compared without the environment variable, which only an apply needs', async () => {
    const { given, change, drift } = await stage();
    const bare = given({});
    expect((await drift(bare)).document).toMatchObject({ drift: [] });
    change('A', 'url', elsewhere);
    expect((await drift(bare)).document.drift).toMatchObject([{ address: 'schedules.a' }]);
    expect((await bare.run('apply', '--refresh=deep', '--auto-approve')).stderr).toContain('HOOK');
  });

  it('a secret that Omni shows is no drift if the variable has a new value that is not applied yet, and not sent if Omni has it already', async () => {
    const { given, change, drift } = await stage();
    const rotated = given({ ...secrets, HOOK: 'T0000/second-key' });
    expect(await drift(rotated)).toMatchObject({ code: 0, document: { drift: [] } });
    const { changes } = await rotated.plan('--refresh=deep');
    expect(changes.map(({ address, reason }) => `${address} ${reason}`)).toEqual([
      'schedules.a changed',
      'schedules.b changed',
    ]);
    for (const name of ['A', 'B']) change(name, 'url', 'https://hooks.example.com/services/T0000/second-key');
    expect((await drift(rotated)).document.asDeclared).toEqual(['schedules.a', 'schedules.b']);
    expect((await rotated.plan('--refresh=deep')).changes.map(({ requests }) => requests)).toEqual([0, 0]);
    await rotated.apply('--refresh=deep');
    expect(await rotated.plan('--refresh=deep')).toMatchObject({ drift: [], changes: [] });
    expect((await drift(rotated)).document.asDeclared).toBeUndefined();
  });

  it('a secret that Omni shows is compared once the list shows another change of the same schedule', async () => {
    const { workspace, change } = await stage();
    change('A', 'url', elsewhere);
    expect(await workspace.run('drift')).toMatchObject({ code: 0 });
    change('A', 'timezone', 'UTC');
    const { drift } = await workspace.plan('--refresh');
    expect(drift.flatMap(({ diff }) => diff.map(({ path }) => path)).sort()).toEqual(['/timezone', '/url']);
  });

  it('a secret that Omni shows is not compared under another key, and drift says so', async () => {
    const { workspace, given, change, drift } = await stage(declared, {
      ...secrets,
      ALMANAC_STATE_KEY: 'a-key-that-is-long-enough-for-this',
    });
    change('A', 'url', elsewhere);
    expect((await drift(workspace)).code).toBe(2);
    for (const other of [{}, { ALMANAC_STATE_KEY: 'another-key-that-is-long-enough-too' }]) {
      const at = given({ ...secrets, ...(other as Readonly<Record<string, string>>) });
      const { code, document } = await drift(at);
      expect([code, document.secretsNotCompared]).toEqual([0, 3]);
      expect(document.diagnostics.map(({ code: name }) => name)).toContain('other-state-key');
      expect((await at.run('drift', '--deep')).stdout).toEqual(
        says('3 schedules hold a secret that was not compared with what Omni has'),
      );
    }
  });

  it('a secret that Omni shows is compared in plain text where it was no secret when it was applied', async () => {
    const plain = declared.replace('services/${env.HOOK}', 'services/T0000/first-key');
    const { workspace, change, drift } = await stage(plain);
    workspace.write({ 'schedules/all.yaml': declared });
    expect((await drift()).document.drift).toEqual([]);
    change('A', 'url', elsewhere);
    const { document, stdout } = await drift();
    expect(document.drift).toMatchObject([{ address: 'schedules.a' }]);
    expect(stdout).not.toMatch(/other-key|t0ken-of-theirs|w0rd/);
  });
});
