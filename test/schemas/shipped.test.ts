// The YAML that we ship, and that `init` writes: it fits the schema that its own first line names, for a
// validator as for an editor, and Prettier leaves it as it is.

import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { format } from 'prettier';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { makeAjv } from '../../scripts/schemas/compile-validators.ts';
import { destinations } from '../../src/model/fields/field.ts';
import { parseSource } from '../../src/yaml/parse-source.ts';
import { openEditor } from '../support/editor.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

/** By the texts of the schemas: the workspaces that init writes have mostly the same. */
const validators = new Map<string, ValidateFunction>();
const editor = openEditor();

/** `resources`: the schema beside it, which that of almanac.yaml may point into. */
function validatorOf(schema: string, resources: string): ValidateFunction {
  const ajv = makeAjv({ strict: false }).addSchema(JSON.parse(resources), 'resources.schema.json');
  const validator = validators.get(schema + resources) ?? ajv.compile(JSON.parse(schema));
  validators.set(schema + resources, validator);
  return validator;
}

/** What a validator and an editor say of a file by the schema that it names. */
async function saidOf(path: string): Promise<readonly unknown[]> {
  const text = readFileSync(path, 'utf8');
  const [, schema] = /^# (?:yaml-language-server: \$schema=|\$schema: )(\S+)$/m.exec(text) ?? [];
  if (schema === undefined) return [`${path} names no schema`];
  const schemaPath = resolve(dirname(path), schema);
  const beside = resolve(dirname(schemaPath), 'resources.schema.json');
  const validate = validatorOf(readFileSync(schemaPath, 'utf8'), readFileSync(beside, 'utf8'));
  const said = parseSource({ path, text }).value.flatMap(({ value }): readonly unknown[] =>
    validate(value) ? [] : (validate.errors ?? []),
  );
  return [...said, ...(await editor.diagnose(text, path))];
}

const unformatted = async (paths: readonly string[]) => {
  const texts = paths.map((path) => readFileSync(path, 'utf8'));
  const pretty = await Promise.all(texts.map((text) => format(text, { parser: 'yaml' })));
  return paths.filter((_, index) => pretty[index] !== texts[index]);
};

const shipped = globSync(['almanac.yaml', 'schedules/**/*.yaml'], { absolute: true });

test.each(shipped)('%s fits the schema that it names, and Prettier leaves it', async (path) => {
  expect(await saidOf(path)).toEqual([]);
  expect(await unformatted([path])).toEqual([]);
});

describe('what init writes', () => {
  test.each<readonly [title: string, ...options: string[]]>([
    ['without options'],
    ['with every destination', '--destination', ...destinations],
    ['with environments', '--environments', 'dev,prod'],
    ['with GitHub and VS Code', '--ci', 'github', '--editor', 'vscode', '--agents'],
    ['with GitLab and JetBrains', '--ci', 'gitlab', '--editor', 'jetbrains'],
    ['with a state in git', '--ci', 'github', '--backend', 'git'],
    ['with GitHub in a folder', '--ci', 'github', '--dir', 'reports for customers/no'],
    ['with GitLab in a folder', '--ci', 'gitlab', '--dir', 'reports for customers in the west/weekly'],
  ])(
    'what init writes %s fits the schemas that it names, which have at most 205 kB, and Prettier leaves it',
    async (_, ...options) => {
      const { path, run } = workspaceIn(makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n' }), {});
      expect(await run('init', '--yes', ...options)).toMatchObject({ code: 0 });
      const schemas = globSync('**/.almanac/*', { cwd: path, dot: true, absolute: true });
      expect(schemas).toHaveLength(2);
      expect(schemas.reduce((sum, name) => sum + statSync(name).size, 0)).toBeLessThanOrEqual(205_000);
      const written = globSync('**/*.{yaml,yml}', { cwd: path, dot: true, absolute: true });
      const ofAlmanac = written.filter((name) => /\/(?:almanac|schedules\/[^/]+)\.yaml$/.test(name));
      expect(ofAlmanac).not.toEqual([]);
      for (const name of ofAlmanac) expect(await saidOf(name)).toEqual([]);
      expect(await unformatted(written)).toEqual([]);
    },
  );
});
