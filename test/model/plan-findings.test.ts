import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/workspace/diagnostic.ts';
import { planFindings } from '../../src/model/workspace/fold-findings.ts';
import { createChange } from '../support/report/plan-samples.ts';

const changes = [{ ...createChange, address: 'schedules.weekly-sales', file: 'schedules/sales.yaml' }];

function finding(rest: Partial<Diagnostic>): Diagnostic {
  return { severity: 'warning', code: 'duplicate-schedule', summary: 'x', message: 'x', ...rest };
}

test('a plan shows the findings about resources that it changes, and counts the others', () => {
  const inFile = finding({ file: 'schedules/sales.yaml' });
  const ofTwo = finding({ file: 'a.yaml', address: 'schedules.other', concerns: ['schedules.weekly-sales'] });
  const ofResource = finding({ code: 'missing-variable', file: 'teams.yaml', address: 'schedules.weekly-sales' });
  const ofNoFile = finding({ code: 'no-sources' });
  const anError = finding({ severity: 'error', code: 'unknown-field', file: 'schedules/other.yaml' });
  const elsewhere = finding({ file: 'schedules/other.yaml', address: 'schedules.other' });
  const diagnostics = [inFile, elsewhere, ofResource, ofNoFile, ofTwo];
  expect(planFindings({ changes, diagnostics })).toMatchObject({
    shown: [ofResource, ofNoFile, ofTwo],
    more: [],
    elsewhere: 2,
  });
  expect(planFindings({ changes, diagnostics: [anError] }).shown).toEqual([anError]);
});

test('a plan shows three findings of a code and counts the others, unless only one is left', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => finding({ address: 'schedules.weekly-sales', line: index + 1 }));
  expect(planFindings({ changes, diagnostics: many(4) }).shown).toHaveLength(4);
  const { shown, more } = planFindings({ changes, diagnostics: [...many(5), finding({ code: 'missing-variable' })] });
  expect(shown.map(({ code, line }) => `${code} ${line ?? ''}`.trim())).toEqual([
    'duplicate-schedule 1',
    'duplicate-schedule 2',
    'duplicate-schedule 3',
    'missing-variable',
  ]);
  expect(more).toEqual([{ severity: 'warning', code: 'duplicate-schedule', count: 2 }]);
});

test('a plan that deletes the instances of a loop shows that the loop is empty', () => {
  const empty = finding({ code: 'for-each-empty', file: 'schedules/sales.yaml', address: 'schedules.sales' });
  const { file: _, ...change } = createChange;
  const deleted = { ...change, action: 'delete' as const, address: 'schedules.sales.emea' };
  expect(planFindings({ changes: [deleted], diagnostics: [empty] })).toMatchObject({ shown: [empty], elsewhere: 0 });
});

test('a plan without changes only counts the findings about files', () => {
  const diagnostics = [finding({ file: 'schedules/sales.yaml' }), finding({ file: 'schedules/other.yaml' })];
  expect(planFindings({ changes: [], diagnostics })).toMatchObject({ shown: [], more: [], elsewhere: 2 });
});

test('a plan shows what only a look at the state or at Omni tells, whatever it changes', () => {
  const gone = finding({ code: 'deleted-with-owner', file: 'schedules/other.yaml', address: 'schedules.other' });
  const stopped = finding({ code: 'stopped-by-service', address: 'schedules.stopped' });
  const standing = finding({ code: 'missing-variable', file: 'schedules/other.yaml', address: 'schedules.other' });
  const finished = finding({ severity: 'note', code: 'finished-entry', file: 'schedules/other.yaml' });
  const diagnostics = [gone, stopped, standing, finished];
  const counts = { stopped: 1, elsewhere: 1, finished: 1 };
  expect(planFindings({ changes, diagnostics })).toMatchObject({ shown: [gone], more: [], ...counts });
  const resumed = [{ ...createChange, address: 'schedules.stopped' }];
  expect(planFindings({ changes: resumed, diagnostics: [stopped] })).toMatchObject({ shown: [stopped], stopped: 0 });
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

test('a plan that shows all counts nothing, and never mentions what is accepted', () => {
  const accepted = finding({ file: 'schedules/other.yaml', accepted: 'both teams want it' });
  const many = Array.from({ length: 9 }, (_, line) => finding({ file: 'schedules/other.yaml', line }));
  const diagnostics = [accepted, ...many];
  expect(planFindings({ changes, diagnostics }, true)).toMatchObject({ shown: many, more: [], elsewhere: 0 });
  expect(planFindings({ changes, diagnostics })).toMatchObject({ shown: [], more: [], elsewhere: 9 });
});
