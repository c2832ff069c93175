// What somebody owns who leaves, over real HTTP: who is asked, what is edited, and what becomes of each transfer.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OffboardDocument } from '../../src/commands/offboard/document.ts';
import { connecting } from '../support/cli/connecting.ts';
import { daily, hook, weekly } from '../support/cli/open-stage.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { expectDocument } from '../support/schemas.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const ana = 'ana@example.com';
const bo = 'bo@example.com';

const ownerOf = (stage: World, id: string) => stage.emulator.data().schedules.find((each) => each.id === id)?.ownerId;

async function left(stage: Pick<World, 'run'>, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await stage.run('offboard', ana, '--format', 'json', ...argv);
  if (stdout === '') throw new Error(stderr);
  return { code, stderr, document: expectDocument<OffboardDocument>('offboard', stdout) };
}

const inWords = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr;
const transfers = (stage: World) => stage.sent().filter((line) => line.endsWith('/transfer-ownership'));

/** Two tracked ones, of which one declares its owner, and two untracked ones. */
async function openOrganization(options: Parameters<typeof openApplied>[1] = {}) {
  const stage = await openApplied(
    {
      schedules: {
        plain: { ...daily, userId: ids.ana },
        owned: { ...daily, name: 'Owned', owner: ana },
        others: { ...daily, name: 'Others', userId: ids.bo },
      },
    },
    options,
  );
  const mine = stage.makeByHand({ ...hook, name: 'Ad hoc' }, { ownerId: ids.ana });
  const mail = stage.makeByHand({ ...weekly, name: 'Mail', recipients: ['ANA@example.com', bo] }, { ownerId: ids.bo });
  return { stage, mine, mail };
}

