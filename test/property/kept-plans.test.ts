// A plan that uses what an earlier run parsed prints the same bytes as one that parses everything.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { makeFolder, type Ran, workspaceIn } from '../support/workspace.ts';

const files = {
  'schedules/a.yaml': { schedules: { weekly, other: { ...weekly, name: 'Other' } } },
  'schedules/b.yaml': {
    defaults: { schedules: { format: 'csv' } },
    schedules: { third: { ...weekly, name: 'Third' } },
  },
};
const names = [...Object.keys(files), 'almanac.yaml'];
const pieces = [
  'format: csv',
  '"format": "xlsx"',
  '{',
  '}',
  '"',
  ',',
  '\n',
  '\n---\n',
  ' # x\n',
  'é',
  'environments: { a: {} }\n',
  'defaults: { schedules: { paused: true } }\n',
  '"in": ["a"],',
  '&a ',
  '*a',
  '1',
];
const edits = fc.array(
  fc.record({
    file: fc.constantFrom(...names),
    at: fc.nat(600),
    cut: fc.nat(30),
    put: fc.constantFrom(...pieces, ''),
  }),
  { minLength: 1, maxLength: 4 },
);

it('a plan and a validation print the same with what was kept as without it, after any edits', async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (all) => {
      const folder = makeFolder({ 'almanac.yaml': 'api: { baseUrl: "https://acme.omniapp.co/api" }\n', ...files });
      const { run } = workspaceIn(folder, {}, { build: 'this one' });
      const both = async (...argv: readonly string[]): Promise<readonly [Ran, Ran]> => [
        await run(...argv),
        await run(...argv, '--no-cache'),
      ];
      await run('plan');
      for (const { file, at, cut, put } of all) {
        const text = folder.read(file);
        folder.write({ [file]: text.slice(0, at) + put + text.slice(at + cut) });
        for (const argv of [['plan'], ['plan', '--format', 'json', '--env', 'a'], ['validate', '--format', 'json']]) {
          const [kept, fresh] = await both(...argv);
          expect(kept).toEqual(fresh);
        }
      }
    }),
    { numRuns: 12 },
  );
});
