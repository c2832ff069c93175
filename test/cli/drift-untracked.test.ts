// What `almanac drift` says beside drift: the schedules in Omni that nobody declared, and how far it looked.

import { describe, expect, it } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { obeyed } from '../support/report/strip-sgr.ts';
import { openWorld } from '../support/world.ts';

const declared = { a: { ...hook, name: 'A' }, b: { ...hook, name: 'B' } };

const lastRun = '2026-02-27T09:00:00.000Z';

async function stage(schedules: object = declared) {
  const workspace = await openWorld({ schedules });
  const { emulator } = workspace;
  if (Object.keys(schedules).length > 0) await workspace.apply();
  const make = (fields: object = {}, more: Parameters<typeof workspace.makeByHand>[1] = {}) =>
    workspace.makeByHand({ ...hook, name: 'Made by hand', ...fields }, more);
  const asked = () =>
    emulator
      .requests()
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace(/^\/api\/v1/, ''));
  return { emulator, workspace, make, asked, drift: workspace.drift, owner: emulator.data().members[0]?.name ?? '' };
}

describe('a workspace without a state', () => {
  it('a look without a state does not say that nothing has drifted', async () => {
    const { workspace, make } = await stage({});
    make();
    const { code, stdout } = await workspace.run('drift', '--untracked');
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing was compared: there is no state');
    expect(stdout).not.toContain('No drift');
  });
});

describe('schedules that nobody declared', () => {
  it('schedules that nobody declared are counted without another request, and are no drift', async () => {
    const { workspace, make, asked } = await stage();
    make();
    make({ name: 'Another' });
    const before = asked().length;
    const { code, stdout } = await workspace.run('drift');
    expect(code).toBe(0);
    expect(asked().slice(before)).toEqual(['/schedules']);
    expect(stdout).toContain('No drift: everything that was compared is as it was applied.');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '2 schedules in Omni are untracked; `almanac drift --untracked` lists them.',
    );
    expect(stdout).not.toContain('Made by hand');
    expect((await workspace.run('plan', '--refresh')).stdout).toContain('2 schedules in Omni are untracked');
    expect((await workspace.run('plan')).stdout).not.toContain('untracked');
  });

  it('the list is read for --untracked even if nothing is tracked, and only then', async () => {
    const { make, drift, asked } = await stage({});
    make();
    expect((await drift()).document.untracked).toBeUndefined();
    expect(asked()).toEqual([]);
    const { code, document } = await drift('--untracked');
    expect(code).toBe(0);
    expect(document.untracked).toHaveLength(1);
    expect(asked()).toEqual(['/schedules']);
  });

  it('a check of some resources says nothing of the others unless it is asked', async () => {
    const { workspace, make, drift } = await stage();
    make();
    const { stdout } = await workspace.run('drift', '--target', 'schedules.a');
    expect(stdout).not.toContain('untracked');
    expect((await drift('--target', 'schedules.a', '--untracked')).document.untracked).toHaveLength(1);
  });

  it('names from the service neither control the terminal nor become part of a command', async () => {
    const { workspace, make } = await stage();
    const evil = '\u001b[2J\u202e$(touch pwned)';
    make({ name: evil, identifier: `x; ${evil}` });
    make({ name: 'Dash', identifier: '--force' });
    const { stdout } = await workspace.run('drift', '--untracked');
    expect(stdout).toContain('touch pwned');
    expect(stdout).not.toMatch(obeyed);
    expect(stdout).not.toContain('almanac import');
    const { stdout: markdown } = await workspace.run('drift', '--untracked', '--format', 'markdown');
    expect(markdown).toContain('touch pwned');
    expect(markdown).not.toContain('almanac import');
  });
});

describe('how far drift looked', () => {
  it('drift writes the same findings as text, JSON and Markdown into files', async () => {
    const { workspace, make, owner } = await stage();
    make({}, { lastRun: { at: lastRun, status: 'COMPLETE' } });
    const reports = ['text=d.txt', 'json=d.json', 'markdown=d.md'].flatMap((report) => ['--report', report]);
    const { code, stdout } = await workspace.run('drift', '--deep', '--untracked', ...reports);
    expect(code).toBe(0);
    expect(workspace.read('d.txt')).toBe(stdout);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`owner ${owner}, last run ${lastRun}, id 00000000-`);
    expect(JSON.parse(workspace.read('d.json'))).toMatchObject({ drift: [], untracked: [{ name: 'Made by hand' }] });
    expect(workspace.read('d.md')).toContain('## Almanac drift: none, 1 untracked schedule');
    const { stdout: counted } = await workspace.run('drift', '--format', 'markdown');
    expect(counted).toContain('1 schedule in Omni is untracked; `almanac drift --untracked` lists it.');
    expect(counted).toContain('The details of 2 schedules were not compared');
  });
});
