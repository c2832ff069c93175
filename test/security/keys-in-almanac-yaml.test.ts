// Keys of others in almanac.yaml, which no job prints. The threat: somebody writes a key anywhere, and a job prints it:
// in a message, in the lines around, or in what a command says of a place, a name or a domain.

import { expect, it } from 'vitest';
import { withOptions } from '../../src/commands/base/define-command.ts';
import type { World } from '../../src/commands/base/world.ts';
import { makeProgram } from '../../src/commands/program.ts';
import { configFields, environmentFields } from '../../src/model/fields/config-fields.ts';
import type { Fields, Shape } from '../../src/model/fields/field.ts';
import { startNothing } from '../support/program.ts';
import { someOf } from '../support/runs/runs.ts';
import { bareText } from '../support/security/bare-text.ts';
import { hook, mail } from '../support/vocabulary.ts';
import { openFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const secret = '9f8e7d6c5b4a3f2e1d0c';
const keys = {
  'a token of Omni': `omni_osk_${secret}`,
  'a URL with a password': `https://user:${secret}@acme.example/api`,
  'a URL with a key': `https://acme.example/api?token=${secret}`,
};

/** `[]` stands for an item of a list, and `KEY` for the name of an entry. */
function pathsOf(shape: Shape): readonly (readonly string[])[] {
  if (shape.type === 'list') return pathsOf(shape.items).map((path) => ['[]', ...path]);
  if (shape.type !== 'object') return [[]];
  return [...(shape.entries === undefined ? [] : [['entry'], ['KEY']]), ...pathsIn(shape.fields ?? {})];
}

function pathsIn(fields: Fields): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, { shape }]) => pathsOf(shape).map((path) => [name, ...path]));
}

const paths = [
  ...pathsIn(configFields),
  ...pathsIn(environmentFields).map((path) => ['environments', 'staging', ...path]),
  ['KEY'],
  ['environments', 'KEY'],
  ['environments', 'staging', 'KEY'],
];

function valueAt([first, ...rest]: readonly string[], key: string): unknown {
  if (first === undefined) return key;
  return first === '[]' ? [valueAt(rest, key)] : { [first === 'KEY' ? key : first]: valueAt(rest, key) };
}

const backends: Readonly<Record<string, string>> = {
  ...{ remote: 'git', branch: 'git', lease: 'git', bucket: 's3', prefix: 's3', region: 's3', endpoint: 's3' },
  ...{ schema: 'postgres', table: 'postgres', name: 'postgres' },
};

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const joined = (one: Tree, other: Tree): Tree => {
  const both = Object.entries(other).map(([name, value]) => {
    const own = one[name];
    return [name, isTree(own) && isTree(value) ? joined(own, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
};

/** almanac.yaml with the key there, and what makes the field one of this workspace. */
function configWith(path: readonly string[], key: string): Tree {
  const backend = path.at(-2) === 'state' ? backends[path.at(-1) ?? ''] : undefined;
  const beside = backend === undefined ? {} : (valueAt([...path.slice(0, -1), 'backend'], backend) as Tree);
  return joined(beside, valueAt(path, key) as Tree);
}

const sources = { schedules: { mail: mail({}), hook: hook({}) } };

function expectSilent(line: string, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
  const text = stdout + stderr;
  expect(text, line).not.toBe('');
  // Where a report breaks a line, or escapes for its format.
  expect(bareText(text), `${line}: ${text}`).not.toContain(secret);
}

const validating = ['text', 'json', 'github', 'sarif', 'gitlab', 'junit'].map(
  (format) => `validate --format ${format}`,
);

it.each(Object.entries(keys))(
  'in every field of almanac.yaml, %s is shown in no format of validate and by no plan',
  async (_, key) => {
    for (const path of someOf(paths)) {
      const folder = openFolder();
      const api = { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' };
      folder.write({ 'almanac.yaml': joined({ api }, configWith(path, key)), 'schedules/all.yaml': sources });
      const { run } = workspaceIn(folder, {});
      const env = path[0] === 'environments' ? ['--env', path[1] === 'KEY' ? key : 'staging'] : [];
      for (const line of [...validating, 'plan', 'plan --format json'])
        expectSilent(`${path.join('.')}: ${line}`, await run(...line.split(' '), ...env));
      folder.remove();
    }
  },
  120_000,
);

/** What each command needs, `-` where it never reads almanac.yaml. */
const given: Readonly<Record<string, string>> = {
  ...{ apply: '--auto-approve', offboard: 'ana@example.com', test: 'schedules.mail --auto-approve' },
  ...{ trigger: 'schedules.mail --auto-approve', preview: 'schedules.mail --out out', 'state pull': '' },
  ...{ 'state rm': 'schedules.x', 'state mv': 'schedules.x schedules.y', 'state push': 'almanac.yaml' },
  ...{ 'state resolve': 'schedules.x --done', 'state unlock': '--auto-approve', 'state migrate': '--auto-approve' },
  ...{ 'ai status': 'aiJobs.x', 'ai result': 'aiJobs.x', 'ai cancel': 'aiJobs.x', fold: '--check' },
  ...{ init: '-', emulator: '-', completion: '-', help: '-', schema: '-', 'complete-line': '-' },
  ...{ 'webhook listen': '-', 'webhook verify': '-' },
};

/** Every command with every format that it has. */
function lines(): readonly string[] {
  const quiet = { write: () => undefined, data: () => undefined, isTerminal: false, width: 80 };
  const program = makeProgram({ version: '0.0.0', stdout: quiet, stderr: quiet } as unknown as World, startNothing);
  return program.commands.flatMap((each) => {
    const named =
      each.commands.length === 0
        ? [{ name: each.name(), command: each }]
        : each.commands.map((inner) => ({ name: `${each.name()} ${inner.name()}`, command: inner }));
    return named.flatMap(({ name, command }) => {
      const rest = given[name] ?? '';
      if (rest === '-') return [];
      const line = rest === '' ? name : `${name} ${rest}`;
      const formats = withOptions(command).options.find(({ long }) => long === '--format')?.argChoices ?? [];
      return [line, ...formats.map((format) => `${line} --format ${format}`)];
    });
  });
}

const everywhere: Tree = {
  sources: [`${keys['a token of Omni']}/*.yaml`, keys['a URL with a password']],
  state: { backend: 'git', branch: keys['a token of Omni'] },
  safety: { internalDomains: [keys['a URL with a key']] },
  ignore: [{ name: keys['a URL with a key'] }],
};
const inVariables: Tree = { variables: { key: keys['a token of Omni'], url: keys['a URL with a password'] } };

it.each<[where: string, config: Tree]>([
  ['places, domains and names', everywhere],
  ['a file of the state', { state: { path: keys['a URL with a key'] } }],
  ['variables that nothing uses', inVariables],
])(
  'no command prints in any format a key that almanac.yaml has in %s',
  async (_, config) => {
    const world = await openWorld(sources, { config });
    for (const line of someOf(lines())) {
      const ran = await world.run(...line.split(' '));
      if (ran.stdout + ran.stderr !== '') expectSilent(line, ran);
    }
  },
  120_000,
);

it('an error about a key in almanac.yaml is not lowered by checks, and names what to do', async () => {
  const config = { checks: { 'secret-in-plain-text': 'off' }, state: { path: keys['a token of Omni'] } };
  const { code, stdout } = await (await openWorld(sources, { config })).run('validate');
  expect(code).toBe(1);
  expect(stdout).toContain('error[secret-in-plain-text]');
  expect(stdout).toContain('replace the key');
});
