// Reports of `plan`, `show` and `validate`.

import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBare, weekly } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import { says } from '../support/vocabulary.ts';

describe('the formats of a plan', () => {
  it('one run writes a plan in several formats', async () => {
    const { run, read } = await openBare();
    const files = ['text=plan.txt', 'json=plan.json', 'markdown=plan.md', 'html=plan.html', 'gitlab=widget.json'];
    const ran = await run(`plan --out saved.plan ${files.map((file) => `--report ${file}`).join(' ')} --format json`);
    expect(ran.code).toBe(0);
    const { digest } = expectDocument<{ digest: string }>('plan', ran.stdout);
    expect(read('plan.json')).toBe(ran.stdout);
    for (const file of ['plan.txt', 'plan.md', 'plan.html', 'saved.plan']) expect(read(file)).toContain(digest);
    expect(JSON.parse(read('widget.json'))).toEqual({ create: 3, update: 0, delete: 0 });
    expect(read('plan.txt')).toBe((await run('plan')).stdout);
    expect(read('plan.md')).toBe((await run('plan --format markdown')).stdout);
    expect(read('plan.md')).toMatch(/^## Almanac plan: 3 to create\n/);
    expect(read('plan.html')).toMatch(/^<!doctype html>\n/);
  });

  it('the reports of a plan do not change the exit code', async () => {
    const { run } = await openBare();
    expect((await run('plan --detailed-exitcode --format html')).code).toBe(2);
    expect((await run('plan --report markdown=plan.md')).code).toBe(0);
  });
});

describe('a report that cannot be written', () => {
  it.each([
    ['--report pdf=plan.pdf', 'FORMAT is one of text, json, markdown, html, gitlab'],
    ['--report markdown', 'The file is missing.'],
    ['--report markdown=nowhere/plan.md', 'nowhere/plan.md cannot be written: there is no such file or folder'],
    ['--report markdown=schedules', 'schedules cannot be written: it is a folder'],
    ['--report markdown=a --report html=a', 'Two results would be written to a'],
    ['--out a --report html=./a', 'Two results would be written to one file: a and ./a'],
    ['--out linked', 'linked cannot be written: it is a symbolic link'],
    ['--report html=folder/a', 'folder is a symbolic link'],
    ['--out almanac.state.json', 'almanac.state.json cannot be written: it is the state. hint: Give the result a file'],
    ['--report html=almanac.state.json.journal', 'it is the state'],
    ['--report html=almanac.yaml', 'almanac.yaml cannot be written: it is the configuration'],
    ['--report html=schedules/../schedules/all.yaml', 'all.yaml cannot be written: it is a source file'],
    ['--out elsewhere.json --state elsewhere.json', 'it is the state'],
    ['--out -', '- cannot be written: it is not a regular file'],
    ['--report json=/dev/stdout', '/dev/stdout cannot be written: it is not a regular file'],
  ])('a report that cannot be written is refused before anything is done: %s', async (options, words) => {
    const { run, path, write } = await openBare();
    write({ 'almanac.yaml': {} });
    symlinkSync('a', join(path, 'linked'));
    symlinkSync('.', join(path, 'folder'));
    const ran = await run(`plan ${options} --report json=first.json`);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toEqual(says(words));
    expect(existsSync(join(path, 'first.json'))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)(
    'a report in a folder without permission is refused before anything is done',
    async () => {
      const { run, path } = await openBare();
      mkdirSync(join(path, 'locked'));
      chmodSync(join(path, 'locked'), 0o500);
      expect((await run('plan --report json=locked/plan.json')).stderr).toContain('permission is denied');
    },
  );
});

describe('the formats of validate', () => {
  const wrong = { schedules: { weekly: { ...weekly, subjekt: 'Sales' } } };
  const options = { 'reports/almanac.yaml': {}, 'reports/schedules/all.yaml': wrong, 'reports/schedules/b.yaml': {} };

  it('validate has the same exit code in every format', async () => {
    const { run, write } = await openBare(options);
    for (const format of ['text', 'json', 'github', 'sarif', 'gitlab', 'junit'])
      expect((await run(`validate -C reports --format ${format}`)).code, format).toBe(1);
    const schedules = { weekly: { ...weekly, schedule: '0 9 30 2 ? *' } };
    write({ 'reports/schedules/all.yaml': { schedules } });
    for (const format of ['text', 'github', 'sarif', 'gitlab', 'junit']) {
      expect((await run(`validate -C reports --format ${format}`)).code, format).toBe(0);
      expect((await run(`validate -C reports --format ${format} --strict`)).code, format).toBe(1);
    }
  });

  it('validate writes several reports in addition to the one on stdout', async () => {
    const { run, read, environment, path } = await openBare(options);
    environment['CI_PROJECT_DIR'] = path;
    const ran = await run(
      'validate -C reports --report gitlab=quality.json --report junit=junit.xml --report sarif=a.sarif',
    );
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('error[unknown-field]') });
    expect(JSON.parse(read('reports/quality.json'))).toMatchObject([
      { check_name: 'unknown-field', location: { path: 'reports/schedules/all.yaml' } },
    ]);
    expect(read('reports/junit.xml')).toContain('classname="reports/schedules/b.yaml" name="no findings"');
    expect(JSON.parse(read('reports/a.sarif'))).toMatchObject({
      runs: [{ results: [{ ruleId: 'unknown-field', level: 'error' }] }],
    });
  });
});
