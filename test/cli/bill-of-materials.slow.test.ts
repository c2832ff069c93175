// The built package says what it is made of: a bill of materials and the licences beside the bundle.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license: { readonly id: string } }[];
  readonly components?: readonly Component[];
}

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber?: string;
  readonly metadata: { readonly component: Component; readonly timestamp?: string };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const read = (file: string) => readFileSync(file, 'utf8');
const bill = JSON.parse(read('dist/sbom.cdx.json')) as Bill;
const licences = read('dist/THIRD-PARTY-LICENSES.txt');
const own = JSON.parse(read('package.json')) as { readonly version: string };
const parts = bill.components.flatMap((component) => [component, ...(component.components ?? [])]);

const fullName = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);

test('the bill of materials is CycloneDX, of this version, and the same wherever it is built', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill.metadata.component).toMatchObject({ version: own.version, licenses: [{ license: { id: 'MIT' } }] });
  expect(bill).not.toHaveProperty('serialNumber');
  expect(bill.metadata).not.toHaveProperty('timestamp');
});

test('the bill of materials names each package with the version and the hash that npm checked', () => {
  expect(bill.components.map(fullName)).toEqual(expect.arrayContaining(['ajv', 'commander', 'undici', 'yaml']));
  for (const component of bill.components) {
    const name = fullName(component);
    const { version } = JSON.parse(read(`node_modules/${name}/package.json`)) as { readonly version: string };
    expect([component.version, component.purl]).toEqual([version, `pkg:npm/${name.replace('@', '%40')}@${version}`]);
    expect(component.hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
});

test('the licences and the bill of materials name the same parts, llhttp inside undici among them', () => {
  const titles = licences.split('\n---\n\n').map((notice) => /^([^\s,]+)(?:, in \S+)? \S+ \(([^)]+)\)\n/.exec(notice));
  expect(titles.map((title) => title?.slice(1))).toEqual(
    parts.map((part) => [fullName(part), part.licenses[0]?.license.id]),
  );
  expect(licences).toContain('Copyright Fedor Indutny');
  expect(bill.components.find(({ name }) => name === 'undici')?.components?.map(({ name }) => name)).toEqual([
    'llhttp',
  ]);
});

test('every reference in the bill of materials leads to a part of it', () => {
  const refs = [bill.metadata.component, ...parts].map((part) => part['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  expect(bill.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
  for (const { dependsOn = [] } of bill.dependencies) expect(refs).toEqual(expect.arrayContaining([...dependsOn]));
});

test('the package that npm would publish holds the bill of materials and the licences', () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { path: string }[] }];
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['dist/sbom.cdx.json', 'dist/THIRD-PARTY-LICENSES.txt']),
  );
});
