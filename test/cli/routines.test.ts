// AI routines through the whole program: what each change sends, for whom, and what becomes of it.

import { describe, expect, it } from 'vitest';
import { parseFault } from '../../src/emulator/faults.ts';
import type { ApplyDocument } from '../../src/model/plan/apply-outcome.ts';
import { ids, routineBody } from '../support/emulator/start-emulator.ts';
import { mail, says } from '../support/vocabulary.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const monday = routineBody({ owner: 'ana@example.com' });
const declareRoutines = (world: World, routines: object) => world.write({ 'schedules/all.yaml': { routines } });
const routinesIn = ({ emulator }: World) =>
  (emulator.data().routines ?? []).map(({ id, ownerId, fields }) => ({ id, ownerId, ...fields }));
/** `PATCH /ID ana`: what is sent, and for whom. */
const sentTo = ({ emulator }: World) =>
  emulator
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, query }) => {
      const where = path.replace('/api/v1/ai/routines', '').replace(/[0-9a-f-]{36}/, 'ID');
      return [method, where, memberOf[query['userId'] ?? '']].filter(Boolean).join(' ');
    });
const memberOf: Readonly<Record<string, string>> = { [ids.ana]: 'ana', [ids.bo]: 'bo' };

describe('a routine', () => {
  it('a routine is created for its owner, whose membership id the state keeps', async () => {
    const world = await openWorld({ routines: { monday } });
    await world.apply();
    const { owner: _, ...sent } = monday;
    expect(routinesIn(world)).toMatchObject([{ ownerId: ids.ana, ...sent }]);
    expect(world.state().resources['routines.monday']).toMatchObject({ madeBy: ids.ana, attributes: monday });
    await world.expectQuiet();
  });

  it('a routine is changed by what changed alone, and a description that is gone is cleared', async () => {
    const world = await openApplied({ routines: { monday: { ...monday, description: 'For all' } } });
    declareRoutines(world, { monday: { ...monday, prompt: 'What is new?' } });
    await world.apply();
    const [patch] = world.emulator.requests().filter(({ method }) => method === 'PATCH');
    expect(patch?.body).toEqual({ prompt: 'What is new?', description: null });
    expect(patch?.query).toEqual({ userId: ids.ana });
    await world.expectQuiet();
  });

  it('a routine is changed in place where its owner and its model are only spelled otherwise', async () => {
    const world = await openApplied({ routines: { monday } });
    const spelled = { owner: 'Ana@Example.com', modelId: ids.model.toUpperCase() };
    declareRoutines(world, { monday: { ...monday, ...spelled, prompt: 'What is new?' } });
    await world.apply();
    declareRoutines(world, { monday: { ...monday, ...spelled, prompt: 'What else?' } });
    await world.apply();
    expect(sentTo(world)).toEqual(['POST ana', 'PATCH /ID ana', 'PATCH /ID ana']);
    await world.expectQuiet();
  });

  it('of another owner is made before the old one is deleted for the old one', async () => {
    const world = await openApplied({ routines: { monday } });
    declareRoutines(world, { monday: { ...monday, owner: 'bo@example.com' } });
    await world.apply();
    expect(sentTo(world).slice(1)).toEqual(['POST bo', 'DELETE /ID ana']);
    expect(routinesIn(world)).toMatchObject([{ ownerId: ids.bo }]);
    expect(world.state().resources['routines.monday']).toMatchObject({ madeBy: ids.bo });
    await world.expectQuiet();
  });

  it('that is no longer declared is deleted for the owner for whom it was made', async () => {
    const world = await openApplied({ routines: { monday } });
    declareRoutines(world, {});
    await world.apply('--allow', 'empty');
    expect(sentTo(world).slice(1)).toEqual(['DELETE /ID ana']);
    expect(world.state()).toMatchObject({ resources: {} });
  });
});

