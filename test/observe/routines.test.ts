// What a look says of routines: each is in the list of the member for whom it was made, whole, and counts as gone only
// while that member is known to be there.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import type { Config } from '../../src/model/workspace/config.ts';
import { observe } from '../../src/observe/observe.ts';
import type { Service } from '../../src/observe/service.ts';
import { connectHttpApi } from '../../src/omni/http-api.ts';
import { withObserved } from '../../src/plan/drift.ts';
import { ids, type Running, routineBody, startFull } from '../support/emulator/start-emulator.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { declare, stateOf } from '../support/plan/planning.ts';

const r = 'routines.r';

/** A routine that Bo owns, as it was applied, and an emulator that has it. */
async function applied(changes: JsonObject = {}) {
  const running = await startFull();
  const body = routineBody(changes) as JsonObject;
  const { id } = (await running.send('POST', `/v1/ai/routines?userId=${ids.bo}`, body)).body;
  const tracked = { id, attributes: { ...body, owner: 'bo@example.com' }, madeBy: ids.bo };
  return { ...running, tracked, look: (more: object = {}) => lookAt(running, { [r]: { ...tracked, ...more } }) };
}

async function lookAt(
  { baseUrl, organizationKey, personalToken }: Running,
  tracked: Readonly<Record<string, { readonly id: string; readonly attributes: JsonObject; readonly madeBy?: string }>>,
  { isPersonal = false } = {},
) {
  const clock = makeInstantClock(Date.UTC(2026, 5, 1));
  const token = isPersonal ? personalToken : organizationKey;
  const limits = { allowHttp: true, maxAttempts: 1, maxWait: 1, rateLimit: 0, concurrency: 1, timeout: 5, secrets: [] };
  let requests: string[] = [];
  const api = await connectHttpApi({
    ...limits,
    baseUrl,
    token,
    clock,
    version: 'test',
    environment: {},
    onWait: () => undefined,
    onRequest: () => undefined,
  });
  const asked = {
    ...api,
    listRoutines: (...of: Parameters<typeof api.listRoutines>) => {
      requests = [...requests, of[0].owner ?? 'the token'];
      return api.listRoutines(...of);
    },
  };
  const plain = stateOf(
    Object.fromEntries(Object.entries(tracked).map(([address, { attributes }]) => [address, attributes])),
  );
  const resources = Object.fromEntries(
    Object.entries(tracked).map(([address, of]) => [
      address,
      {
        ...plain.resources[address],
        ...of,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    ]),
  );
  const found = await observe({
    config: { api: { operations: 'full' } } as Config,
    desired: declare({}),
    state: { ...plain, resources },
    fingerprint: async () => null,
    refresh: { depth: 'list', only: true },
    service: { api: async () => asked, call: {}, concurrency: 1 } as unknown as Service,
    clock,
  });
  await api.close();
  const drift = (address: string) => {
    const prior = resources[address];
    if (prior === undefined) throw new Error(address);
    return withObserved({ address, prior }, found.observed.get(address)).drift?.diff.map(({ path }) => path) ?? [];
  };
  return { ...found, requests, drift };
}

function change(emulator: Running['emulator'], member: string, fields: object): void {
  emulator.edit(({ members }) => Object.assign(members.find(({ id }) => id === member) ?? {}, fields));
}

const codesOf = ({ findings }: Awaited<ReturnType<typeof lookAt>>) => findings.map(({ code }) => code);

it('one list for each owner shows every routine of theirs, and nothing differs that nobody changed', async () => {
  const { tracked, send, ...running } = await applied({
    description: 'For Bo',
    destination: {
      type: 'email',
      recipientEmails: ['Bo@example.com', 'out@elsewhere.example'],
      userGroupIds: [ids.board],
    },
  });
  const ofAna = async () => (await send('POST', `/v1/ai/routines?userId=${ids.ana}`, routineBody())).body.id;
  const made = [await ofAna(), await ofAna()];
  const look = await lookAt(
    { ...running, send },
    {
      [r]: tracked,
      'routines.a': { id: made[0] ?? '', attributes: routineBody() as JsonObject, madeBy: ids.ana },
      'routines.b': { id: made[1] ?? '', attributes: routineBody() as JsonObject, madeBy: ids.ana },
    },
  );
  expect(look.requests.sort()).toEqual([ids.bo, ids.ana].sort());
  expect([r, 'routines.a', 'routines.b'].map((address) => look.drift(address))).toEqual([[], [], []]);
  expect(look).toMatchObject({ findings: [], foundNone: false });
});

it.each<[field: string, sent: Json]>([
  ['name', 'Tuesday summary'],
  ['description', 'For all'],
  ['prompt', 'Something else?'],
  ['schedule', '0 10 ? * TUE *'],
  ['timezone', 'Europe/Paris'],
  ['destination', { type: 'email', recipientEmails: ['bo@example.com', 'eve@elsewhere.example'] }],
  ['destination', { type: 'slack', recipientId: 'C0123456789', slackRecipientType: 'channel' }],
])('%s that somebody changed in Omni is drift', async (field, sent) => {
  const { tracked, send, look } = await applied();
  await send('PATCH', `/v1/ai/routines/${tracked.id}?userId=${ids.bo}`, { [field]: sent });
  const paths = (await look()).drift(r);
  expect(paths).not.toEqual([]);
  expect(paths.every((path) => path.startsWith(`/${field}`))).toBe(true);
});

it('a routine that its owner deleted is gone', async () => {
  const { tracked, send, look } = await applied();
  await send('DELETE', `/v1/ai/routines/${tracked.id}?userId=${ids.bo}`);
  expect((await look()).observed.get(r)).toEqual({ found: false });
});

describe('what became of a routine cannot be told', () => {
  it('after its owner left, and a change of it is blocked', async () => {
    const { emulator, look } = await applied();
    change(emulator, ids.bo, { active: false });
    const found = await look();
    expect(found.findings).toMatchObject([
      {
        code: 'not-read',
        message: expect.stringContaining('no longer a member; the routine may be gone with the account'),
      },
    ]);
    expect(found.observed.get(r)).toMatchObject({ found: true, doubt: expect.stringContaining('state rm') });
    expect(found.drift(r)).toEqual([]);
  });

  it('where the list of its owner is refused, and those of others are read', async () => {
    const { emulator, tracked, send, ...running } = await applied();
    const ofAna = (await send('POST', `/v1/ai/routines?userId=${ids.ana}`, routineBody())).body.id;
    change(emulator, ids.bo, { canUseAi: false });
    const found = await lookAt(
      { ...running, emulator, send },
      { [r]: tracked, 'routines.a': { id: ofAna, attributes: routineBody() as JsonObject, madeBy: ids.ana } },
    );
    expect(found.findings).toMatchObject([
      { code: 'not-read', address: r, message: expect.stringContaining('may not use AI') },
    ]);
    expect(found.observed.get('routines.a')).toMatchObject({ found: true });
    expect(found.drift('routines.a')).toEqual([]);
  });

  it('with a token of another member than it was made with', async () => {
    const { tracked, ...running } = await applied();
    const { madeBy: _, ...mine } = tracked;
    const found = await lookAt(running, { [r]: mine }, { isPersonal: true });
    expect(found.observed.get(r)).toMatchObject({ found: true, doubt: expect.stringContaining('a different member') });
  });
});

it('a routine of the token is gone once another one of it is listed', async () => {
  const { tracked, asAna, send, ...running } = await applied();
  const { body } = await send('POST', '/v1/ai/routines', routineBody(), asAna);
  const attributes = routineBody() as JsonObject;
  const found = await lookAt(
    { ...running, asAna, send },
    { [r]: { id: tracked.id, attributes }, 'routines.mine': { id: body.id, attributes } },
    { isPersonal: true },
  );
  expect(found.observed.get(r)).toEqual({ found: false });
});

it('what its owner paused and what Omni stopped is said, and is no drift', async () => {
  const { emulator, look } = await applied();
  const set = (fields: object) => emulator.edit(({ routines = [] }) => Object.assign(routines[0] ?? {}, fields));
  set({ disabled: true });
  const paused = await look();
  expect([codesOf(paused), paused.drift(r)]).toEqual([['paused-by-owner'], []]);
  set({ systemDisabled: true, systemDisabledReason: 'The model is gone' });
  const stopped = await look();
  expect([codesOf(stopped), stopped.drift(r)]).toEqual([['stopped-by-service'], []]);
  expect(stopped.findings[0]?.message).toContain('The model is gone');
});

describe('an address that Omni resolves', () => {
  const sent = { destination: { type: 'email', recipientEmails: ['bo@example.com', 'cleo@example.com'] } };

  it.each([
    ['to another one of the same member', { email: 'cleo.new@example.com' }, ', and to cleo.new@example.com.'],
    ['to nobody', { email: 'cleo@gone.example', active: false }, '.'],
  ])('%s is one line, and no edit', async (_, now, instead) => {
    const { look, emulator } = await applied(sent);
    change(emulator, ids.cleo, now);
    const found = await look();
    expect(found.findings).toMatchObject([
      {
        code: 'not-a-member',
        message: `cleo@example.com is no longer found as a member, so Omni delivers \`${r}\` without it${instead}`,
      },
    ]);
    expect(found.drift(r)).toEqual([]);
  });

  it('an address that Omni resolves is an edit where somebody else is added as well', async () => {
    const { look, send, tracked, emulator } = await applied(sent);
    await send('PATCH', `/v1/ai/routines/${tracked.id}?userId=${ids.bo}`, {
      destination: { type: 'email', recipientEmails: ['bo@example.com', 'cleo@example.com', 'eve@elsewhere.example'] },
    });
    change(emulator, ids.cleo, { email: 'cleo.new@example.com' });
    expect((await look()).drift(r)).not.toEqual([]);
  });

  it('an address that Omni resolves is an edit where a member was removed', async () => {
    const { look, send, tracked } = await applied(sent);
    await send('PATCH', `/v1/ai/routines/${tracked.id}?userId=${ids.bo}`, {
      destination: { type: 'email', recipientEmails: ['bo@example.com'] },
    });
    expect((await look()).drift(r)).not.toEqual([]);
  });
});
