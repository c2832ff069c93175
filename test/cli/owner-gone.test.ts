// A schedule whose owner has left the organization: Omni has deleted it with the account. What plan, drift and apply say,
// and that it is not created again for somebody who is not there.

import { describe, expect, it } from 'vitest';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import { daily } from '../support/cli/open-stage.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const ana = 'ana@example.com';
const bo = 'bo@example.com';
const declare = (stage: World, a: object) =>
  stage.write({ 'schedules/all.yaml': { schedules: { a: { ...daily, ...a }, kept: { ...daily, name: 'Kept' } } } });

async function open(a: object, options?: Parameters<typeof openApplied>[1]): Promise<World> {
  const stage = await openApplied({ schedules: { a: { ...daily, ...a }, kept: { ...daily, name: 'Kept' } } }, options);
  stage.sent();
  // What was just created may not be found yet, and is asked for again.
  stage.until(2, 0);
  return stage;
}

/** As Omni does where a membership is revoked. */
function leave(stage: World, memberId: string): void {
  stage.emulator.edit((data) => {
    data.members = data.members.filter(({ id }) => id !== memberId);
    data.schedules = data.schedules.filter(({ ownerId }) => ownerId !== memberId);
  });
}

function removeOne(stage: World): void {
  const id = stage.idOf('schedules.a');
  stage.emulator.edit((data) => {
    data.schedules = data.schedules.filter((schedule) => schedule.id !== id);
  });
}

const lookups = (stage: World) => stage.emulator.requests().filter(({ path }) => path.includes('/scim/')).length;

describe('a schedule that was deleted with its owner’s account', () => {
  it.each([
    ['an address', { owner: bo }, bo],
    ['a membership id', { owner: ids.bo }, ids.bo],
    ['a userId', { userId: ids.bo }, ids.bo],
  ])('is named by plan and drift where the owner was %s', async (_, fields, shown) => {
    const stage = await open(fields);
    leave(stage, ids.bo);
    const { diagnostics, changes } = await stage.plan('--refresh');
    expect(changes).toMatchObject([{ address: 'schedules.a', action: 'create', reason: 'missing' }]);
    const message = `\`schedules.a\` was deleted with its owner’s account: ${shown} is no longer a member.`;
    expect(diagnostics).toMatchObject([{ code: 'deleted-with-owner', address: 'schedules.a', message }]);
    const plan = await stage.run('plan', '--refresh');
    expect(plan.stdout + plan.stderr).toEqual(says(message));
    const drift = await stage.run('drift', '--format', 'json');
    expect((JSON.parse(drift.stdout) as DriftDocument).diagnostics).toMatchObject([{ message }]);
    const text = await stage.run('drift');
    expect(text.stdout + text.stderr).toEqual(says(message));
  });

  it.each([
    ['owner', bo, `Nobody in the organization has the address ${bo}`],
    ['owner', ids.bo, `Nobody in the organization is ${ids.bo}`],
    ['userId', ids.bo, `Nobody in the organization is ${ids.bo}`],
  ])('is not created again for its former %s %s', async (field, value, refusal) => {
    const stage = await open({ [field]: value });
    leave(stage, ids.bo);
    const { code, stderr } = await stage.run('apply', '--refresh', '--auto-approve');
    expect(code).toBe(1);
    expect(stderr).toEqual(says(refusal));
    expect(stage.sent()).toEqual([]);
    declare(stage, { owner: ana });
    await stage.apply('--refresh');
    expect(stage.sent()).toEqual(['POST /api/v1/schedules']);
    const id = stage.idOf('schedules.a');
    expect(stage.emulator.data().schedules.find((each) => each.id === id)?.ownerId).toBe(ids.ana);
    expect((await stage.plan('--refresh')).changes).toEqual([]);
  });

  it('is just gone where its owner is still there, and where nobody knows who owned it', async () => {
    const stage = await open({ owner: bo });
    removeOne(stage);
    expect((await stage.plan('--refresh')).diagnostics).toEqual([]);
    const unknown = await open({});
    const before = lookups(unknown);
    removeOne(unknown);
    expect((await unknown.plan('--refresh')).diagnostics).toEqual([]);
    await unknown.apply('--refresh');
    expect(lookups(unknown)).toBe(before);
  });

  it('names the account where it is only deactivated', async () => {
    const stage = await open({ owner: bo });
    removeOne(stage);
    stage.emulator.edit((data) => {
      for (const member of data.members) if (member.id === ids.bo) member.active = false;
    });
    const { diagnostics } = await stage.plan('--refresh');
    expect(diagnostics[0]?.message).toContain(`the account of ${bo} is deactivated`);
  });

  it('is just gone where Omni cannot say who its members are, and the plan is made all the same', async () => {
    const stage = await open({ userId: ids.bo }, { faults: [{ fault: '500', on: '/scim/v2/Users' }] });
    removeOne(stage);
    const { changes, diagnostics } = await stage.plan('--refresh');
    expect(changes).toMatchObject([{ action: 'create', reason: 'missing' }]);
    expect(diagnostics).toEqual([]);
  });

  it('nothing is said where no schedule was found at all, as with a token of another organization', async () => {
    const stage = await open({ owner: bo });
    stage.emulator.edit((data) => {
      data.members = [];
      data.schedules = [];
    });
    expect((await stage.plan('--refresh')).diagnostics).not.toContainEqual(
      expect.objectContaining({ code: 'deleted-with-owner' }),
    );
  });
});

it('nobody is looked up for a first create with a userId, nor where nothing is created', async () => {
  const stage = await open({ userId: ids.bo });
  expect(lookups(stage)).toBe(0);
  declare(stage, { userId: ids.bo, name: 'Other' });
  await stage.apply();
  expect(lookups(stage)).toBe(0);
});
