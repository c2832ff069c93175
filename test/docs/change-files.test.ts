// The change files that a release collects follow the rules of .changeset/README.md.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = '.changeset';
const { name: packageName } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
const changeFile = /^---\n'([^']+)': (patch|minor|major)\n---\n\n(\S[\s\S]*)\n$/;

const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');

describe.each(['the example of README.md', ...files])('the change file %s', (file) => {
  const example = /^```markdown\n([\s\S]*?)^```$/m.exec(readFileSync(`${folder}/README.md`, 'utf8'))?.[1] ?? '';
  const text = files.includes(file) ? readFileSync(`${folder}/${file}`, 'utf8') : example;

  test(`the change file ${file} names this package, the size of the change, and what changes`, () => {
    const [, changed, bump, summary] = changeFile.exec(text) ?? [];
    expect(changed).toBe(packageName);
    expect(bump).not.toBe('major');
    expect(summary?.length).toBeGreaterThan(20);
  });
});
