// A declared owner over real HTTP: what is planned and sent, in which order, what the reports show, and how it goes with
// drift that is written back, sinks and imports.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ValidateDocument } from '../../src/commands/validate/document.ts';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import { daily } from '../support/cli/open-stage.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const [ana, bo, cleo] = ['ana@example.com', 'bo@example.com', 'cleo@example.com'];
const flat = (text: string) => text.replace(/\s+/g, ' ');

const owned = (owner: string | undefined, more: object = {}) => ({
  a: { ...daily, owner, ...more },
});
const declare = (stage: World, schedules: object) => stage.write({ 'schedules/all.yaml': { schedules } });
const ownerOf = (stage: World) =>
  stage.emulator.data().schedules.find(({ id }) => id === stage.idOf('schedules.a'))?.ownerId;
const path = (stage: World, action = '') => `PUT /api/v1/schedules/${stage.idOf('schedules.a')}${action}`;

function giveInOmni(stage: World, ownerId: string | null): void {
  stage.emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.ownerId = ownerId;
  });
}

describe('the declared owner of a schedule', () => {
  it('a schedule is created for its owner, whose address is looked up, and nothing is left to do', async () => {
    const stage = await openApplied({ schedules: owned('BO@example.com') });
    expect(ownerOf(stage)).toBe(ids.bo);
    const post = stage.emulator.requests().find(({ method }) => method === 'POST');
    expect(post?.body).not.toHaveProperty('owner');
    expect((await stage.run('plan', '--refresh')).stdout).toContain('No changes');
  });

  it('another owner is one transfer, without an update of the content', async () => {
    const stage = await openApplied({ schedules: owned(ana) });
    declare(stage, owned(bo));
    const { changes } = await stage.plan();
    expect(changes).toMatchObject([
      { action: 'update', reason: 'owner-changed', requests: 1, diff: [{ path: '/owner', before: ana, after: bo }] },
    ]);
    const text = (await stage.run('plan')).stdout;
    expect(text).toEqual(says('it is to belong to somebody else'));
    expect(text).toContain(`"${ana}" -> "${bo}"`);
    await stage.apply();
    expect(stage.sent()).toEqual([path(stage, '/transfer-ownership')]);
    expect(ownerOf(stage)).toBe(ids.bo);
    expect((await stage.run('plan', '--refresh')).stdout).toContain('No changes');
  });

  it('the content is sent before the transfer, and a resume comes last', async () => {
    const stage = await openApplied({ schedules: owned(ana, { paused: true }) });
    declare(stage, owned(bo, { name: 'Other' }));
    await stage.apply();
    expect(stage.sent()).toEqual([path(stage), path(stage, '/transfer-ownership'), path(stage, '/resume')]);
  });

  it('an owner that is no longer declared stays, and a membership id is as good as an address', async () => {
    const stage = await openApplied({ schedules: owned(ana) });
    declare(stage, owned(undefined));
    await stage.apply();
    expect(stage.sent()).toEqual([]);
    declare(stage, owned(ids.cleo));
    await stage.apply();
    expect(ownerOf(stage)).toBe(ids.cleo);
  });

  it('where the content was sent and the transfer is open, the whole change is planned and sent again', async () => {
    const fault = { fault: 'drop-before', on: 'PUT /v1/schedules', at: 2 } as const;
    const stage = await openApplied({ schedules: owned(ana) }, { faults: [fault] });
    declare(stage, owned(bo, { name: 'Other' }));
    const { stdout, stderr } = await stage.run('apply', '--auto-approve', '--max-attempts', '1');
    expect(stdout + stderr).toEqual(says('It was updated, and is not transferred yet.'));
    expect(stage.state().resources['schedules.a']?.attributes).toMatchObject({ name: daily.name, owner: ana });
    stage.sent();
    expect((await stage.plan()).changes).toMatchObject([{ diff: [{ path: '/name' }, { path: '/owner' }] }]);
    await stage.apply();
    expect(stage.sent()).toEqual([path(stage), path(stage, '/transfer-ownership')]);
    expect(ownerOf(stage)).toBe(ids.bo);
    expect((await stage.run('plan', '--refresh')).stdout).toContain('No changes');
  });

  it('a schedule that somebody else was given in Omni has drifted, and is given back', async () => {
    const stage = await openApplied({ schedules: owned(ana) });
    giveInOmni(stage, ids.cleo);
    const { changes, drift } = await stage.plan('--refresh');
    const diff = [{ path: '/owner', op: 'change', before: ana, after: 'cleo@example.com' }];
    expect(drift).toMatchObject([{ address: 'schedules.a', diff }]);
    expect(changes).toMatchObject([{ action: 'update', diff: [{ before: 'cleo@example.com', after: ana }] }]);
    expect((await stage.run('plan', '--refresh')).stdout).toContain('it belongs to Cleo Marsh now');
    await stage.apply('--refresh');
    expect(ownerOf(stage)).toBe(ids.ana);
  });

  it('validate --online names an owner who is unknown or deactivated, and sends one request for all of them', async () => {
    const data = demoOrganization();
    data.members = data.members.map((member) => (member.id === ids.bo ? { ...member, active: false } : member));
    const stage = await openApplied({ schedules: owned(ana) }, { data });
    const named = (name: string, owner: string) => ({ ...daily, name, owner });
    const owners = { a: named('A', ids.ana), b: named('B', 'Bo@example.com'), c: named('C', ids.stranger) };
    declare(stage, owners);
    const found = async () => {
      const { stdout } = await stage.run('validate', '--online', '--format', 'json');
      const { diagnostics } = JSON.parse(stdout) as ValidateDocument;
      return diagnostics.map(({ code, address }) => [code, address]);
    };
    const before = stage.emulator.requests().length;
    expect(await found()).toEqual([
      ['owner-inactive', 'schedules.b'],
      ['owner-unknown', 'schedules.c'],
    ]);
    const asked = stage.emulator.requests().slice(before);
    expect(asked.filter(({ path: asking }) => asking.includes('/scim/'))).toHaveLength(1);
    stage.environment['OMNI_API_TOKEN'] = 'omni_pat_demo_personal_token';
    expect(await found()).toContainEqual(['not-observed', 'schedules.a']);
  });

  it('nothing is sent for an owner who is unknown, deactivated, or cannot be looked up', async () => {
    const data = demoOrganization();
    data.members = data.members.map((member) => (member.id === ids.bo ? { ...member, active: false } : member));
    const stage = await openApplied({ schedules: owned(ana) }, { data });
    const refused = async (owner: string) => {
      declare(stage, owned(owner));
      return flat((await stage.run('apply', '--auto-approve')).stderr);
    };
    expect(await refused(bo)).toContain(
      `The account of ${bo} is deactivated, so nothing can be transferred to it. It is declared as the owner of schedules.a.`,
    );
    expect(await refused('x@example.com')).toContain('Nobody in the organization has the address x@example.com');
    stage.environment['OMNI_API_TOKEN'] = 'omni_pat_demo_personal_token';
    expect(await refused('cleo@example.com')).toContain('owner needs an organization key');
    expect(stage.sent()).toEqual([]);
  });
});

