// Threat: somebody who may write the state, but merges nothing, makes the next apply overwrite any schedule in Omni: the
// state gives a declared schedule the id of another one, and says that an update of it was lost.

import { expect, it } from 'vitest';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

async function planted() {
  const workspace = await openApplied({ schedules: { hook, weekly } });
  const { resources, ...state } = workspace.state();
  const { 'schedules.weekly': board, 'schedules.hook': own } = resources;
  if (board === undefined || own === undefined) throw new Error('not applied');
  // With the dashboard and the name of the other one, as an update would have sent them.
  const { identifier, name } = weekly;
  const attributes = { ...own.attributes, identifier, name };
  workspace.write({
    'schedules/all.yaml': { schedules: { hook } },
    'almanac.state.json': {
      ...state,
      serial: state.serial + 1,
      resources: { 'schedules.hook': { ...own, id: board.id } },
      unresolved: [{ address: 'schedules.hook', action: 'update', since: own.updatedAt, attributes }],
    },
    'nothing.txt': '',
  });
  return { ...workspace, boardId: board.id };
}

it('an unresolved update that is planted in the state is refused where nothing was reviewed, and nothing is sent', async () => {
  const { run, sent } = await planted();
  const { code, stdout, stderr } = await run('apply', '--auto-approve', '--expect-changes', 'nothing.txt');
  expect(code, stdout + stderr).toBe(1);
  expect(stderr).toContain('error[blocked]: The state and Omni disagree about an id.');
  expect(sent()).toEqual([]);
});

it('the plan of any pull request shows an unresolved update that is planted in the state', async () => {
  const { plan, boardId } = await planted();
  expect((await plan()).changes).toMatchObject([
    { address: 'schedules.hook', action: 'update', reason: 'unresolved', id: boardId, digest: expect.any(String) },
  ]);
});
