// What exists in one environment, seen from another, and which of three declarations meet.

import { expect, it } from 'vitest';
import { load } from '../../src/declare/load/load.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

const clock = makeInstantClock(Date.UTC(2026, 10, 21));

function loadIn(environmentName: string | undefined, source: string, staging = '{}', everywhere = false) {
  const workspace = makeMemoryWorkspace({
    'almanac.yaml': `environments: { staging: ${staging}, production: {} }\n`,
    'schedules/all.yaml': source,
    'schedules/bad.csv': 'code,to\nemea,a@acme.com\nemea,b@acme.com\n',
  });
  return load({ workspace, environment: () => undefined, clock, environmentName, everywhere });
}

/** A loop of schedules; with `only`, in production alone. */
const loop = (items: string, recipients = '"${each.to}"', only = 'in: [production],') =>
  `schedules: { group: { ${only} ${items}, name: "G \${each.key}", identifier: x, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email, subject: x, ${recipients && `recipients: ${recipients}`} } }\n`;

it.each([
  ['a variable in an item', loop('forEach: { emea: { to: ["${var.nobody}"] } }'), ['unknown-variable']],
  ['a name that an item lacks', loop('forEach: { emea: { to: [a@acme.com] }, apac: {} }'), ['for-each-missing']],
  ['the variable of its items', loop('forEach: "${var.customers}"'), ['unknown-variable']],
  ['the file of its rows', loop('forEachRow: { file: none.csv, key: code }'), ['unreadable-reference']],
  ['a row of its file', loop('forEachRow: { file: bad.csv, key: code }', '["${each.to}"]'), ['for-each-key']],
  ['a column of its file', loop('forEachRow: { file: bad.csv, key: none }'), ['for-each-rows']],
  ['an audience', loop('forEach: { emea: { to: ["${audience.nobody}"] } }'), ['unknown-audience']],
  [
    'a variable of an audience that nobody else uses',
    `${loop('forEach: { emea: { to: ["${audience.sales}"] } }')}audiences: { sales: { emails: ["\${var.nobody}"] } }\n`,
    ['unknown-variable'],
  ],
  [
    'a default of its file, which says where it exists',
    `defaults: { schedules: { in: [production], recipients: ["\${var.nobody}"] } }\n${loop('forEach: { emea: {} }', '', '')}`,
    ['unknown-variable'],
  ],
  [
    'an entry about an instance that only production knows',
    `${loop('forEach: "${var.customers}"')}adopt: [{ to: schedules.group.acme, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 }]\nmoved: [{ from: schedules.old, to: schedules.group.emea }]\n`,
    ['invalid-adopt', 'invalid-moved', 'unknown-variable'],
  ],
])('of a loop that exists in production only is not checked in staging: %s', async (_, source, codes) => {
  const codesIn = async (name?: string, staging?: string, text = source) =>
    (await loadIn(name, text, staging)).findings.map(({ code }) => code).sort();
  expect(await codesIn('staging')).toEqual([]);
  expect(await codesIn('production')).toEqual(codes);
  expect(await codesIn()).toEqual(codes);
  // `skip` does for everything that delivers by e-mail what `in` does for one loop.
  const everywhere = source.replace(/in: \[production\],/, '');
  expect(await codesIn('staging', '{ deliver: { email: skip } }', everywhere)).toEqual([]);
  expect(await codesIn(undefined, '{ deliver: { email: skip } }', everywhere)).toEqual(codes);
});

it.each([
  ['a schedule', loop('fanOut: true', '["${to}", "${audience.sales}"]')],
  ['a loop', loop('forEach: { emea: { to: ["${to}"] } }')],
  [
    'what takes an audience from a default',
    `defaults: { schedules: { recipients: ["\${audience.sales}"] } }\n${loop('subject: "${to}"', '')}`,
  ],
])('what is wrong with %s of production is found in staging only where all is resolved', async (_, source) => {
  const text = `${source.replace(', subject: x', '')}audiences: { sales: { emails: [a@acme.com] } }\n`;
  const found = async (...[name, everywhere]: [string, boolean?]) =>
    (await loadIn(name, text, '{}', everywhere)).findings.filter(({ code }) => code === 'invalid-interpolation');
  expect(await found('staging')).toEqual([]);
  expect(await found('staging', true)).not.toEqual([]);
  expect(await found('production')).toEqual(await found('staging', true));
  const addresses = async (everywhere: boolean) =>
    (await loadIn('staging', text, '{}', everywhere)).desired.absent?.map(({ address }) => address);
  expect(await addresses(false)).toEqual(await addresses(true));
});

it('an adoption of what exists in production only is left out of staging', async () => {
  const source = [
    'schedules:',
    '  a: { in: [production], identifier: x, name: A, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf,',
    '    destinationType: email, recipients: [ana@example.com], subject: A }',
    'adopt: [{ to: schedules.a, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7 }]',
    '',
  ].join('\n');
  const adopted = async (name: string) => (await loadIn(name, source)).desired.adoptions.map(({ to }) => to);
  expect(await adopted('production')).toEqual(['schedules.a']);
  expect(await adopted('staging')).toEqual([]);
});

it('two declarations of a dashboard that meet in staging are an error, though the first is in production only', async () => {
  const declared = (key: string, name: string) => `  ${key}: { in: [${name}], identifier: x, filterOrder: [a] }\n`;
  const source = `dashboards:\n${declared('a', 'production')}${declared('b', 'staging')}${declared('c', 'staging')}`;
  expect((await loadIn(undefined, source)).findings).toMatchObject([
    { code: 'dashboard-declared-twice', address: 'dashboards.c', concerns: ['dashboards.b'] },
  ]);
});
