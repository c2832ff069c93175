// Adds to package-lock.json the packages for other platforms, which npm omits if a registry does not offer them all.
// `npm ci` refuses a lock without them on every platform. Run this after `npm install`; it does not change a complete
// lock.

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

const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = { ...lock.packages };
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(path, name)) continue;
    packages[`node_modules/${name}`] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
    console.log(`Added ${name} ${version}.`);
  }
}
const inOrder = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(inOrder) }, null, 2)}\n`);

/** Searches next to the package that needs it, and then further up. */
function isLocked(path, name) {
  if (packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`] !== undefined) return true;
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name);
}

/** Reads the platform from a package name such as `@rollup/rollup-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const system = words.map((word) => systems[word]).find((word) => word !== undefined);
  const processor = words.find((word) => processors.includes(word));
  if (system === undefined || processor === undefined) throw new Error(`The platform of ${name} is unknown.`);
  const musl = words.some((word) => word.startsWith('musl'));
  const libc = system !== 'linux' ? {} : { libc: [musl ? 'musl' : 'glibc'] };
  return { os: [system], cpu: [processor], ...(musl || words.some((word) => word.startsWith('gnu')) ? libc : {}) };
}
