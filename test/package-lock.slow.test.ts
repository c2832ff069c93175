// What package-lock.json holds for `npm ci`, and the script that completes it. `node scripts/complete-lock.mjs` adds
// the packages of other platforms that npm left out, and fetches the hashes that are missing.

import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from './support/workspace.ts';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Packages = Readonly<Record<string, LockedPackage>>;

const packagesIn = (text: string) => (JSON.parse(text) as { readonly packages: Packages }).packages;
const packages = packagesIn(readFileSync('package-lock.json', 'utf8'));
const installed = Object.entries(packages).filter(([path]) => path !== '');

test('package-lock.json holds the optional packages of every platform', () => {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  const paths = Object.keys(packages);
  expect(wanted.filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
});

test('package-lock.json has the hash of every package', () => {
  expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  const weak = installed.filter(([, { integrity = 'sha512-' }]) => !integrity.startsWith('sha512-'));
  expect(weak).toEqual([]);
});

test('package-lock.json takes every package from the registry of npm', () => {
  const registry = 'https://registry.npmjs.org/';
  expect(installed.filter(([, { resolved = registry }]) => !resolved.startsWith(registry))).toEqual([]);
});

describe('completing the lock', () => {
  const hash = 'sha512-AAAA';
  const optionalDependencies = { 'tool-linux-x64': '1.0.0', 'tool-darwin-arm64': '1.0.0' };
  const tool = { version: '1.0.0', integrity: hash, dev: true, optionalDependencies };
  const added = { version: '1.0.0', os: ['darwin'], cpu: ['arm64'], dev: true, optional: true };
  const linux = { 'node_modules/tool-linux-x64': { version: '1.0.0', integrity: hash } };
  const lock = (extra: Packages) => ({ packages: { '': {}, 'node_modules/tool': tool, ...linux, ...extra } });
  const before = lock({ 'node_modules/tool-darwin-arm64': added });

  /** `resolved` is what npm makes of a lock without the entries that have no hash. */
  function complete(resolved: object, ...args: readonly string[]) {
    const folder = makeFolder({
      'package-lock.json': JSON.stringify(before, null, 2),
      'resolved.json': JSON.stringify(resolved, null, 2),
      'bin/npm':
        '#!/bin/sh\n! grep -q node_modules/tool-darwin package-lock.json && cp resolved.json package-lock.json\n',
    });
    chmodSync(join(folder.path, 'bin/npm'), 0o755);
    const env = { PATH: [join(folder.path, 'bin'), process.env['PATH']].join(delimiter) };
    const argv = [resolve('scripts/complete-lock.mjs'), ...args];
    const { status, stderr } = spawnSync(process.execPath, argv, { cwd: folder.path, env, encoding: 'utf8' });
    return { status, stderr, packages: packagesIn(folder.read('package-lock.json')) };
  }

  test('complete-lock.mjs takes the hash of a package as soon as the registry offers it', () => {
    const offered = lock({ 'node_modules/tool-darwin-arm64': { ...added, integrity: hash } });
    expect(complete(offered)).toEqual({ status: 0, stderr: '', packages: offered.packages });
  });

  test('complete-lock.mjs keeps a package that the registry does not offer, names it and fails', () => {
    const ran = complete(lock({}));
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('tool-darwin-arm64 1.0.0 has no hash') });
    expect(ran.packages['node_modules/tool-darwin-arm64']).toEqual(added);
  });

  test('complete-lock.mjs changes nothing with --check', () => {
    expect(complete(lock({}), '--check')).toMatchObject({ status: 1, packages: before.packages });
  });
});