describe('a routine to which somebody was added in Omni', () => {
  const addEve = (world: World) =>
    world.emulator.edit(({ routines = [] }) => {
      for (const { fields } of routines)
        fields['destination'] = { type: 'email', recipientEmails: ['bo@example.com', 'eve@evil.example'] };
    });
  const changed = { ...monday, prompt: 'Who pays how much?' };

  it('gets no other prompt from an apply that has not looked', async () => {
    const world = await openApplied({ routines: { monday } });
    addEve(world);
    declareRoutines(world, { monday: changed });
    const { code, stdout } = await world.run('apply --auto-approve');
    expect(code).toBe(1);
    expect(stdout).toEqual(says('This change would undo what somebody changed in routines.monday in Omni'));
    expect(stdout).toContain('apply --refresh');
    expect(sentTo(world)).toEqual(['POST ana']);
  });

  it('an apply goes on with the rest of the plan, unless all of it is to be applied or nothing', async () => {
    const world = await openApplied({ routines: { monday } });
    addEve(world);
    world.write({ 'schedules/more.yaml': { schedules: { weekly: mail({ name: 'Weekly' }) } } });
    declareRoutines(world, { monday: changed });
    expect((await world.run('apply --auto-approve --fail-fast')).code).toBe(1);
    expect(sentTo(world)).toEqual(['POST ana']);
    const { code, stdout } = await world.run('apply --auto-approve --format json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [
        { address: 'schedules.weekly', status: 'applied' },
        { address: 'routines.monday', status: 'skipped', error: { code: 'refused' } },
      ],
    });
    expect(sentTo(world)).toEqual(['POST ana', 'POST /api/v1/schedules']);
  });

  it('gets no other prompt where the list of its owner does not show it', async () => {
    const world = await openApplied({ routines: { monday } });
    world.emulator.edit(({ members }) => {
      for (const member of members) if (member.id === ids.ana) member.canUseAi = false;
    });
    declareRoutines(world, { monday: changed });
    const { code, stdout } = await world.run('apply --auto-approve');
    expect([code, sentTo(world)]).toEqual([1, ['POST ana']]);
    expect(stdout).toEqual(says('Almanac cannot tell what became of `routines.monday`'));
  });

  it('loses them again in an apply that has looked, with the new prompt', async () => {
    const world = await openApplied({ routines: { monday } });
    addEve(world);
    declareRoutines(world, { monday: changed });
    await world.apply('--refresh');
    const [patch] = world.emulator.requests().filter(({ method }) => method === 'PATCH');
    expect(patch?.body).toEqual({ prompt: changed.prompt, destination: monday['destination'] });
    await world.expectQuiet();
  });

  it('a routine to which somebody was added in Omni is changed where both spell the same people in another order', async () => {
    const to = (...recipientEmails: readonly string[]) => ({ destination: { type: 'email', recipientEmails } });
    const several = { ...monday, ...to('cleo@example.com', 'bo@example.com') };
    const world = await openApplied({ routines: { monday: several } });
    world.emulator.edit(({ routines = [] }) => {
      for (const { fields } of routines) Object.assign(fields, to('bo@example.com', 'cleo@example.com'));
    });
    declareRoutines(world, { monday: { ...several, prompt: 'What is new?' } });
    await world.apply();
    expect(sentTo(world)).toEqual(['POST ana', 'PATCH /ID ana']);
  });
});

