// Whatever a file holds: what fold moves to defaults and audiences changes no resource, and no comment is lost.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editFiles } from '../../src/commands/base/edit/edit-files.ts';
import { foldAudiences } from '../../src/commands/fold/fold-audiences.ts';
import { foldDefaults } from '../../src/commands/fold/fold-defaults.ts';
import type { FoldStage } from '../../src/commands/fold/fold-stage.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { hasErrors } from '../../src/model/workspace/diagnostic.ts';
import { comparable } from '../../src/plan/comparable.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import { loadFiles } from '../support/apply/loading.ts';
import { runs } from '../support/runs/runs.ts';

type Files = Readonly<Record<string, string>>;

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const list = fc.shuffledSubarray(['ana@acme.com', 'bo@acme.com', 'cy@big.com'], { minLength: 2 });
/** A comment beside the line, above it or below it; mostly none. */
const remark = oneOf('', '', '', '', '', '', 'beside', 'above', 'below');

const drawnSchedule = fc.record({
  identifier: oneOf('12db1a0a', '12db1a0a', '12db1a0a', '3f9c2b71', '${var.dashboard}', undefined),
  timezone: oneOf('UTC', 'UTC', 'UTC', 'Europe/London', '"Europe/London"', undefined),
  format: oneOf('pdf', 'pdf', 'pdf', 'csv'),
  remarks: fc.array(remark, { minLength: 4, maxLength: 4 }),
  list,
  others: list,
  form: oneOf('line', 'line', 'block', 'braces', 'loop', 'anchor', 'merge'),
});

type Drawn = typeof drawnSchedule extends fc.Arbitrary<infer T> ? T : never;

const drawnFile = fc.record({
  schedules: fc.array(drawnSchedule, { minLength: 4, maxLength: 9 }),
  defaults: oneOf('', '', 'identifier: 12db1a0a', 'timezone: UTC', 'timezone: Asia/Tokyo', 'paperFormat: a4'),
  isSplit: fc.boolean(),
});

const flow = (emails: readonly string[]) => `[${emails.join(', ')}]`;

function linesOf(key: string, drawn: Drawn): readonly string[] {
  const { identifier, timezone, format, remarks, form, list: own, others } = drawn;
  const fields: string[] = [];
  const add = (name: string, value: string | undefined, index: number) => {
    if (value === undefined) return;
    if (remarks[index] === 'above') fields.push(`# above ${key} ${name}`);
    fields.push(`${name}: ${value}${remarks[index] === 'beside' ? ` # beside ${key} ${name}` : ''}`);
    if (remarks[index] === 'below') fields.push(`  # below ${key} ${name}`);
  };
  add('identifier', identifier, 0);
  add('timezone', timezone, 1);
  add('format', format, 2);
  const rest = [`name: ${key}`, 'schedule: 0 9 ? * MON *', 'destinationType: email', 'subject: Numbers'];
  if (form === 'braces') {
    const given = Object.entries({ identifier, timezone, format }).flatMap(([name, value]) => {
      const quoted = value?.includes('$') ? `"${value}"` : value;
      return value === undefined ? [] : [`${name}: ${quoted}`];
    });
    return [`  ${key}: { ${[...given, ...rest, `recipients: ${flow(own)}`].join(', ')} }`];
  }
  const head = form === 'anchor' ? `  ${key}: &${key}` : `  ${key}:`;
  const recipients =
    form === 'block'
      ? [
          `recipients:${remarks[3] === 'beside' ? ` # beside ${key} recipients` : ''}`,
          ...(remarks[3] === 'above' ? [`  # above ${key} recipients`] : []),
          ...own.map((email, index) => `  - ${email}${index === 0 && remarks[3] === 'below' ? ` # in ${key}` : ''}`),
        ]
      : [`recipients: ${form === 'loop' ? '${each.to}' : flow(own)}`];
  const items =
    form === 'loop'
      ? [`forEach: { x: { to: ${flow(own)} }, y: { to: ${flow(others)} } }`]
      : form === 'merge'
        ? ['<<: *base']
        : [];
  const named = form === 'loop' ? rest.map((line) => line.replace(`name: ${key}`, `name: ${key} \${each.key}`)) : rest;
  return [head, ...[...items, ...fields, ...named, ...recipients].map((line) => `    ${line}`)];
}

function textOf(
  file: string,
  { schedules, defaults, isSplit }: typeof drawnFile extends fc.Arbitrary<infer T> ? T : never,
): string {
  const base = 'x-base: &base { timezone: Africa/Cairo, identifier: base }\n';
  const head = defaults === '' ? '' : `defaults:\n  schedules:\n    ${defaults}\n`;
  const all = schedules.map((drawn, index) => linesOf(`${file}${index}`, drawn));
  const at = isSplit ? Math.ceil(all.length / 2) : all.length;
  const parts = [all.slice(0, at), all.slice(at)].filter((part) => part.length > 0);
  return parts
    .map((part, index) => `${base}${index === 0 ? head : ''}schedules:\n${part.flat().join('\n')}\n`)
    .join('---\n');
}

async function declaredIn(files: Files) {
  const { desired, findings } = await loadFiles(files);
  expect(hasErrors(findings)).toBe(false);
  return desired.resources
    .map(({ address, kind, attributes }) => [address, comparable(kind, attributes as JsonObject)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const commentsIn = (files: Files) =>
  Object.values(files)
    .flatMap((text) => text.match(/#.*$/gm) ?? [])
    .sort();

test('what is moved to defaults and audiences changes no resource, and no comment is lost', async () => {
  const folded = { default: 0, audience: 0, loop: 0 };
  await fc.assert(
    fc.asyncProperty(drawnFile, drawnFile, async (a, b) => {
      const config =
        'variables: { dashboard: b4d86e20 }\ndefaults: { schedules: { timezone: UTC, identifier: c90f7713 } }\n';
      const files = { 'almanac.yaml': config, 'schedules/a.yaml': textOf('a', a), 'schedules/b.yaml': textOf('b', b) };
      const before = await declaredIn(files);
      const audiences = await runStage(foldAudiences, files);
      const { after, folds } = await runStage(foldDefaults, audiences.after);
      for (const { kind } of [...audiences.folds, ...folds]) folded[kind] += 1;
      expect(await declaredIn(after)).toEqual(before);
      expect(commentsIn(after)).toEqual(commentsIn(files));
    }),
    { numRuns: runs(20), seed: 16 },
  );
  // Otherwise the files hold nothing to fold any more.
  expect(folded.default).toBeGreaterThan(runs(15));
  expect(folded.audience).toBeGreaterThan(runs(15));
});

/** Runs one stage of fold on a workspace in memory. */
async function runStage(stage: FoldStage, files: Files) {
  const loaded = await loadFiles(files);
  if (hasErrors(loaded.findings)) throw new Error(JSON.stringify(loaded.findings));
  const { folds } = stage({
    loaded,
    files: new Map(loaded.files.map((path) => [path, files[path] ?? ''])),
    parse: parseSource,
    state: 'unknown',
    everywhere: [loaded],
  });
  const edited = editFiles(
    folds.flatMap(({ edits }) => edits),
    loaded,
  );
  if ('notEdited' in edited) throw new Error(`${edited.notEdited} cannot be edited`);
  return {
    folds: folds.map(({ fold }) => fold),
    /** The workspace afterwards. */
    after: { ...files, ...Object.fromEntries(edited.texts) },
  };
}
