// A difference that the service does not take over is sent once and then said, until somebody changes something.

import { expect, it, onTestFinished } from 'vitest';
import { connectHttpApi } from '../../src/adapters/http/http-api.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { ConnectApi } from '../../src/ports/api.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeFolder, start, workspaceIn } from '../support/workspace.ts';

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

/** A service that keeps its own `schedule` whatever an update says, and a person who changes it there. */
async function stubbornStage() {
  let minutes = 0;
  let held: string | undefined;
  let puts = 0;
  const emulator = createEmulator({ rateLimit: 0, operations: 'full', now: () => start + minutes * 60_000 });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const connect: ConnectApi = async (settings) => {
    const api = await connectHttpApi({ ...settings, clock: makeInstantClock(start), version: '0.1.0' });
    return {
      ...api,
      updateSchedule: (id, attributes, options) => {
        puts += 1;
        return api.updateSchedule(id, { ...attributes, ...(held === undefined ? {} : { schedule: held }) }, options);
      },
    };
  };
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl, operations: 'full', rateLimit: 0 } },
    'schedules/all.yaml': { schedules: { weekly } },
  });
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: organizationKey }, { connect });
  await workspace.apply();
  const id = workspace.state().resources['schedules.weekly']?.id ?? '';
  return {
    ...workspace,
    puts: () => puts,
    holdOn: (schedule: string | undefined) => {
      held = schedule;
    },
    later: (by: number) => {
      minutes += by;
    },
    changeInOmni: async (schedule: string) => {
      const response = await fetch(`${baseUrl}/v1/schedules/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${organizationKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...weekly, schedule }),
      });
      expect(response.status).toBe(200);
    },
  };
}

const noon = '0 12 ? * MON *';

it('a difference that is still there after two updates is said and not sent a third time', async () => {
  const stage = await stubbornStage();
  await stage.changeInOmni(noon);
  stage.holdOn(noon);
  expect(await stage.apply('--refresh')).toMatchObject({ summary: { applied: 1 } });
  expect(await stage.apply('--refresh')).toMatchObject({ summary: { applied: 1 } });
  expect(stage.puts()).toBe(2);
  for (const _ of [1, 2]) {
    const again = await stage.run('apply', '--auto-approve', '--refresh');
    expect(again.code).toBe(0);
    expect(inOneLine(again.stderr + again.stdout)).toContain('Omni did not take over `schedule`');
  }
  expect(stage.puts()).toBe(2);
  expect((await stage.run('drift')).code).toBe(0);
});

it('it is sent again once the declaration or the schedule in Omni has another value', async () => {
  const stage = await stubbornStage();
  await stage.changeInOmni(noon);
  stage.holdOn(noon);
  await stage.apply('--refresh');
  await stage.apply('--refresh');
  expect((await stage.plan('--refresh')).changes).toEqual([]);
  await stage.changeInOmni('0 13 ? * MON *');
  expect((await stage.plan('--refresh')).summary).toMatchObject({ update: 1 });
  stage.holdOn(undefined);
  await stage.apply('--refresh');
  expect((await stage.plan('--refresh')).changes).toEqual([]);
  stage.write({ 'schedules/all.yaml': { schedules: { weekly: { ...weekly, schedule: '0 10 ? * MON *' } } } });
  expect((await stage.plan('--refresh')).summary).toMatchObject({ update: 1 });
});

it('a person who makes the same change again later is undone again', async () => {
  const stage = await stubbornStage();
  for (const _ of [1, 2, 3]) {
    stage.later(10);
    await stage.changeInOmni(noon);
    expect(await stage.apply('--refresh')).toMatchObject({ summary: { applied: 1 } });
    expect((await stage.plan('--refresh')).changes).toEqual([]);
  }
});
