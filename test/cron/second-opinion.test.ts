import { expect, it, vi } from 'vitest';
import { parseCron } from '../../src/cron/parse-cron.ts';

vi.mock('cron-validator', () => ({ isValidCron: () => false }));

it('an expression is invalid if the second opinion refuses it', () => {
  const { cron, problems } = parseCron('0 9 ? * MON *');
  expect(cron).toBeUndefined();
  expect(problems).toMatchObject([{ code: 'invalid-cron', start: 0, end: 13 }]);
  expect(problems[0]?.message).toContain('cron-validator');
});
