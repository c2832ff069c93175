// The schedules of a workspace as Terraform has them: its built-in resource with the same values, ten per file, and a
// state in a file. The state is written here, as an apply of 2,000 takes Terraform two minutes.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { State } from '../src/index.ts';
import type { Lab } from './lab.ts';
import { type Program, timeOf } from './measure.ts';

const perFile = 10;
type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** A run of Terraform in a folder of its own. */
export type Terraform = (args: readonly string[], mustPrint: string) => Program;

/** `like` is an applied workspace. Without `isApplied`, there is no state yet. */
export async function openTerraform(lab: Lab, path: string, like: string, isApplied: boolean): Promise<Terraform> {
  const cwd = await lab.makeFolder('terraform');
  const { resources } = JSON.parse(await readFile(join(like, 'almanac.state.json'), 'utf8')) as State;
  const values = Object.values(resources).map(({ attributes }) => attributes as Value);
  await writeConfiguration(cwd, values);
  if (isApplied) await writeFile(join(cwd, 'terraform.tfstate'), JSON.stringify(stateOf(values), null, 2));
  const program = await lab.program({
    command: [path, 'init', '-input=false', '-no-color'],
    cwd,
    mustPrint: 'Terraform has been successfully initialized!',
    env: { CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' },
  });
  await timeOf(program);
  return ([command = '', ...args], mustPrint) => ({
    ...program,
    command: [path, command, '-no-color', ...args],
    mustPrint,
  });
}

async function writeConfiguration(folder: string, values: readonly Value[]): Promise<void> {
  for (let first = 0; first < values.length; first += perFile) {
    const blocks = values.slice(first, first + perFile).map((value, offset) => {
      const attributes = Object.entries(value as Record<string, Value>);
      const lines = attributes.map(([key, each]) => `    ${key} = ${JSON.stringify(each)}\n`);
      return `resource "terraform_data" "${nameOf(first + offset)}" {\n  input = {\n${lines.join('')}  }\n}\n`;
    });
    await writeFile(join(folder, `team-${first / perFile}.tf`), blocks.join('\n'));
  }
}

function stateOf(values: readonly Value[]): object {
  return {
    version: 4,
    terraform_version: '1.0.0',
    serial: 1,
    lineage: idOf(0),
    outputs: {},
    resources: values.map((value, index) => {
      const typed = { value, type: typeOf(value) };
      const attributes = { id: idOf(index + 1), input: typed, output: typed, triggers_replace: null };
      return {
        mode: 'managed',
        type: 'terraform_data',
        name: nameOf(index),
        provider: 'provider["terraform.io/builtin/terraform"]',
        instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
      };
    }),
    check_results: null,
  };
}

/** As Terraform writes the type of a value that may have any. */
function typeOf(value: Value): unknown {
  if (Array.isArray(value)) return ['tuple', value.map(typeOf)];
  if (value === null || typeof value !== 'object') return value === null ? 'dynamic' : primitives[typeof value];
  return ['object', Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeOf(each)]))];
}

const primitives: Readonly<Record<string, string>> = { string: 'string', number: 'number', boolean: 'bool' };

function nameOf(index: number): string {
  return `region_report_${index}`;
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}