describe('drift --write of an owner', () => {
  it('writes the address, in place of an address or of an id, and nothing is left to do', async () => {
    for (const declared of [ana, ids.ana]) {
      const stage = await openApplied();
      const text = `# who\nschedules: { a: { ${JSON.stringify({ ...daily, owner: declared }).slice(1, -1)} } } # mine\n`;
      stage.write({ 'schedules/all.yaml': text });
      await stage.apply();
      stage.until(2, 0);
      giveInOmni(stage, ids.cleo);
      expect((await stage.run('drift', '--write')).stdout).toContain('schedules.a: owner (schedules/all.yaml:2)');
      expect(stage.read('schedules/all.yaml')).toBe(text.replace(declared, cleo));
      stage.sent();
      await stage.apply('--refresh');
      expect(stage.sent()).toEqual([]);
      expect((await stage.plan('--refresh')).changes).toEqual([]);
    }
  });

  it('refuses with words where the schedule belongs to the organization', async () => {
    const stage = await openApplied({ schedules: owned(ana) });
    giveInOmni(stage, null);
    const before = stage.read('schedules/all.yaml');
    const { stdout } = await stage.run('drift', '--write', '--format', 'json');
    const { notWritten } = JSON.parse(stdout) as DriftDocument;
    expect(notWritten).toMatchObject([{ address: 'schedules.a', path: '/owner', reason: 'invalid' }]);
    expect(notWritten?.[0]?.message).toContain('It belongs to none of the people that Omni lists');
    expect(stage.read('schedules/all.yaml')).toBe(before);
  });
});

