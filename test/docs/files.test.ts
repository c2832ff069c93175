// The tables of docs/fields.md are those of src/model, and the examples of docs/files.md are valid.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { referencePage, withFieldReference } from '../../scripts/docs/field-reference.ts';
import type { ValidateDocument } from '../../src/model/documents.ts';
import { readDiagnosticsPage } from '../support/diagnostics-page.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const reference = readFileSync(referencePage, 'utf8');
/** The examples of secrets and warnings show what is not complete. */
const [page = ''] = readFileSync('docs/files.md', 'utf8').split(/^## Secrets$/m);

describe('the field reference', () => {
  test('the field reference is what npm run generate writes', () => {
    expect(withFieldReference(reference)).toBe(reference);
  });

  test('the field reference has every table', () => {
    const names = [...reference.matchAll(/<!-- fields:(\S+) -->/g)].map(([, name]) => name);
    expect(names.sort()).toEqual(['aiJobs', 'almanac.yaml', 'audiences', 'common', 'dashboards', 'loops', 'schedules']);
  });
});

test('every form in the table of filter values is one', async () => {
  const [, table = ''] = /## Filter values\n([\s\S]*?)\n## /.exec(reference) ?? [];
  const forms = [...table.matchAll(/`(\{.*?\})`/g)].map(([, form = '']) => form);
  expect(forms.length).toBeGreaterThan(6);
  const filters = forms.map((form, index) => `      filter-${index}: ${form}\n`).join('');
  const defaults = { ...readDiagnosticsPage().workspace };
  const source = `schedules:\n  weekly:\n    filterConfig:\n${filters}`;
  const ran = await workspaceIn(makeFolder({ ...defaults, 'schedules/a.yaml': source }), {}).run(
    'validate',
    '--strict',
  );
  expect(ran).toMatchObject({ code: 0 });
});

describe('the examples', () => {
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

  test.each(blocks)('the example %# in docs/files.md is valid', async (block) => {
    const path = /^api:/m.test(block) ? 'almanac.yaml' : 'schedules/example.yaml';
    const folder = makeFolder({ 'schedules/empty.yaml': '', [path]: block });
    const ran = await workspaceIn(folder, {}).run('validate', '--format', 'json');
    expect((JSON.parse(ran.stdout) as ValidateDocument).diagnostics).toEqual([]);
  });
});
