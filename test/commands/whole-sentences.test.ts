// In a log, which is not a terminal, the line of a failed change is whole.

import { expect, it } from 'vitest';
import { progressReporter } from '../../src/commands/base/progress.ts';
import { makeRun } from '../../src/commands/base/run.ts';
import type { World } from '../../src/commands/base/world.ts';
import type { Change } from '../../src/model/plan/plan.ts';

it('the line of a failed change is not cut where stderr is not a terminal', () => {
  const message = `The service refused PUT /v1/schedules with a long answer: ${'words '.repeat(30)}end.`;
  const line = (isTerminal: boolean) => {
    const written: string[] = [];
    const stderr = { write: (text: string) => void written.push(text), isTerminal, width: 80 };
    const world = { stderr, environment: () => undefined } as unknown as World;
    const change = { address: 'schedules.a', action: 'update' } as unknown as Change;
    const reporter = progressReporter(makeRun(world, { color: false }), (event) => event);
    const result = { address: 'schedules.a', action: 'update', status: 'failed', requests: 1 } as const;
    reporter.emit({ type: 'change-ended', change, result: { ...result, error: { code: 'api-rejected', message } } });
    reporter.end();
    return written.join('');
  };
  expect(line(false)).toContain(message);
  expect(line(true)).not.toContain(message);
});
