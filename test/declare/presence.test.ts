// What exists in one environment, seen from another, and which of three declarations meet.

import { expect, it } from 'vitest';
import { load } from '../../src/declare/load/load.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

const clock = makeInstantClock(Date.UTC(2026, 10, 21));

function loadIn(environmentName: string | undefined, source: string) {
  const workspace = makeMemoryWorkspace({
    'almanac.yaml': 'environments: { staging: {}, production: {} }\n',
    'schedules/all.yaml': source,
  });
  return load({ workspace, environment: () => undefined, clock, environmentName });
}

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
    { code: 'dashboard-declared-twice', address: 'dashboards.c', concerns: 'dashboards.b' },
  ]);
});
