// The golden cases: every folder of test/cases is run, and prints what stands in it.
// `UPDATE_CASES=1 npx vitest run test/cases.test.ts` writes what is printed now; look at the difference.

import { describe, expect, test } from 'vitest';
import { listCases, readExpectations, runCase, writeExpectations } from './support/case-folder.ts';

const update = process.env['UPDATE_CASES'] === '1';

describe('the case', () => {
  test.each(listCases())('%s', async (name) => {
    const printed = await runCase(name);
    if (update) writeExpectations(name, printed);
    expect(printed).toEqual(readExpectations(name));
  });
});
