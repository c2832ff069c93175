import { afterEach, describe, expect, it, vi } from 'vitest';
import { secondOpinionAccepts } from '../../src/cron/read-fields.ts';

afterEach(() => {
  vi.doUnmock('cron-validator');
  vi.resetModules();
});

describe('secondOpinionAccepts', () => {
  it.each(['0 9 ? * FRI-MON *', '0 20-2/2 L NOV-FEB ? *', '0 9 15W * ? *', '0 9 ? * FRIL *', '0 9 ? * MON#2 *'])(
    'the second opinion accepts %s',
    (text) => {
      expect(secondOpinionAccepts(text.split(' '))).toBe(true);
    },
  );

  it.each([
    '60 9 ? * MON *',
    '0 24 ? * MON *',
    '0 9 32 * ? *',
    '0 9 1 13 ? *',
    '0 9 ? * 8 *',
    '0 9 ? * ? *',
    '*/0 9 * * ? *',
  ])('the second opinion refuses %s by itself', (text) => {
    expect(secondOpinionAccepts(text.split(' '))).toBe(false);
  });

  it('an expression is invalid if the second opinion refuses it', async () => {
    vi.resetModules();
    vi.doMock('cron-validator', () => ({ isValidCron: () => false }));
    const { parseCron } = await import('../../src/cron/parse-cron.ts');
    const { cron, problems } = parseCron('0 9 ? * MON *');
    expect(cron).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'invalid-cron', start: 0, end: 13 }]);
    expect(problems[0]?.message).toContain('cron-validator');
  });
});
