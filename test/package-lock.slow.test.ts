// What package-lock.json holds for `npm ci`: every package of every platform, with its hash. Some registries lack packages of
// other platforms, and npm then leaves them out.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Packages };
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