it('a sink takes the place of recipients and leaves the owner alone', async () => {
  const config = {
    environments: { staging: { deliver: { webhook: 'https://sink.example.com/all' } } },
  };
  const stage = await openApplied({}, { config });
  stage.write({ 'schedules/all.yaml': { schedules: owned(ana) } });
  await stage.apply('--env', 'staging');
  expect(stage.emulator.data().schedules).toMatchObject([
    { ownerId: ids.ana, fields: { url: 'https://sink.example.com/all' } },
  ]);
  stage.sent();
  stage.write({ 'schedules/all.yaml': { schedules: owned(bo) } });
  const { changes } = await stage.plan('--env', 'staging');
  expect(changes).toMatchObject([{ reason: 'owner-changed', requests: 1, diff: [{ path: '/owner' }] }]);
  await stage.apply('--env', 'staging');
  expect(stage.emulator.data().schedules).toMatchObject([{ ownerId: ids.bo }]);
  expect(stage.sent().every((request) => request.endsWith('/transfer-ownership'))).toBe(true);
});

it('the reports show from whom to whom, and with a refresh by name', async () => {
  const stage = await openApplied({ schedules: owned(ana) });
  stage.until(2, 0);
  stage.write({ 'schedules/all.yaml': { schedules: owned(bo) } });
  const transfer = `"${ana}" -> "${bo}"`;
  for (const format of ['text', 'markdown']) {
    const offline = (await stage.run('plan', '--format', format)).stdout;
    expect(offline).toContain(transfer);
    expect(offline).not.toContain('belongs to');
    const online = (await stage.run('plan', '--refresh', '--format', format)).stdout;
    expect(online).toContain(transfer);
    expect(online).toContain('it belongs to Ana Ortiz now');
  }
  const html = (await stage.run('plan', '--refresh', '--format', 'html')).stdout;
  for (const shown of [ana, bo, 'it belongs to Ana Ortiz now']) expect(html).toContain(shown);
  expect((await stage.plan('--refresh')).changes).toMatchObject([
    { ownedBy: 'Ana Ortiz', diff: [{ before: ana, after: bo }] },
  ]);
});

it('an import leaves out what an owner in the defaults of almanac.yaml would transfer', async () => {
  const stage = await openApplied({ schedules: owned(ana) });
  stage.until(2, 0);
  const config = JSON.parse(stage.read('almanac.yaml')) as object;
  stage.write({
    'almanac.yaml': { ...config, sources: ['in/**/*.yaml'], defaults: { schedules: { owner: bo } } },
    'almanac.state.json': '',
  });
  rmSync(join(stage.path, 'almanac.state.json'));
  const { stdout, stderr } = await stage.run('import', '--out', 'in', '--write-state');
  expect(stdout + stderr).toEqual(says('The defaults of almanac.yaml set `owner`, and an import transfers nothing.'));
  expect(stage.emulator.data().schedules.map(({ ownerId }) => ownerId)).toEqual([ids.ana]);
});
