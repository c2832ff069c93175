// Completes package-lock.json: `npm ci` refuses a lock without the optional packages of every platform, and npm leaves
// out those that the registry does not offer. What this script adds has no hash, so npm is asked for it again at each
// run. Exits with 1 and names the packages as long as a hash is missing. `--check` changes nothing.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'package-lock.json';
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  win32: 'win32',
};
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

if (!process.argv.includes('--check')) completeLock();
const missing = withoutHash(readLock());
for (const [path, { version }] of missing) {
  const name = path.replace(/^.*node_modules\//, '');
  console.error(`${name} ${version} has no hash: the registry did not offer it.`);
}
process.exitCode = missing.length === 0 ? 0 : 1;

function completeLock() {
  const before = readLock();
  const added = new Set(withoutHash(before).map(([path]) => path));
  const kept = Object.entries(before.packages).filter(([path]) => !added.has(path));
  writeLock({ ...before, packages: Object.fromEntries(kept) });
  // npm adds those that the registry offers by now, each with its hash.
  const install = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    writeLock(before);
    throw error;
  }
  const lock = readLock();
  const packages = withOptional(lock.packages);
  const inOrder = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  writeLock({ ...lock, packages: Object.fromEntries(inOrder) });
}

/** Entries that this script added: npm writes no entry without the hash of what it downloads. */
function withoutHash({ packages }) {
  return Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined);
}

/** Adds an entry for every optional package that npm left out. */
function withOptional(locked) {
  const packages = { ...locked };
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(locked)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isLocked(packages, path, name)) continue;
      const { cpu, libc, os } = platformOf(name);
      // The order of fields that npm writes.
      packages[`node_modules/${name}`] = {
        version,
        cpu,
        dev: dev || undefined,
        libc,
        optional: true,
        os,
      };
    }
  }
  return packages;
}

function readLock() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeLock(lock) {
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}

/** Searches next to the package that needs it, and then further up. */
function isLocked(packages, path, name) {
  if (packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`] !== undefined) return true;
  return path !== '' && isLocked(packages, path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

/** Reads the platform from a package name such as `@rollup/rollup-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const system = words.map((word) => systems[word]).find((word) => word !== undefined);
  const processor = words.find((word) => processors.includes(word));
  if (system === undefined || processor === undefined) throw new Error(`The platform of ${name} is unknown.`);
  const musl = words.some((word) => word.startsWith('musl'));
  const isOfLibc = system === 'linux' && (musl || words.some((word) => word.startsWith('gnu')));
  return { os: [system], cpu: [processor], libc: isOfLibc ? [musl ? 'musl' : 'glibc'] : undefined };
}