describe('a routine whose new receivers were sent in a request without an answer', () => {
  const to = (...names: readonly string[]) => ({
    ...monday,
    destination: { type: 'email', recipientEmails: names.map((name) => `${name}@example.com`) },
  });
  const once = (world: World) => world.run('apply --auto-approve --max-attempts 1');
  const lost = (how: 'drop-after' | 'drop-before', at: number) =>
    parseFault(`${how},on=PATCH /v1/ai/routines,at=${at}`);

  it.each<[string, readonly string[]]>([
    ['apply', []],
    ['apply of the plan that was shown', ['shown.plan']],
  ])('is changed by the next %s', async (_, saved) => {
    const world = await openWorld({ routines: { monday: to('bo') } }, { faults: [lost('drop-after', 1)] });
    await world.apply();
    declareRoutines(world, { monday: to('bo', 'cleo') });
    expect((await once(world)).code).toBe(1);
    if (saved.length > 0) await world.run('plan', '--out', 'shown.plan');
    expect(await world.run('apply', ...saved, '--auto-approve')).toMatchObject({ code: 0 });
    expect(routinesIn(world)).toMatchObject([{ destination: to('bo', 'cleo').destination }]);
    await world.expectQuiet();
  });

  it('is changed although a later request with others was lost on its way', async () => {
    const faults = [lost('drop-after', 1), lost('drop-before', 2)];
    const world = await openWorld({ routines: { monday: to('bo') } }, { faults });
    await world.apply();
    declareRoutines(world, { monday: to('bo', 'cleo') });
    await once(world);
    declareRoutines(world, { monday: to('bo', 'ana') });
    await once(world);
    await world.apply();
    expect(routinesIn(world)).toMatchObject([{ destination: to('bo', 'ana').destination }]);
    await world.expectQuiet();
  });

  it('is left where somebody else was added since', async () => {
    const world = await openWorld({ routines: { monday: to('bo') } }, { faults: [lost('drop-after', 1)] });
    await world.apply();
    declareRoutines(world, { monday: to('bo', 'cleo') });
    await once(world);
    world.emulator.edit(({ routines = [] }) => {
      for (const { fields } of routines) fields['destination'] = to('bo', 'cleo', 'eve').destination;
    });
    const { code, stdout } = await world.run('apply --auto-approve');
    expect([code, stdout]).toEqual([1, says('undo what somebody changed in routines.monday in Omni')]);
  });
});

describe('a routine that exists', () => {
  const made = async (world: World) => {
    const { owner: _, ...body } = monday;
    const { id } = (await world.send('POST', `/v1/ai/routines?userId=${ids.ana}`, body)).body;
    world.sent();
    return String(id);
  };
  const adopting = (world: World, id: string, routine: object) =>
    world.write({
      'schedules/all.yaml': { routines: { monday: routine }, adopt: [{ to: 'routines.monday', id }] },
    });

  it('a routine that exists is adopted for the owner that is declared, and changed for them later', async () => {
    const world = await openWorld();
    const id = await made(world);
    adopting(world, id, monday);
    await world.apply();
    expect(world.state()).toMatchObject({ resources: { 'routines.monday': { id, madeBy: ids.ana } } });
    expect(world.sent()).toEqual([]);
    declareRoutines(world, { monday: { ...monday, name: 'Tuesday' } });
    await world.apply();
    expect(sentTo(world).slice(1)).toEqual(['PATCH /ID ana']);
    await world.expectQuiet();
  });

  it('of another owner is not made beside one of theirs that has its name', async () => {
    const world = await openApplied({ routines: { monday } });
    const { owner: _, ...body } = monday;
    await world.send('POST', `/v1/ai/routines?userId=${ids.bo}`, body);
    world.sent();
    declareRoutines(world, { monday: { ...monday, owner: 'bo@example.com' } });
    const { code, stderr } = await world.run('apply --auto-approve');
    expect([code, world.sent()]).toEqual([1, []]);
    expect(stderr).toEqual(says('has the name of one on the same model'));
  });

  it('a routine that exists is not made a second time where the state was lost', async () => {
    const world = await openWorld({ routines: { monday } });
    await made(world);
    const { code, stderr } = await world.run('apply --auto-approve');
    expect([code, sentTo(world)]).toEqual([1, ['POST ana']]);
    expect(stderr).toEqual(says('has the name of one on the same model'));
  });
});

