// `npm ci` refuses a lock file that lacks a package for another platform, and npm writes such lock files if a registry
// does not offer them all. `node scripts/complete-lock.mjs` adds them.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test('package-lock.json holds the optional packages of every platform', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  const paths = Object.keys(packages);
  expect(wanted.filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
});
