// Exit code 2 goes before 1 in every command that looks.
// What was found counts also where the command could not find out everything.

import { expect, test } from 'vitest';
import { proofCode } from '../../src/commands/prove/make-proof.ts';
import type { ProveDocument, Reason } from '../../src/commands/prove/prove-document.ts';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const board = 'a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31';
const report = (name: string, more: object = {}) =>
  mail({ identifier: '7ae01c55', name, filterConfig: { customer: { values: [name] } }, ...more });
const schedules = {
  a: report('North', { recipients: ['cfo@north.example'] }),
  b: report('South', { userGroups: ['Board'] }),
};
const safety = { internalDomains: ['example.com'], rows: { filters: ['customer'], allow: 'tenants.csv' } };
const files = { 'tenants.csv': 'shows,receiver\nNorth,north.example\nSouth,Board\n', schedules };

/** After it was applied, Omni refuses to show who receives the second report. */
async function open(isWrong: boolean, isOpen: boolean) {
  let refuses = false;
  const world = await openWorld(files, {
    config: { safety },
    outside: {
      connect: connecting((api) => ({
        getRecipients: async (...given) => {
          if (refuses) throw refusal(403);
          return api.getRecipients(...given);
        },
        getSchedule: async (...given) => {
          const found = await api.getSchedule(...given);
          if (refuses && found.name === 'South') throw refusal(403);
          return found;
        },
      })),
    },
  });
  world.emulator.edit(({ documents }) => {
    for (const document of documents) if (document.identifier === '7ae01c55') document.sharedWithGroups = [board];
  });
  const applied = await world.run('apply --auto-approve -q');
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  refuses = isOpen;
  if (isWrong)
    world.change('North', (fields) => {
      fields['filterConfig'] = { customer: { type: 'string', kind: 'EQUALS', values: ['South'] } };
    });
  return world;
}

const codes = [
  [false, false, 0],
  [false, true, 1],
  [true, false, 2],
  [true, true, 2],
] as const;

test.each(['drift --deep', 'who --rows --online'].flatMap((command) => codes.map((row) => [command, ...row] as const)))(
  '`%s`, where something is wrong (%s) and something is not read (%s), exits with %i',
  async (command, isWrong, isOpen, expected) => {
    const { run } = await open(isWrong, isOpen);
    const { code, stdout, stderr } = await run(command);
    expect(code, stdout + stderr).toBe(expected);
  },
);

test.each(codes.filter(([isWrong, isOpen]) => isWrong || !isOpen))(
  '`status --retry missed`, where a run failed (%s) and a missed one cannot be delivered again (%s), exits with %i',
  async (isWrong, isOpen, expected) => {
    const faults = [
      ...(isWrong ? [{ fault: 'run-error', at: 1 } as const] : []),
      { fault: 'run-missed', at: 2 } as const,
      ...(isOpen ? [{ fault: '500', on: 'POST /v1/schedules', at: 3 } as const] : []),
    ];
    const daily = (name: string) => mail({ name, schedule: '0 9 * * ? *', timezone: 'UTC' });
    const world = await openWorld({ schedules: { a: daily('A'), b: daily('B') } }, { faults });
    world.until(1, 8);
    expect((await world.run('apply --auto-approve -q')).code).toBe(0);
    world.until(1, 10, 30);
    await world.run('status');
    const { code, stdout, stderr } = await world.run('status --retry missed --auto-approve');
    expect(code, stdout + stderr).toBe(expected);
  },
);

test.each(codes)(
  '`prove`, where a tile leaks (%s) and another cannot be told (%s), exits with %i',
  (isWrong, isOpen, expected) => {
    const report = (reason?: Reason) => ({
      address: 'schedules.a',
      selected: true,
      proven: reason === undefined,
      reason,
    });
    const reports = [report(), ...(isWrong ? [report('not-limited')] : []), ...(isOpen ? [report('cannot-tell')] : [])];
    const document = {
      dashboards: [{ identifier: '7ae01c55', tiles: [], reports }],
      withoutDashboard: [],
    } as unknown as ProveDocument;
    expect(proofCode(document, [])).toBe(expected);
  },
);
