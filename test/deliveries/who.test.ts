// Thousands of schedules and an audience that all of them share: the answer takes about as long as loading them.

import { expect, it } from 'vitest';
import { whoReceives } from '../../src/commands/who/who-receives.ts';
import { refuseErrors } from '../../src/declare/load/refuse-errors.ts';
import { appliedTo } from '../../src/plan/applied.ts';
import { loadFiles } from '../support/apply/loading.ts';
import { processorTime } from '../support/processor-time.ts';
import { runs } from '../support/runs/runs.ts';

const perFile = 10;

function fileOf(file: number): string {
  const schedules = Array.from({ length: perFile }, (_, index) => {
    const key = file * perFile + index;
    return `  s${key}:
    identifier: 12db1a0a
    name: Report ${key}
    schedule: 0 9 ? * MON *
    timezone: UTC
    format: pdf
    destinationType: email
    subject: Report
    recipients: [s${key}@example.com, "\${audience.all}"]
`;
  });
  return `schedules:\n${schedules.join('')}`;
}

it('who answers for thousands of schedules in a time that is in proportion to that of loading them', async () => {
  const files = Object.fromEntries(
    Array.from({ length: runs(500) }, (_, file) => [`schedules/f${String(file).padStart(4, '0')}.yaml`, fileOf(file)]),
  );
  const audience = 'audiences: { all: { emails: [all@example.com, board@example.com] } }\n';
  const began = processorTime();
  const loaded = await loadFiles({ 'almanac.yaml': '{}', ...files, 'schedules/lists.yaml': audience });
  const loading = processorTime() - began;
  refuseErrors(loaded, 'nothing was listed');
  const { recipients } = whoReceives({
    ...{
      loaded,
      applied: await appliedTo(loaded, undefined, {
        randomness: { bytes: () => '', uuid: () => '' },
        toolVersion: '0.1.0',
      }),
      patterns: [],
      external: false,
      nameOf: () => undefined,
    },
  });
  // The line of each recipient takes the yaml package, which needs four times as long as the load.
  expect(processorTime() - began - loading).toBeLessThan(12 * loading);
  expect(recipients).toHaveLength(10 * runs(500) + 2);
  expect(recipients[0]).toMatchObject({ recipient: 'all@example.com', deliveries: { length: 10 * runs(500) } });
  expect(recipients[0]?.deliveries[0]).toMatchObject({ file: 'schedules/lists.yaml', line: 1 });
});
