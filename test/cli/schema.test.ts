// `almanac schema`: what it prints and writes, and the schema for a workspace, as an editor uses it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEditor } from '../support/editor.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const open = (files: Readonly<Record<string, unknown>> = {}) => workspaceIn(makeFolder(files), {});
const committed = (name: string) => readFileSync(`schemas/${name}.schema.json`, 'utf8');

it('schema prints a published schema, by its name or its file', async () => {
  const { run } = open();
  expect(await run('schema', 'resources')).toEqual({ code: 0, stdout: committed('resources'), stderr: '' });
  expect((await run('schema', 'schemas/almanac.schema.json')).stdout).toBe(committed('almanac'));
});

it('schema lists every published schema, those that people write first', async () => {
  const { stdout } = await open().run('schema');
  const listed = stdout.trimEnd().split('\n');
  const names = listed.map((line) => line.split(' ')[0] ?? '');
  expect(names.slice(0, 2)).toEqual(['resources', 'almanac']);
  expect(names.map((name) => `${name}.schema.json`).sort()).toEqual(readdirSync('schemas').sort());
});

it('schema writes one schema to a file, and all to a folder', async () => {
  const { run, read } = open();
  expect(await run('schema', 'plan', '--out', 'deep/er/p.json')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Wrote deep/er/p.json.\n',
  });
  expect(read('deep/er/p.json')).toBe(committed('plan'));
  await run('schema', '--out', 'all/');
  for (const name of ['resources', 'almanac', 'state']) expect(read(`all/${name}.schema.json`)).toBe(committed(name));
});

it.each([
  [['schema', 'resource'], /Did you mean `resources`/],
  [['schema', '--out', 'one.json'], /several schemas/],
  [['schema', 'plan', '--workspace'], /--workspace applies only to the schemas of what people write/],
] as const)('schema refuses %s', async (argv, words) => {
  const { code, stderr } = await open().run(...argv);
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toMatch(words);
});

it('schema reports what is wrong with almanac.yaml', async () => {
  const { code, stderr } = await open({ 'almanac.yaml': 'defautls: {}\n' }).run('schema', '--workspace');
  expect(code).toBe(1);
  expect(stderr).toContain('error[unknown-field]');
});

describe('--workspace', () => {
  const inEditor = async (defaults: object, checks: object = {}) => {
    const workspace = open({ 'almanac.yaml': { defaults, checks } });
    expect((await workspace.run('schema', '--workspace', '--out', 'own.json')).code).toBe(0);
    return openEditor(join(workspace.path, 'own.json'));
  };

  it('schema --workspace no longer requires what the defaults set', async () => {
    const { diagnose } = await inEditor({ schedules: { timezone: 'UTC', format: 'csv', subject: 'Sales' } });
    const rest = 'destinationType: email\n    recipients: [ana@example.com]';
    const text = `schedules:\n  weekly:\n    identifier: a\n    name: b\n    schedule: 0 9 ? * MON *\n    ${rest}\n`;
    expect(await diagnose(text)).toEqual([]);
    const [problem, ...others] = await diagnose(text.replace('    name: b\n', ''));
    expect([problem?.message, others]).toEqual(['`name` is missing.', []]);
    const missing = await diagnose(text.replace('    recipients: [ana@example.com]\n', ''));
    expect(missing.map(({ message }) => message)).toEqual([
      '`recipients` is missing: destinationType email requires it.',
    ]);
  });

  it('schema --workspace uses a default destination to decide which fields exist', async () => {
    const { diagnose, complete } = await inEditor({ schedules: { destinationType: 'email', format: 'pdf' } });
    const common = 'identifier: a\n    name: b\n    schedule: 0 9 ? * MON *\n    timezone: UTC';
    const problems = async (lines: string) =>
      (await diagnose(`schedules:\n  weekly:\n    ${common}\n${lines}`)).map(({ message }) => message);
    expect(await problems('')).toEqual(
      ['recipients', 'subject'].map((name) => `\`${name}\` is missing: destinationType email requires it.`),
    );
    expect(await problems('    recipients: [a@example.com]\n    subject: c\n    url: https://a.example.com\n')).toEqual(
      ['`url` applies only to destinationType `webhook`: remove it, or change destinationType.'],
    );
    expect(await problems('    destinationType: webhook\n    url: https://a.example.com\n')).toEqual([]);
    const offered = (await complete(`schedules:\n  weekly:\n    ${common}\n    █\n`)).map(({ label }) => label);
    expect(offered).toEqual(expect.arrayContaining(['subject', 'paperFormat']));
    expect(offered).not.toContain('url');
  });

  it('schema --workspace recognizes a dashboard by the filters of its defaults', async () => {
    const { diagnose } = await inEditor({ dashboards: { filterOrder: ['region'] } });
    expect(await diagnose('dashboards:\n  sales:\n    identifier: a\n')).toEqual([]);
  });

  it.each([
    [{}, 2],
    [{ 'filter-shape': 'error' }, 2],
    [{ 'filter-shape': 'warning' }, 1],
    [{ 'filter-shape': 'off' }, 1],
  ])('schema --workspace marks filters that are no maps unless checks, here %j, allow them', async (checks, count) => {
    const { diagnose } = await inEditor({ schedules: mail() }, checks);
    const schedule = 'schedules:\n  a: { filterConfig: { customer: [Acme] } }\n';
    expect(
      await diagnose(`${schedule}dashboards:\n  b: { identifier: b, filters: { customer: [Acme] } }\n`),
    ).toHaveLength(count);
  });

  it('schema --workspace without defaults prints what the published schema says, each part once', async () => {
    // But for the environments, of which the published one has none, and the codes, which editors do not read.
    const comparable = (schema: unknown) =>
      JSON.stringify(schema, (name, value) => (name === 'in' ? true : name === 'x-code' ? undefined : value));
    const { $defs, ...short } = JSON.parse((await open().run('schema', '--workspace')).stdout);
    const whole = (part: unknown): unknown => {
      if (typeof part !== 'object' || part === null) return part;
      if (Array.isArray(part)) return part.map(whole);
      const [, shared] = /^#\/\$defs\/(.+)$/.exec(String((part as { $ref?: unknown }).$ref)) ?? [];
      if (shared !== undefined) return whole($defs[shared]);
      return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, whole(each)]));
    };
    expect(comparable(whole(short))).toBe(comparable(JSON.parse(committed('resources'))));
  });

  it('schema --workspace writes both schemas into a folder, as init does', async () => {
    const { run, read } = open({ 'almanac.yaml': {} });
    expect((await run('schema', '--workspace', '--out', '.almanac')).stderr).toBe(
      'Wrote .almanac/resources.schema.json.\nWrote .almanac/almanac.schema.json.\n',
    );
    expect((await run('schema', 'almanac', '--workspace')).stdout).toBe(read('.almanac/almanac.schema.json'));
  });
});
