// The environment variables of imported secrets.

import { expect, test } from 'vitest';
import {
  type ImportedSecret,
  identityOf,
  type NeededSecret,
  nameVariables,
  passwordOf as password,
  secretOf,
  type UsedVariable,
} from '../../../src/commands/import/import-variables.ts';
import { isReservedVariable } from '../../../src/model/values/references.ts';
import { secretsInUrl } from '../../../src/model/values/url-secrets.ts';

const hook = (value: string) => secretIn(`https://hooks.slack.com/services/${value}`);
const parameter = (host: string, name: string, value: string) => secretIn(`https://${host}/in?${name}=${value}`);

function secretIn(url: string): ImportedSecret {
  const [part] = secretsInUrl(url);
  if (part === undefined) throw new Error(`${url} holds no secret`);
  return secretOf(url, part);
}

function namesOf(secrets: readonly ImportedSecret[], used: readonly UsedVariable[] = []): readonly string[] {
  const needed = secrets.map((secret, index): NeededSecret => ({ secret, key: `report-${index + 1}` }));
  const names = nameVariables(needed, used);
  expect(nameVariables([...needed].reverse(), used)).toEqual(names);
  return secrets.map((secret) => names.get(identityOf(secret)) ?? '');
}

test('schedules of one server and user share a variable that is named after both', () => {
  const all = Array.from({ length: 31 }, (_, index) =>
    password(index < 30 ? 'sftp.partner.example' : 'SFTP.Partner.example', 'acme'),
  );
  expect(new Set(namesOf(all))).toEqual(new Set(['SFTP_PARTNER_EXAMPLE_ACME_PASSWORD']));
});

test('other users and other servers have variables of their own, even where the words are the same', () => {
  expect(namesOf([password('a.example', 'b_c'), password('a.example_b', 'c'), password('a.example', 'd')])).toEqual([
    'A_EXAMPLE_B_C_PASSWORD',
    'A_EXAMPLE_B_C_PASSWORD_2',
    'A_EXAMPLE_D_PASSWORD',
  ]);
});

test.each([
  [password('10.0.0.1', 'almanac'), 'SFTP_10_0_0_1_ALMANAC_PASSWORD'],
  [password('ci.example.com', 'almanac'), 'SFTP_CI_EXAMPLE_COM_ALMANAC_PASSWORD'],
  [password('売上', ''), 'PASSWORD'],
  [parameter('hooks.example.com', 'token', 'x'), 'HOOKS_EXAMPLE_COM_TOKEN'],
  [parameter('omni.example.com', 'api-key', 'x'), 'WEBHOOK_OMNI_EXAMPLE_COM_API_KEY'],
  [hook('T/B/x'), 'SLACK_HOOK'],
])('%j has the variable %s, which a declaration may read', (secret, name) => {
  expect(namesOf([secret])).toEqual([name]);
  expect(isReservedVariable(name)).toBe(false);
});

test('each secret of a URL has one variable, which names a schedule where there are several', () => {
  expect(namesOf([hook('a'), hook('b'), hook('a')])).toEqual([
    'SLACK_HOOK_REPORT_1',
    'SLACK_HOOK_REPORT_2',
    'SLACK_HOOK_REPORT_1',
  ]);
});

test('a variable that the workspace uses for the same secret is used again, and for no other', () => {
  const used = [
    { name: 'PARTNER', secret: password('a.example', 'b') },
    { name: 'SLACK_HOOK', secret: undefined },
  ];
  expect(namesOf([password('a.example', 'b'), hook('a')], used)).toEqual(['PARTNER', 'SLACK_HOOK_REPORT_2']);
});
