// The transfers of `almanac offboard --apply`: a run that is interrupted, and what is asked first. The rest is in the
// transcripts.

import { describe, expect, it } from 'vitest';
import { probeName, probeRun } from '../../src/model/service/remote.ts';
import { connecting } from '../support/cli/connecting.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { hook } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const ana = 'ana@example.com';
const bo = 'bo@example.com';

/** One tracked schedule of Ana's and one that is untracked. */
async function openOrganization() {
  const stage = await openApplied({ schedules: { plain: hook({ userId: ids.ana }) } });
  return { stage, mine: stage.makeByHand(hook({ name: 'Ad hoc' }), { ownerId: ids.ana }) };
}

const ownerOf = (stage: World, id: string) => stage.emulator.data().schedules.find((each) => each.id === id)?.ownerId;
const transfers = (stage: World) => stage.sent().filter((line) => line.endsWith('/transfer-ownership'));

describe('what somebody owns who leaves', () => {
  it('an interruption between two transfers says what is left, and the next run does the rest', async () => {
    const { stage, mine } = await openOrganization();
    const interruption = new AbortController();
    const workspace = stage.beside({
      signal: interruption.signal,
      connect: connecting(({ transferOwnership }) => ({
        transferOwnership: async (...call) => {
          await transferOwnership(...call);
          interruption.abort();
        },
      })),
    });
    const { code, stdout } = await workspace.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    expect(code).toBe(1);
    expect(stdout).toContain(
      `Not sent: "Ad hoc" (${mine})\n  The run was interrupted.\nTransferred 1 schedule to ${bo}.`,
    );
    expect(transfers(stage)).toHaveLength(1);
    await stage.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    expect(transfers(stage)).toEqual([`PUT /api/v1/schedules/${mine}/transfer-ownership`]);
    expect(ownerOf(stage, mine)).toBe(ids.bo);
  });

  it('offboard asks before it transfers, and sends nothing where the answer is no', async () => {
    const { stage } = await openOrganization();
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return 'no';
    };
    const { code, stderr } = await stage.beside({ asker: () => ask }).run('offboard', ana, '--to', bo, '--apply');
    expect(code).toBe(1);
    expect(questions[0]).toContain(`Transfer 2 schedules to ${bo} at http`);
    expect(stderr).toContain('The transfer was not confirmed');
    expect(stage.sent()).toEqual([]);
  });

  it('a schedule of a probe is not theirs, because the probe deletes it', async () => {
    const stage = await openApplied({ schedules: { kept: hook({ userId: ids.bo }) } });
    const named = { name: probeName(crypto.randomUUID()), schedule: probeRun };
    const probe = stage.makeByHand(hook(named), { ownerId: ids.ana });
    const busy = stage.makeByHand(hook({ ...named, schedule: '0 9 * * ? *' }), { ownerId: ids.ana });
    const { stdout } = await stage.run('offboard', ana, '--format', 'json');
    expect(stdout).not.toContain(probe);
    expect(stdout).toContain(busy);
  });

  it('the question names every schedule, however many there are', async () => {
    const stage = await openApplied({ schedules: { kept: hook({ userId: ids.bo }) } });
    const made = Array.from({ length: 12 }, (_, index) =>
      stage.makeByHand(hook({ name: `Made ${index}` }), { ownerId: ids.ana }),
    );
    const { stderr } = await stage.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    for (const id of made) expect(stderr).toContain(`(${id})`);
  });
});
