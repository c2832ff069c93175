// An apply that changes the content and the owner, killed at every point on its way: the next one does the rest, the content
// is not sent again once the transfer has begun, and the schedule is never another one.

import { expect, it } from 'vitest';
import { connectHttpApi } from '../../src/service/http/http-api.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { daily } from '../support/cli/open-stage.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { withFaultPoints } from '../support/property/fault-points.ts';
import { workspaceIn } from '../support/workspace.ts';
import { openApplied } from '../support/world.ts';

const versions = [
  { name: 'First', owner: 'ana@example.com' },
  { name: 'Second', owner: 'bo@example.com' },
] as const;
const members = [ids.ana, ids.bo] as const;

it('an apply of content and owner that is killed anywhere is finished by the next one', async () => {
  const declared = (version: number) => ({ a: { ...daily, ...versions[version % 2] } });
  const stage = await openApplied({ schedules: declared(0) });
  const id = stage.idOf('schedules.a');
  const time = Date.UTC(2026, 2, 2);
  const clock = { now: () => time, monotonic: () => time, sleep: async () => undefined };
  const passed: string[] = [];
  let isDone = false;
  for (let kill = 1; !isDone; kill += 1) {
    stage.write({ 'schedules/all.yaml': { schedules: declared(kill) } });
    stage.sent();
    passed.length = 0;
    const reach = (point: string) => {
      if (passed.length + 1 >= kill) throw new Error('killed');
      passed.push(point);
    };
    const real = {
      openState: async (options: Parameters<typeof openFileState>[0]) => openFileState(options),
      connect: (settings: Parameters<typeof connectHttpApi>[0]) =>
        connectHttpApi({ ...settings, clock, version: 'test', environment: stage.environment }),
    };
    const dying = workspaceIn(stage, stage.environment, { clock, ...withFaultPoints(real as never, reach) });
    isDone = (await dying.run('apply', '--auto-approve')).code === 0;
    const before = stage.sent();
    await stage.apply();
    const after = stage.sent();

    const schedules = stage.emulator.data().schedules;
    expect(schedules.map((each) => [each.id, each.fields['name'], each.ownerId])).toEqual([
      [id, versions[kill % 2]?.name, members[kill % 2]],
    ]);
    expect((await stage.plan('--refresh')).changes).toEqual([]);
    const [content, transfer] = [`PUT /api/v1/schedules/${id}`, `PUT /api/v1/schedules/${id}/transfer-ownership`];
    const timesOf = (request: string) => [...before, ...after].filter((each) => each === request).length;
    expect([kill, timesOf(transfer)]).toEqual([kill, expect.toBeOneOf([1, 2])]);
    // The change is planned again as a whole, as it was reviewed.
    expect([kill, timesOf(content)]).toEqual([kill, expect.toBeOneOf([1, 2])]);
    if (isDone) expect([...before, ...after]).toEqual([content, transfer]);
  }
  expect(passed).toEqual(expect.arrayContaining(['after PUT schedule', 'after PUT owner']));
});