describe('the maximum of routines', () => {
  const routines = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, { ...monday, name: `Of Ana ${key}` }]));

  it('the maximum of routines is final after one request for each owner, and the others of that owner are not sent', async () => {
    const world = await openWorld({ routines: { ...routines, e: { ...monday, owner: 'bo@example.com' } } });
    world.emulator.edit(({ organization }) => {
      organization.mostRoutines = 1;
    });
    const { code, stdout, stderr } = await world.run('apply --auto-approve --format json');
    expect(code).toBe(1);
    const { results } = JSON.parse(stdout) as ApplyDocument;
    expect(results.map(({ address, status, error }) => [address, status, error?.code])).toEqual([
      ['routines.a', 'applied', undefined],
      ['routines.b', 'failed', 'api-at-maximum'],
      ['routines.c', 'skipped', 'dependency-failed'],
      ['routines.d', 'skipped', 'dependency-failed'],
      ['routines.e', 'applied', undefined],
    ]);
    expect(sentTo(world)).toHaveLength(3);
    expect(world.slept).toEqual([]);
    expect(stderr.match(/maximum of 1 routines/g)).toHaveLength(1);
    expect(results[2]?.error?.message).toBe('Not started: its owner has as many routines as Omni allows.');
  });
});

describe('a routine without an owner', () => {
  const { owner: _, ...unowned } = monday;

  it('a routine without an owner is made with an organization key and a warning, which can be accepted', async () => {
    const world = await openWorld({ routines: { monday: unowned } });
    const said = async () => (await world.run('apply --auto-approve')).stderr.replace(/\s+/g, ' ');
    expect(await said()).toContain('routines.monday names no owner: Omni does not document who becomes the owner');
    declareRoutines(world, { next: { ...unowned, name: 'Next', accept: { 'routine-owner': 'the key is of ana' } } });
    expect(await said()).not.toContain('names no owner');
  });

  it('a routine without an owner is not adopted with an organization key', async () => {
    const world = await openWorld({ routines: { monday: unowned } });
    const adopt = [{ to: 'routines.monday', id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' }];
    world.write({ 'schedules/all.yaml': { routines: { monday: unowned }, adopt } });
    const { code, stdout } = await world.run('apply --auto-approve');
    expect(code).toBe(1);
    expect(stdout).toEqual(says('Add `owner`: the address of the person who owns it there'));
    expect(sentTo(world)).toEqual([]);
  });
});

describe('under a sink a routine', () => {
  const qa = 'qa@example.com';
  const otherModel = '770e8400-e29b-41d4-a716-446655440003';
  const settings = (world: World, deliver: object) => ({
    api: { baseUrl: world.baseUrl, operations: 'full', rateLimit: 0 },
    environments: { staging: deliver },
  });
  const sunk = { deliver: { email: [qa] } };
  const staging = ['--env', 'staging'];
  const openStaging = async (routines: object, deliver: object = {}) => {
    const world = await openWorld({ routines });
    world.write({ 'almanac.yaml': settings(world, deliver) });
    world.emulator.edit(({ models }) => {
      const [first] = models;
      if (first !== undefined) models.push({ ...first, id: otherModel, branches: [] });
    });
    return world;
  };
  const planned = async (world: World) =>
    (await world.plan(...staging)).changes.map(({ action, reason }) => `${action} ${reason}`);

  it.each<[string, object]>([
    ['modelId', { modelId: otherModel }],
    ['branchId', { branchId: ids.branch }],
    ['topicName', { topicName: 'customers' }],
    ['owner', { owner: 'bo@example.com' }],
  ])('under a sink a routine with another %s is replaced, and delivers to the sink', async (_, other) => {
    const before = { ...monday, topicName: 'order_items' };
    const world = await openStaging({ monday: before });
    await world.apply(...staging);
    world.write({ 'almanac.yaml': settings(world, sunk) });
    declareRoutines(world, { monday: { ...before, ...other } });
    expect(await planned(world)).toEqual(['replace identity-changed']);
    await world.apply(...staging);
    const changed: Record<string, unknown> = { ...before, ...other };
    const { owner, ...sent } = changed;
    const ownerId = owner === 'bo@example.com' ? ids.bo : ids.ana;
    const destination = { type: 'email', recipientEmails: [qa] };
    expect(routinesIn(world)).toMatchObject([{ ownerId, ...sent, destination }]);
    expect(await planned(world)).toEqual([]);
  });
});
