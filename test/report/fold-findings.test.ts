// Which findings a report and a plan show, and which they only count.

import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { foldFindings } from '../../src/report/diagnostics/fold-findings.ts';
import { planFindings } from '../../src/report/plan/plan-findings.ts';
import { createChange } from '../support/report/plan-samples.ts';

const finding = (rest: Partial<Diagnostic>): Diagnostic => ({
  severity: 'warning',
  code: 'missing-variable',
  summary: 'x',
  message: 'x',
  ...rest,
});
const lines = (count: number, rest: Partial<Diagnostic> = {}) =>
  Array.from({ length: count }, (_, index) => finding({ line: index + 1, message: `${index + 1}`, ...rest }));
const finished = (['finished-entry', 'stale-moved', 'stale-removed'] as const).map((code) =>
  finding({ severity: 'note', code }),
);

describe('a report', () => {
  test('of many findings with one code the first three different ones are shown, unless only one would be left', () => {
    const found = ['A', 'A', 'B', 'A', 'C', 'D', 'B'].map((message, line) => finding({ message, line }));
    const folded = foldFindings(found);
    expect(folded.shown.map(({ line }) => line)).toEqual([0, 2, 4]);
    expect(folded.more).toEqual([{ severity: 'warning', code: 'missing-variable', count: 4 }]);
    expect(foldFindings(lines(5, { message: 'A' })).shown.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(foldFindings(lines(4))).toMatchObject({ shown: lines(4), more: [] });
  });

  test('entries that have taken effect are one count, and one that had no effect is a finding', () => {
    const withoutEffect = finding({ severity: 'note', code: 'stale-moved', address: 'schedules.b' });
    expect(foldFindings([...finished, withoutEffect])).toMatchObject({ shown: [withoutEffect], finished: 3 });
    expect(foldFindings(finished, true).shown).toEqual(finished);
  });
});

describe('a plan', () => {
  const changes = [{ ...createChange, address: 'schedules.weekly-sales', file: 'schedules/sales.yaml' }];
  const other = finding({ file: 'schedules/other.yaml', address: 'schedules.other' });

  test('a plan shows the findings about resources that it changes, and counts the others', () => {
    const inFile = finding({ file: 'schedules/sales.yaml' });
    const ofTwo = finding({ file: 'a.yaml', address: 'schedules.other', concerns: ['schedules.weekly-sales'] });
    const ofResource = finding({ file: 'teams.yaml', address: 'schedules.weekly-sales' });
    const ofNoFile = finding({ code: 'no-sources' });
    const anError = finding({ severity: 'error', code: 'unknown-field', file: 'schedules/other.yaml' });
    const diagnostics = [inFile, other, ofResource, ofNoFile, ofTwo];
    const counted = { shown: [ofResource, ofNoFile, ofTwo], more: [], elsewhere: 2 };
    expect(planFindings({ changes, diagnostics })).toMatchObject(counted);
    expect(planFindings({ changes, diagnostics: [anError] }).shown).toEqual([anError]);
    expect(planFindings({ changes: [], diagnostics: [inFile, other] })).toMatchObject({ shown: [], elsewhere: 2 });
    expect(planFindings({ changes, diagnostics }, true)).toMatchObject({ shown: diagnostics, elsewhere: 0 });
  });

  test('a plan that deletes the instances of a loop shows that the loop is empty', () => {
    const empty = finding({ code: 'for-each-empty', file: 'schedules/sales.yaml', address: 'schedules.sales' });
    const deleted = { ...createChange, file: undefined, action: 'delete' as const, address: 'schedules.sales.emea' };
    expect(planFindings({ changes: [deleted], diagnostics: [empty] })).toMatchObject({ shown: [empty], elsewhere: 0 });
  });

  test('a plan shows what only a look at the state or at Omni tells, whatever it changes', () => {
    const gone = finding({ code: 'deleted-with-owner', file: 'schedules/other.yaml', address: 'schedules.other' });
    const stopped = finding({ code: 'stopped-by-service', address: 'schedules.stopped' });
    const diagnostics = [gone, stopped, other, ...finished];
    const counts = { stopped: ['schedule'], elsewhere: 1, finished: 3 };
    expect(planFindings({ changes, diagnostics })).toMatchObject({ shown: [gone], more: [], ...counts });
    const resumed = [{ ...createChange, address: 'schedules.stopped' }];
    expect(planFindings({ changes: resumed, diagnostics: [stopped] })).toMatchObject({ shown: [stopped], stopped: [] });
  });

  test('the findings about more than ten moves or adoptions are counted, as they are themselves', () => {
    const adopting = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const address = `schedules.s${index}`;
        return { ...createChange, action: 'adopt' as const, address, file: `schedules/${index}.yaml` };
      });
    const diagnostics = [finding({ file: 'schedules/0.yaml', address: 'schedules.s0' })];
    expect(planFindings({ changes: adopting(10), diagnostics })).toMatchObject({ shown: diagnostics, elsewhere: 0 });
    expect(planFindings({ changes: adopting(11), diagnostics })).toMatchObject({ shown: [], elsewhere: 1 });
  });
});
