// What `npm pack` makes: the program, its types, the licences of what is bundled, and every page that the README leads to.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeFolder } from '../support/workspace.ts';

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const pack = ['pack', '--ignore-scripts'];
let packed: Packed;
const paths = () => packed.files.map(({ path }) => path);

beforeAll(() => {
  const answer = JSON.parse(execFileSync('npm', [...pack, '--dry-run', '--json'], { encoding: 'utf8' }));
  [packed] = Object.values(answer) as [Packed];
});

test('the package holds no sources and no tests, but types', () => {
  expect(paths().filter((path) => /^(?:src|test|scripts|bench)\//.test(path))).toEqual([]);
  expect(paths()).toContain('dist/types/index.d.ts');
  expect(paths()).toContain('dist/cli.cjs');
  expect(paths()).toContain('dist/THIRD-PARTY-LICENSES.txt');
  expect(paths()).toContain('.github/actions/almanac/action.yml');
});

test('the licences name each bundled package with its version, llhttp inside undici, and the data of CLDR', () => {
  const read = (file: string) => readFileSync(file, 'utf8');
  const notices = read('dist/THIRD-PARTY-LICENSES.txt').split('\n---\n\n');
  const parts = notices.map((notice) => /^(\S+?)(?:, in (\S+))? (\S+) \(([^)]+)\)\n\n./.exec(notice)?.slice(1) ?? []);
  expect(parts.map(([name]) => name)).toEqual(expect.arrayContaining(['commander', 'llhttp', 'undici', 'yaml']));
  for (const [name, container = name, version, licence] of parts) {
    if (name === 'CLDR') continue;
    const installed = JSON.parse(read(`node_modules/${container}/package.json`)) as Record<string, unknown>;
    expect([name, version]).toEqual([name, installed['version']]);
    expect(licence).toBe(name === 'llhttp' ? 'MIT' : installed['license']);
  }
  expect(notices.find((notice) => notice.startsWith('llhttp, in undici'))).toContain('Copyright Fedor Indutny');
  expect(notices.find((notice) => notice.startsWith('CLDR'))).toContain('Unicode, Inc.');
});

test('the package stays small', () => {
  expect(paths().length).toBeLessThan(400);
  expect(packed.unpackedSize).toBeLessThan(7_000_000);
});

test('the links of the packed README and pages lead to what is packed', () => {
  const pages = paths().filter((path) => path === 'README.md' || /^docs\/[^/]+\.md$/.test(path));
  expect(pages.length).toBeGreaterThan(20);
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .map((target) => normalize(join(dirname(page), target)))
      .filter((target) => !paths().some((path) => path === target || path.startsWith(`${target}/`)))
      .map((target) => `${page} -> ${target}`),
  );
  expect(missing).toEqual([]);
});

test("the types of the package compile in a user's strict project", () => {
  const folder = makeFolder({
    'package.json': { type: 'module' },
    'tsconfig.json': {
      compilerOptions: { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: [] },
      include: ['user.ts'],
    },
    'user.ts': `import {
  createEmulator, parseCron, verifyWebhook, type Change, type PlanDocument, type WebhookHeaders,
} from 'almanac';

export const changesOf = ({ changes }: PlanDocument): readonly Change[] => changes;
export const isGenuine = (body: string, headers: WebhookHeaders) => verifyWebhook(body, headers, 'whsec_', { now: 0 }).ok === true;
export const address = async () => (await createEmulator({ operations: 'full' }).listen()).baseUrl.length;
export const cron = parseCron('0 9 ? * MON *');
// @ts-expect-error: a text is no rate.
createEmulator({ rateLimit: 'none' });
// @ts-expect-error: a plan has no such member, so the types are those of the package and not \`any\`.
export const none = (plan: PlanDocument) => plan.nothing;
`,
  });
  execFileSync('npm', [...pack, '--silent', '--pack-destination', folder.path]);
  const target = join(folder.path, 'node_modules/almanac');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder.path, 'almanac-0.1.0.tgz'), '--strip-components=1', '-C', target]);
  const compiler = resolve('node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(compiler, ['-p', folder.path], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