describe('what somebody owns who leaves', () => {
  it('the report names what they own and receive, declared or not, and sends nothing but questions', async () => {
    const { stage, mine, mail } = await openOrganization();
    const { code, document } = await left(stage, '--to', bo);
    expect(code).toBe(1);
    expect(document.owns).toEqual([
      {
        address: 'schedules.owned',
        id: stage.idOf('schedules.owned'),
        name: 'Owned',
        identifier: daily.identifier,
        managed: true,
      },
      {
        address: 'schedules.plain',
        id: stage.idOf('schedules.plain'),
        name: daily.name,
        identifier: daily.identifier,
        managed: true,
      },
      { id: mine, name: 'Ad hoc', identifier: hook.identifier, managed: false },
    ]);
    expect(document.receives).toEqual([
      { id: mail, name: 'Mail', identifier: weekly.identifier, managed: false, via: { kind: 'resource' } },
    ]);
    expect(document.edits).toMatchObject([{ file: 'schedules/all.yaml', before: ana, after: bo }]);
    expect(document.blocked.map(({ address }) => address)).toEqual(['schedules.plain']);
    expect(document.blocked[0]?.reason).toContain('`userId`');
    expect(stage.sent()).toEqual([]);
    const asked = stage.emulator.requests().filter(({ path }) => path.endsWith('/recipients'));
    expect(asked).toHaveLength(1);
  });

  it('--apply transfers what no declaration gives to somebody, and the plan the rest', async () => {
    const { stage, mine } = await openOrganization();
    const [plain, owned] = [stage.idOf('schedules.plain'), stage.idOf('schedules.owned')];
    const apply = () => left(stage, '--to', bo, '--apply', '--write', '--auto-approve');
    const { stderr, document } = await apply();
    expect(stderr).toContain(`2 schedules of ${ana} will belong to ${bo}:\n  schedules.plain\n  "Ad hoc" (${mine})`);
    expect(document.owns).toHaveLength(3);
    expect(document.transfers).toEqual([
      { address: 'schedules.plain', id: plain, name: daily.name, status: 'transferred' },
      { id: mine, name: 'Ad hoc', status: 'transferred' },
    ]);
    expect(transfers(stage)).toEqual([plain, mine].map((id) => `PUT /api/v1/schedules/${id}/transfer-ownership`));
    expect([plain, mine, owned].map((id) => ownerOf(stage, id))).toEqual([ids.bo, ids.bo, ids.ana]);
    expect((await stage.plan()).changes).toMatchObject([{ address: 'schedules.owned', reason: 'owner-changed' }]);
    await stage.apply();
    expect(ownerOf(stage, owned)).toBe(ids.bo);
    expect((await stage.run('plan', '--refresh')).stdout).toContain('No changes');
    expect((await apply()).document).toMatchObject({ owns: [], transfers: [] });
  });

  it('what `ignore` of almanac.yaml matches is named and never transferred, and dashboards are left to another command', async () => {
    const { stage, mine } = await openOrganization();
    stage.write({ 'almanac.yaml': { ...JSON.parse(stage.read('almanac.yaml')), ignore: [{ name: 'Ad *' }] } });
    const { stdout } = await stage.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    expect(stdout).toContain(`almanac documents --creator ${ids.ana}\n`);
    expect((await stage.run('documents', '--creator', ids.ana)).code).toBe(0);
    expect(stdout).toEqual(says(`"Ad hoc" (${mine}): \`ignore\` of almanac.yaml leaves it alone.`));
    expect(transfers(stage)).toEqual([`PUT /api/v1/schedules/${stage.idOf('schedules.plain')}/transfer-ownership`]);
    expect(ownerOf(stage, mine)).toBe(ids.ana);
  });

  it('without a successor a declared owner stays, by address and by membership id', async () => {
    const { stage } = await openOrganization();
    stage.write({
      'schedules/more.yaml': { schedules: { byId: { ...daily, name: 'By id', owner: ids.ana } } },
    });
    const { code, document } = await left(stage, '--write');
    expect(code).toBe(1);
    expect(document.edits).toEqual([]);
    expect(document.blocked.map(({ address }) => address)).toEqual([
      'schedules.byId',
      'schedules.owned',
      'schedules.plain',
    ]);
    expect(document.blocked[0]?.reason).toContain('--to');
    const named = await left(stage, '--write', '--to', bo);
    expect(named.document.edits).toHaveLength(2);
    expect(stage.read('schedules/more.yaml')).not.toContain(ids.ana);
  });

  it('dashboards and AI jobs that act for somebody who leaves are named as well', async () => {
    const stage = await openWorld({
      dashboards: { sales: { identifier: '12db1a0a', filterOrder: ['region'], userId: ids.ana } },
      aiJobs: {
        summary: { modelId: ids.model, prompt: 'What changed?', userId: ids.ana },
        others: { modelId: ids.model, prompt: 'What changed?', userId: ids.bo },
      },
    });
    const { code, document } = await left(stage, '--to', bo);
    expect(code).toBe(1);
    const reason = 'Its `userId` is their membership id. Remove it, or name another member.';
    expect(document.blocked).toEqual(['aiJobs.summary', 'dashboards.sales'].map((address) => ({ address, reason })));
  });

  it('a successor who is unknown or deactivated is refused before anything is sent or written', async () => {
    const { stage } = await openOrganization();
    for (const to of ['nobody@example.com', 'cleo@example.com']) {
      const isKnown = to === 'cleo@example.com';
      stage.emulator.edit(({ members }) => {
        for (const member of members) if (member.email === to) Object.assign(member, { active: false });
      });
      const before = stage.read('schedules/all.yaml');
      const { code, stderr } = await stage.run('offboard', ana, '--to', to, '--apply', '--write', '--auto-approve');
      expect(code).toBe(1);
      expect(stderr).toEqual(says(`${to}${isKnown ? ' is deactivated' : ', so it cannot own'}`));
      expect(stage.read('schedules/all.yaml')).toBe(before);
      expect(stage.sent()).toEqual([]);
      const { document } = await left(stage, '--to', to);
      expect(document.edits).toEqual([]);
      expect(document.blocked.map(({ address }) => address)).toContain('schedules.owned');
    }
  });

  it('an answer that stays lost is settled by the list, and what was not done is named', async () => {
    const lost = { fault: 'drop-after', on: 'PUT /v1/schedules' } as const;
    const { stage } = await openOrganization({ faults: [lost] });
    const { stdout } = await stage.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    expect(stdout).toContain(`Transferred 2 schedules to ${bo}.\n`);
    const never = { fault: 'drop-before', on: 'PUT /v1/schedules' } as const;
    const other = (await openOrganization({ faults: [never] })).stage;
    const failed = await other.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain(`Transferred 0 schedules to ${bo}.`);
    expect(failed.stdout).toContain('schedules.plain: ');
    expect(ownerOf(other, other.idOf('schedules.plain'))).toBe(ids.ana);
  });

  it('what Omni refuses is named, and the rest is transferred', async () => {
    const { stage } = await openOrganization();
    stage.emulator.edit(({ documents }) => {
      for (const document of documents)
        if (document.identifier === weekly.identifier)
          Object.assign(document, { scope: 'restricted', ownerId: ids.ana, sharedWith: [] });
    });
    const hidden = stage.makeByHand({ ...weekly, name: 'Hidden' }, { ownerId: ids.ana });
    const { code, stdout } = await stage.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    expect(code).toBe(1);
    expect(stdout).toEqual(says(`"Hidden" (${hidden}): `));
    expect(stdout).toEqual(says('cannot view the associated dashboard'));
    expect(stdout).toEqual(says(`Transferred 2 schedules to ${bo}. 1 schedule left: run the command again.`));
    expect(ownerOf(stage, hidden)).toBe(ids.ana);
  });

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
      `Not sent. The run was interrupted.\n  "Ad hoc" (${mine})\nTransferred 1 schedule to ${bo}.`,
    );
    expect(transfers(stage)).toHaveLength(1);
    await stage.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    expect(transfers(stage)).toEqual([`PUT /api/v1/schedules/${mine}/transfer-ownership`]);
    expect(ownerOf(stage, mine)).toBe(ids.bo);
  });

  it('asks before it transfers, and sends nothing where the answer is no or nobody can answer', async () => {
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
    for (const [more, words] of [
      [['--to', bo], '--auto-approve'],
      [['--auto-approve'], '--to'],
      [['--auto-approve', '--to', bo, '--offline'], '--offline'],
    ] as const)
      expect(inWords(await stage.run('offboard', ana, '--apply', ...more))).toContain(words);
    expect(stage.sent()).toEqual([]);
  });

  it('the question names every schedule, however many there are', async () => {
    const stage = await openApplied({ schedules: { kept: { ...daily, userId: ids.bo } } });
    const made = Array.from({ length: 12 }, (_, index) =>
      stage.makeByHand({ ...daily, name: `Made ${index}` }, { ownerId: ids.ana }),
    );
    const { stderr } = await stage.run('offboard', ana, '--to', bo, '--apply', '--auto-approve');
    for (const id of made) expect(stderr).toContain(`(${id})`);
  });

  it('what another environment manages is left to it, and nothing is transferred while its state cannot be read', async () => {
    const { stage, mine } = await openOrganization();
    const { api } = JSON.parse(stage.read('almanac.yaml')) as { api: object };
    const environments = { prod: { state: { path: 'almanac.state.json' } }, test: { state: { path: 'test.json' } } };
    stage.write({ 'almanac.yaml': { api, environments }, 'test.json': '{' });
    const argv = (env: string) => ['offboard', ana, '--to', bo, '--env', env];
    const before = stage.read('schedules/all.yaml');
    const { code, stderr } = await stage.run(...argv('prod'), '--apply', '--write', '--auto-approve');
    expect(code).toBe(1);
    expect(stderr).toEqual(says('so nobody knows which schedules the environment test manages'));
    expect([stage.sent(), stage.read('schedules/all.yaml')]).toEqual([[], before]);
    expect((await stage.run(...argv('prod'))).stdout).toContain('owns ');
    rmSync(join(stage.path, 'test.json'));
    const { stdout } = await stage.run(...argv('test'), '--apply', '--auto-approve');
    expect(stdout).toEqual(says('schedules.owned, schedules.plain: The environment prod manages it.'));
    expect(transfers(stage)).toEqual([`PUT /api/v1/schedules/${mine}/transfer-ownership`]);
  });

  it('needs a token, an organization key and operations full, and --offline needs none of them', async () => {
    const source = { 'schedules/a.yaml': { schedules: { a: weekly } } };
    const full = { api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' } };
    for (const [config, environment, words] of [
      [full, {}, 'error[missing-token]'],
      [full, { OMNI_API_TOKEN: 'omni_pat_x' }, 'Only an organization key'],
      [{ api: { baseUrl: full.api.baseUrl } }, { OMNI_API_TOKEN: 'omni_osk_x' }, 'With operations core'],
    ] as const) {
      const workspace = workspaceIn(makeFolder({ 'almanac.yaml': config, ...source }), environment);
      const { code, stderr } = await workspace.run('offboard', ana);
      expect(code).toBe(1);
      expect(stderr).toContain(words);
      expect(stderr).toContain('--offline');
      expect((await workspace.run('offboard', ana, '--to', bo, '--offline')).stdout).toContain('owns       not known');
    }
  });
});
