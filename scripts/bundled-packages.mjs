// What others wrote that is in the bundle: the licences that must come with it, and a bill of materials (CycloneDX).
// Both are the same bytes wherever the same sources are built, so they hold no time and no serial number.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a package carries inside its own files, which no folder of node_modules shows. */
const carried = {
  undici: [
    {
      // Compiled to WebAssembly. undici does not say which version.
      name: 'llhttp',
      licence: 'MIT',
      licenceText: readFileSync('scripts/licences/llhttp.txt', 'utf8').trim(),
      purl: 'pkg:github/nodejs/llhttp',
    },
  ],
};

/** The packages of which esbuild read a file, by name. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const names = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort().map(readPackage);
}

function readPackage(name) {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return {
    name,
    version,
    licence: license,
    licenceText: file ? readFileSync(join(folder, file), 'utf8').trim() : '',
    purl: npmPurl(name, version),
    carries: carried[name] ?? [],
  };
}

export function licenceNotices(packages) {
  const notices = packages.flatMap(({ name, version, licence, licenceText, carries }) => [
    `${name} ${version} (${licence})\n\n${licenceText}\n`,
    ...carries.map((part) => `${part.name}, in ${name} ${version} (${part.licence})\n\n${part.licenceText}\n`),
  ]);
  return notices.join('\n---\n\n');
}

/** `manifest` is our package.json; the lock file has the hashes of what npm downloaded. */
export function billOfMaterials(packages, manifest, lock) {
  const root = npmPurl(manifest.name, manifest.version);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        ...nameParts(manifest.name),
        version: manifest.version,
        ...licences(manifest.license),
        purl: root,
      },
    },
    components: packages.map((each) => componentOf(each, lock)),
    dependencies: [
      { ref: root, dependsOn: packages.map(({ purl }) => purl) },
      ...packages.map(({ purl, carries }) => ({
        ref: purl,
        dependsOn: carries.length === 0 ? undefined : carries.map((part) => part.purl),
      })),
      ...packages.flatMap(({ carries }) => carries.map(({ purl }) => ({ ref: purl }))),
    ],
  };
}

function componentOf({ name, version, licence, purl, carries }, lock) {
  const integrity = lock.packages[`node_modules/${name}`]?.integrity;
  return {
    type: 'library',
    'bom-ref': purl,
    ...nameParts(name),
    version,
    hashes: integrity && [hashOf(integrity)],
    ...licences(licence),
    purl,
    components: carries.length === 0 ? undefined : carries.map(carriedOf),
  };
}

function carriedOf({ name, licence, purl }) {
  return { type: 'library', 'bom-ref': purl, name, ...licences(licence), purl };
}

const licences = (id) => ({ licenses: [{ license: { id } }] });

function nameParts(name) {
  const [, group, rest] = /^(@[^/]+)\/(.*)$/.exec(name) ?? [];
  return group === undefined ? { name } : { group, name: rest };
}

function npmPurl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** As the lock has it, `sha512-` and base64, to what CycloneDX has, hexadecimal. */
function hashOf(integrity) {
  const [, bits, digest] = /^sha(\d+)-(.*)$/.exec(integrity);
  return { alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') };
}
