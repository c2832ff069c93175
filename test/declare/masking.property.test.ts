// No diagnostic of a declaration contains a secret: neither one that comes from the environment in any field, nor one
// that is written under the name of a secret field in any form.

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/declare/load/load.ts';
import { destinations, formats } from '../../src/model/fields/field.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { kinds, kindsInOrder } from '../../src/model/values/address.ts';
import { Secret } from '../../src/model/values/secret.ts';
import type { Finding } from '../../src/model/workspace/diagnostic.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';
import { someOf } from '../support/runs/runs.ts';

/** Before what is printed of them is masked as a whole. */
async function findingsOf(text: string, variable = ''): Promise<readonly Finding[]> {
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const workspace = makeMemoryWorkspace({ 'schedules/a.yaml': text });
  const loaded = await load({ workspace, environment: (name) => (name === 'X' ? variable : undefined), clock });
  return loaded.findings;
}

const said = (findings: readonly Finding[]) =>
  findings.map(({ message, hint, place }) => `${message} ${hint} ${JSON.stringify(place)}`).join('\n');

const secret = 'Hunter2';
/** Texts that break rules: each is wrong in many fields, and every part of it is secret. */
const values = [
  secret,
  `${secret} ${secret}`,
  `https://${secret}.example.com:99999/${secret}`,
  `${secret}@${secret}, ${secret}@${secret}`,
  `../${secret}`,
  `{{${secret}}}.csv`,
  `0 9 ? * ${secret} *`,
  `rate(${secret})`,
];
const forms = ['${env.X}', '["${env.X}", "${env.X}"]', '{ a: { values: ["${env.X}"] } }', 'x ${env.X}'];

describe.each(kindsInOrder)('a %s', (kind) => {
  const names = Object.keys(fieldsOf[kind]);

  it.each(names)(`no diagnostic of a ${kind} shows a value from the environment in %s`, async (name) => {
    const choices = [
      ...formats.map((format) => `format: ${format}`),
      ...destinations.map((to) => `destinationType: ${to}`),
    ].filter((choice) => !choice.startsWith(name));
    const all = values.flatMap((value) =>
      forms.flatMap((written) => choices.map((choice) => ({ value, written, choice }))),
    );
    for (const { value, written, choice } of someOf(all, 0.4)) {
      const text = `${kinds[kind].section}:\n  a:\n    ${choice}\n    ${name}: ${written}\n`;
      expect(said(await findingsOf(text, value))).not.toContain(secret);
    }
  });

  const secretNames = names.filter((name) => fieldsOf[kind][name]?.secret);
  it.each(secretNames)(`no diagnostic of a ${kind} shows the value of %s`, async (name) => {
    const written = [
      secret,
      `"${secret}"`,
      `[${secret}]`,
      `{ a: ${secret} }`,
      `{ ${secret}: 1 }`,
      `*${secret}`,
      `* ${secret}`,
      `!${secret} x`,
      `"${secret}`,
      `\${${secret}}`,
      `x\${var.${secret}`,
      '|\n      Hunter2',
      `&a ${secret}`,
      `@${secret}`,
      `x: ${secret}`,
    ];
    for (const value of written) {
      const text = `${kinds[kind].section}:\n  a:\n    destinationType: sftp\n    ${name}: ${value}\n`;
      expect(said(await findingsOf(text)), value).not.toContain(secret);
    }
    for (const number of ['0042734', '12e42734', '4273400000000000001', '0x42734', '42734.5']) {
      const text = `${kinds[kind].section}:\n  a:\n    destinationType: sftp\n    ${name}: ${number}\n`;
      expect(said(await findingsOf(text)), number).not.toContain('42734');
    }
  });
});

it('the record of where the values of a schedule come from holds nothing of a secret', async () => {
  const workspace = makeMemoryWorkspace({
    'almanac.yaml': 'variables: { user: ana }\n',
    'schedules/a.yaml': 'schedules: { a: { destinationType: sftp, password: "${var.user}-${env.PASSWORD}" } }\n',
  });
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const { desired } = await load({ workspace, environment: () => secret, clock });
  const [resource] = desired.resources;
  expect(resource?.attributes['password']).toBeInstanceOf(Secret);
  expect(resource?.origins?.given.size).toBe(1);
  expect(inspect(resource?.origins, { depth: null })).not.toContain(secret);
});
