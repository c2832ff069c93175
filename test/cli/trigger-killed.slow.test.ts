// A trigger is killed at each of its effects: the delivery is never made twice.

import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killableProgram, removeKillableProgram } from '../support/cli/killable-program.ts';
import { daily, openRunningStage, type RunningStage } from '../support/cli/running-stage.ts';

describe('a trigger that is killed', () => {
  let program: string;
  beforeAll(async () => {
    program = await killableProgram();
  });
  afterAll(removeKillableProgram);

  function triggerKilledAt(point: number, { path, environment }: RunningStage): Promise<string> {
    return new Promise((resolve) => {
      const argv = [program, 'trigger', 'schedules.a', '--auto-approve', '-q'];
      const env = { PATH: process.env['PATH'] ?? '', ...environment, KILL_AT: String(point) };
      const child = spawn(process.execPath, argv, { cwd: path, env });
      let said = '';
      child.stderr.on('data', (chunk) => {
        said += chunk;
      });
      child.stdout.resume();
      child.on('close', (_, signal) => resolve(signal ?? said));
    });
  }

  it('wherever it is killed, the delivery is never made twice, and a doubt is named', {
    timeout: 120_000,
  }, async () => {
    const doubts: boolean[] = [];
    for (let point = 1; ; point += 1) {
      const stage = await openRunningStage({ a: { ...daily, name: 'A' } });
      stage.sent();
      const ended = await triggerKilledAt(point, stage);
      if (ended !== 'SIGKILL') {
        expect(ended).toContain('points: 10');
        break;
      }
      const before = stage.sent().length;
      expect((await stage.run('plan')).stdout, `point ${point}`).toContain('No changes');
      const again = await stage.run('trigger', '--auto-approve', 'schedules.a');
      const isOpen = stage.state().unresolved.length === 1;
      expect(again.code, `point ${point}: ${again.stdout}${again.stderr}`).toBe(isOpen ? 1 : 0);
      expect(stage.sent(), `point ${point}`).toHaveLength(isOpen ? 0 : 1);
      // Sent and not known to be: nothing may be sent again.
      if (before === 1 && point < 7) expect(isOpen, `point ${point}`).toBe(true);
      doubts.push(isOpen);
    }
    // From the durable intent to the noted outcome.
    expect(doubts.filter(Boolean).length).toBeGreaterThanOrEqual(4);
  });
});
