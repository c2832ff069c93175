// A move of the state killed with SIGKILL at each of its effects in turn: whoever can use a place finds everything there,
// and the same command finishes the move.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { renderJournalLine, renderState } from '../../src/state/format/render-state.ts';
import { createdAndDied, madeId } from '../support/apply/memory-place.ts';
import { killableProgram, removeKillableProgram } from '../support/cli/killable-program.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { makeGitStage } from '../support/state/git-remote.ts';

let program: string;
beforeAll(async () => {
  program = await killableProgram();
});
afterAll(removeKillableProgram);

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A clone with a state and the journal of an apply that died, and a remote without a state. */
function openClone() {
  const stage = makeGitStage();
  onTestFinished(() => stage.remove());
  const folder = stage.clone('clone');
  const state = stateOf({ 'schedules.weekly': schedule() });
  const { header, lines } = createdAndDied(state);
  writeFileSync(join(folder, 'almanac.state.json'), renderState(state));
  writeFileSync(join(folder, 'almanac.state.json.journal'), [header, ...lines].map(renderJournalLine).join(''));
  const env = Object.fromEntries(
    Object.entries(stage.environment).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const run = (argv: readonly string[], killAt = 0): Promise<Ran> =>
    new Promise((resolve) => {
      const kill = killAt === 0 ? {} : { KILL_AT: String(killAt) };
      const child = spawn(process.execPath, [program, ...argv], { cwd: folder, env: { ...env, ...kill } });
      const said = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
      child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
      child.on('close', (code) => resolve({ code, ...said }));
    });
  const use = (backend: 'git' | 'local') =>
    writeFileSync(join(folder, 'almanac.yaml'), `state:\n  backend: ${backend}\n`);
  /** Whether the state in a place can be used, which then holds everything. */
  const isUsable = async (backend: 'git' | 'local'): Promise<boolean> => {
    use(backend);
    const { code, stdout, stderr } = await run(['state', 'pull']);
    if (code === 0) {
      expect(stdout).toContain(madeId);
      return true;
    }
    expect(stderr).toMatch(/error\[state-moved\]|There is no state yet/);
    return false;
  };
  return { run, use, isUsable };
}

test('a move that is killed at any of its effects loses nothing, and is finished by the same command', {
  timeout: 300_000,
}, async () => {
  const argv = ['state', 'migrate', '--auto-approve'];
  const whole = openClone();
  whole.use('git');
  const points = Number(/points: (\d+)/.exec((await whole.run(argv)).stderr)?.[1]);
  expect(points).toBeGreaterThan(12);
  for (let point = 1; point <= points; point += 1) {
    const { run, use, isUsable } = openClone();
    use('git');
    expect(await run(argv, point)).toMatchObject({ code: null });
    const usable = [await isUsable('local'), await isUsable('git')];
    expect(usable.filter(Boolean).length, `killed at ${point}`).toBeGreaterThanOrEqual(1);
    const again = await run(argv);
    if (usable[0]) expect(again, again.stderr).toMatchObject({ code: 0 });
    else expect(again.stderr).toContain('error[state-moved]');
    expect([await isUsable('local'), await isUsable('git')]).toEqual([false, true]);
  }
});
