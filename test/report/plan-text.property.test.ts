// The text of any plan fits the width and moves no cursor. The text shows no mistake of the renderer.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionNames } from '../../src/model/plan/action.ts';
import { type Change, type FieldDiff, type Reason, reasons } from '../../src/model/plan/plan.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { renderPlanText } from '../../src/report/plan/plan-text.ts';
import { timePlan } from '../../src/report/plan/timed-plan.ts';
import { displayWidth } from '../../src/report/text/terminal-text.ts';
import { colourTheme, plainTheme } from '../../src/report/text/theme.ts';
import { hostileText } from '../support/report/hostile-text.ts';
import { oldId, planOf } from '../support/report/plan-samples.ts';
import { obeyed, stripSgr } from '../support/report/strip-sgr.ts';
import { runs } from '../support/runs/runs.ts';

const text = fc.oneof(
  hostileText,
  fc.lorem({ maxCount: 60 }),
  fc.webUrl(),
  fc.emailAddress(),
  fc.lorem({ mode: 'sentences', maxCount: 8 }).map((each) => each.replaceAll('. ', '.\n')),
);
const scalar: fc.Arbitrary<Json> = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const key = fc.oneof(fc.constantFrom('values', 'label', 'a b', '__proto__'), hostileText);
const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 6 }),
  fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { maxLength: 4 })), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
);
const field = fc.constantFrom('name', 'schedule', 'timezone', 'recipients', 'textBody', 'filterConfig', 'extra', 'url');
const attributes = fc.dictionary(field, value, { maxKeys: 6 }) as fc.Arbitrary<JsonObject>;

const diff: fc.Arbitrary<FieldDiff> = fc.record(
  {
    path: field.map((name) => `/${name}`),
    op: fc.constantFrom('add', 'remove', 'change'),
    before: value,
    after: value,
    sensitive: fc.boolean(),
  },
  { requiredKeys: ['path', 'op', 'sensitive'] },
);

const change: fc.Arbitrary<Change> = fc.record(
  {
    address: fc.constantFrom('schedules.weekly-sales', `schedules.${'x'.repeat(64)}`, 'dashboards.sales'),
    kind: fc.constantFrom('schedule', 'dashboard', 'aiJob'),
    action: fc.constantFrom(...actionNames),
    reason: fc.constantFrom(...(Object.keys(reasons) as Reason[])),
    id: fc.oneof(fc.constant(oldId), hostileText),
    previousAddress: fc.constant('schedules.old-name'),
    file: fc.oneof(fc.constant('schedules/sales.yaml'), hostileText),
    line: fc.nat(),
    before: fc.option(attributes),
    after: fc.option(attributes),
    diff: fc.array(diff, { maxLength: 4 }),
    requests: fc.nat(3),
    blocked: text,
  },
  { requiredKeys: ['address', 'kind', 'action', 'reason', 'before', 'after', 'diff', 'requests'] },
);

const plan = fc.tuple(fc.array(change, { maxLength: 4 }), hostileText).map(([changes, name]) =>
  planOf(changes, {
    orphans: [{ id: oldId, address: 'schedules.x', identifier: name, name, since: '2026-11-01T09:00:00Z' }],
    unresolved: [{ address: 'schedules.y', action: 'create', since: name }],
  }),
);

const hostileCron = {
  words: () => 'at \u001b[2J09:00',
  nextRun: () => undefined,
  clockWords: () => 'On \u001b[2J',
};

test('no line of a plan exceeds the width, unless it holds a single thing to copy', () => {
  fc.assert(
    fc.property(plan, fc.constantFrom(80, 60, 40), (document, width) => {
      const lines = renderPlanText(document, { theme: plainTheme, width }).split('\n');
      const wide = lines.filter((line) => displayWidth(line) > width && !line.startsWith('  almanac '));
      // An indent and a mark may come before it; nothing may come after it.
      for (const line of wide)
        expect(line.replace(/^(?: *(?:->|-\/\+|[#!+~.=>-]))? */, '').replace(/ +$/, '')).toMatch(
          /^(?:(?:[A-Za-z]+ {2,})?\S+|`almanac .*)$/,
        );
    }),
    { numRuns: runs(300) },
  );
});

test('the text of a plan cannot control the terminal and contains no rendering mistakes', () => {
  fc.assert(
    fc.property(plan, (document) => {
      const shown = renderPlanText(timePlan(document, hostileCron), { theme: plainTheme, width: 80 });
      expect(shown).not.toMatch(obeyed);
      expect(shown).not.toMatch(/\bundefined\b|\[object Object\]|\bNaN\b/);
    }),
    { numRuns: runs(300) },
  );
});

test('the text of any plan is the same with and without colour', () => {
  fc.assert(
    fc.property(plan, fc.constantFrom(80, 40), (document, width) => {
      const coloured = renderPlanText(document, { theme: colourTheme, width });
      expect(stripSgr(coloured)).toBe(renderPlanText(document, { theme: plainTheme, width }));
    }),
  );
});
