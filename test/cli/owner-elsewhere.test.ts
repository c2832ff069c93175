// A declared owner together with everything else: drift that is written back, loops, defaults, sinks, reviews, and what
// shows a declaration.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DriftDocument } from '../../src/model/plan/plan.ts';
import { daily } from '../support/cli/open-stage.ts';
import { ids } from '../support/emulator/start-emulator.ts';
import { openApplied, type World } from '../support/world.ts';

const [ana, bo, cleo] = ['ana@example.com', 'bo@example.com', 'cleo@example.com'];
const flat = (text: string) => text.replace(/\s+/g, ' ');
const owned = (owner: string) => ({ a: { ...daily, owner } });

function giveInOmni(stage: World, ownerId: string | null): void {
  stage.emulator.edit(({ schedules }) => {
    for (const schedule of schedules) schedule.ownerId = ownerId;
  });
}

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
  expect(flat(stdout + stderr)).toContain('The defaults of almanac.yaml set `owner`, and an import transfers nothing.');
  expect(stage.emulator.data().schedules.map(({ ownerId }) => ownerId)).toEqual([ids.ana]);
});
