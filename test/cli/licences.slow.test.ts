// The built package comes with the licences of what is bundled.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');
const notices = read('dist/THIRD-PARTY-LICENSES.txt').split('\n---\n\n');

test('the licences name each bundled package with its version, and llhttp inside undici', () => {
  const parts = notices.map((notice) => /^(\S+?)(?:, in (\S+))? (\S+) \(([^)]+)\)\n\n./.exec(notice)?.slice(1) ?? []);
  expect(parts.map(([name]) => name)).toEqual(expect.arrayContaining(['commander', 'llhttp', 'undici', 'yaml']));
  for (const [name, container = name, version, licence] of parts) {
    const installed = JSON.parse(read(`node_modules/${container}/package.json`)) as Record<string, unknown>;
    expect([name, version]).toEqual([name, installed['version']]);
    expect(licence).toBe(name === 'llhttp' ? 'MIT' : installed['license']);
  }
  expect(notices.find((notice) => notice.startsWith('llhttp, in undici'))).toContain('Copyright Fedor Indutny');
});

test('the package that npm would publish holds the licences', () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { path: string }[] }];
  expect(files.map(({ path }) => path)).toContain('dist/THIRD-PARTY-LICENSES.txt');
});
