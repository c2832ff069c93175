import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderProgressBar } from '../../src/commands/base/progress.ts';
import { displayWidth } from '../../src/report/text/terminal-text.ts';
import { colourTheme, plainTheme } from '../../src/report/text/theme.ts';
import { hostileText } from '../support/report/hostile-text.ts';
import { obeyed, stripSgr } from '../support/report/strip-sgr.ts';

test.each([
  [{ done: 0, total: 40, running: [] }, 80, '[>                   ] 0/40'],
  [
    { done: 12, total: 40, running: ['schedules.a', 'schedules.b'] },
    80,
    '[======>             ] 12/40: schedules.a, schedules.b',
  ],
  [{ done: 40, total: 40, running: [] }, 80, '[====================] 40/40'],
  [{ done: 1, total: 3, running: ['schedules.weekly-sales'] }, 20, '1/3: schedules.week…'],
])('the progress bar shows %j at %i columns', (progress, width, line) => {
  expect(renderProgressBar(progress, width, plainTheme)).toBe(line);
});

test('a progress bar is one line and never wider than the terminal, in both themes', () => {
  const progress = fc.record({
    done: fc.nat(100),
    total: fc.nat(100),
    running: fc.array(hostileText, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(progress, fc.integer({ min: 1, max: 120 }), (each, width) => {
      const line = renderProgressBar(each, width, plainTheme);
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(obeyed);
      expect(line).not.toContain('\n');
      expect(stripSgr(renderProgressBar(each, width, colourTheme))).toBe(line);
    }),
  );
});
