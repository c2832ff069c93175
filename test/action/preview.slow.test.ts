// The recipe of docs/ci-github.md for previews, on the fake runner with real git: what a hostile pull request can make it do
// is nothing but render what the member of its token may see.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { omniToken, openRunner } from '../support/action/fake-runner.ts';
import { openRepository } from '../support/action/repository.ts';
import type { Workflow } from '../support/action/workflow-files.ts';
import { daily } from '../support/cli/open-stage.ts';
import { listenOnLoopback } from '../support/state/loopback.ts';
import { openWorld } from '../support/world.ts';

const page = readFileSync('docs/ci-github.md', 'utf8');
const recipe = parse(
  /```yaml\n(# \.github\/workflows\/almanac-preview\.yml\n.*?)```/s.exec(page)?.[1] ?? '',
) as Workflow & { readonly on: Readonly<Record<string, unknown>> };
const steps = recipe.jobs['preview']?.steps ?? [];
const step = steps.find(({ run = '' }) => run.includes('almanac'));

const weekly = { ...daily, identifier: '12db1a0a', name: 'Weekly', format: 'pdf' };
const json = (value: unknown) => JSON.stringify(value);

async function openPullRequest(changes: Readonly<Record<string, string>>) {
  const world = await openWorld({}, { now: Date.now, downloadDurationMs: 0 });
  const repository = openRepository({
    'almanac.yaml': json({ api: { baseUrl: world.baseUrl, operations: 'full' } }),
    'schedules/all.yaml': json({ schedules: { weekly } }),
  });
  repository.commit(changes, { branch: 'change' });
  repository.mergeRef('change', 7);
  const runner = openRunner({}, 'dist/cli.cjs');
  repository.checkOut(runner, { depth: 1 });
  const bin = join(runner.path, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const program = `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.cjs')}" "$@"\n`;
  writeFileSync(join(bin, 'almanac'), program, { mode: 0o755 });
  const render = (selectors: string, number = '7') => {
    const child = runner.begin(`exec > "$RUNNER_TEMP/log" 2>&1\n${step?.run}`, {
      PULL_REQUEST: number,
      SELECTORS: selectors,
      OMNI_BASE_URL: world.baseUrl,
      OMNI_API_TOKEN: world.personalToken,
    });
    return new Promise<{ code: number | null; log: string }>((done) =>
      child.once('exit', (code) => done({ code, log: readFileSync(join(runner.home, 'temp/log'), 'utf8') })),
    );
  };
  const previews = () => {
    const folder = join(runner.home, 'temp/previews');
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  };
  return { world, runner, render, previews };
}

test('the recipe for previews runs by hand, in an environment of its own, with one token that is no organization key', () => {
  expect(Object.keys(recipe.on)).toEqual(['workflow_dispatch']);
  expect(recipe.permissions).toEqual({ contents: 'read' });
  expect(recipe.jobs['preview']).toMatchObject({
    environment: 'almanac-preview',
    if: '${{ github.ref_name == github.event.repository.default_branch }}',
  });
  expect(step?.env).toEqual({
    PULL_REQUEST: '${{ inputs.pull-request }}',
    SELECTORS: '${{ inputs.selectors }}',
    OMNI_BASE_URL: '${{ vars.OMNI_BASE_URL }}',
    OMNI_API_TOKEN: '${{ secrets.OMNI_PREVIEW_TOKEN }}',
  });
  expect(step?.run).not.toContain('${{');
  expect(steps.at(-1)?.with).toMatchObject({ 'retention-days': 3 });
});

test('the recipe renders what a pull request declares', async () => {
  const filterConfig = { region: { values: ['North Pine'] } };
  const emea = json({ schedules: { emea: { ...weekly, name: 'EMEA', filterConfig } } });
  const { render, previews, runner } = await openPullRequest({ 'schedules/emea.yaml': emea });
  const { code, log } = await render('schedules.emea');
  expect(code, log).toBe(0);
  expect(previews()).toEqual(['schedules.emea.pdf']);
  expect(readFileSync(join(runner.home, 'temp/previews/schedules.emea.pdf'), 'latin1')).toMatch(/^%PDF-/);
});

test('a hostile pull request makes the recipe render what the member of its token may see, and nothing else', async () => {
  const stolen: string[] = [];
  const server = createServer((request, response) => {
    stolen.push(`${request.url} ${request.headers.authorization}`);
    response.end();
  });
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  const evil = `http://127.0.0.1:${port}/api`;
  const marker = '#!/bin/sh\ntouch "$RUNNER_TEMP/ran"\n';
  const { world, runner, render, previews } = await openPullRequest({
    'almanac.yaml': json({ api: { baseUrl: evil, tokenEnv: 'OMNI_EVIL_TOKEN', operations: 'full' } }),
    'schedules/all.yaml': json({
      schedules: {
        weekly: { ...weekly, owner: 'cleo@example.com', url: 'https://evil.example.com/hook' },
        finance: { ...weekly, name: 'Finance', identifier: 'b4d86e20', owner: 'cleo@example.com' },
        hidden: { ...weekly, name: 'Hidden', identifier: 'c90f7713', userId: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b' },
      },
    }),
    'node_modules/.bin/almanac': marker,
    'package.json': json({ scripts: { preinstall: 'touch "$RUNNER_TEMP/ran"' } }),
    '.gitattributes': '* filter=evil\n',
    '.almanac/previews/.keep': '',
  });
  world.emulator.edit(({ documents }) => {
    for (const document of documents)
      if (document.identifier === 'c90f7713') Object.assign(document, { scope: 'restricted', sharedWith: [] });
  });
  // Ana, whose token it is, may not see the last one.
  const { code, log } = await render('schedules.*');
  expect(code).toBe(1);
  expect(log).toContain('schedules.hidden: Omni does not let this user download the dashboard.');
  expect(previews()).toEqual(['schedules.finance.pdf', 'schedules.weekly.pdf']);
  expect(stolen).toEqual([]);
  expect(existsSync(join(runner.home, 'temp/ran'))).toBe(false);
  const requests = world.emulator.requests();
  expect(requests.map(({ token, query }) => [token, query])).toEqual(requests.map(() => ['personal', {}]));
  expect(requests.map(({ path }) => path).filter((path) => !path.includes('/download'))).toEqual([]);
  expect(JSON.stringify(requests)).not.toMatch(new RegExp(`evil|${omniToken}`));
  expect(world.emulator.inspect().deliveries).toEqual([]);
});

test.each(['7; touch x', '../heads/main', '', '7\n8'])(
  'the recipe refuses %j for the number of a pull request',
  async (number) => {
    const { world, render, previews } = await openPullRequest({ 'schedules/x.yaml': json({}) });
    expect((await render('schedules.*', number)).code).not.toBe(0);
    expect([previews(), world.emulator.requests()]).toEqual([[], []]);
  },
);
