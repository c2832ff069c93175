// The program: its table of commands, its options, and how a command line that cannot be understood is refused.

import { describe, expect, it } from 'vitest';
import type { World } from '../../src/commands/base/world.ts';
import { makeProgram } from '../../src/commands/program.ts';
import { commandTable } from '../../src/commands/table.ts';
import { expectDocument } from '../support/schemas.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const output = { write: () => undefined, data: () => undefined, isTerminal: false, width: 80 };
const world = { version: '0', stdout: output, stderr: output } as unknown as World;

const run = (...argv: readonly string[]) => workspaceIn(makeFolder(), {}).run(...argv);

describe('the table of commands', () => {
  it.each(Object.entries(commandTable))('the table of commands lists the arguments of %s', async (name, { takes }) => {
    const { command: program, load } = makeProgram({ world, finish: () => undefined });
    const command = program.commands.find((each) => each.name() === name);
    if (command === undefined) throw new Error(`${name} is not in the program`);
    await load(command);
    const defaultTerm = command.createHelp().subcommandTerm(command);
    expect(`${name} ${takes}`.trim()).toBe(defaultTerm);
  });

  it('a command gets its options only once', async () => {
    const { command: program, load } = makeProgram({ world, finish: () => undefined });
    const [first] = program.commands;
    if (first === undefined) throw new Error('the program has no command');
    await load(first);
    await expect(load(first)).resolves.toBeUndefined();
  });
});

describe('a command line that cannot be understood', () => {
  it.each([
    ['before the value', ['apply', '--format', 'json', '--max-attempts', 'many']],
    ['after the value', ['apply', '--max-attempts', 'many', '--format', 'json']],
    ['joined to its value', ['apply', '--max-attempts', 'many', '--format=json']],
    ['behind an unknown option', ['plan', '--frobnicate', '--format', 'json']],
    ['of a command in a group', ['state', 'list', '--frobnicate', '--format', 'json']],
  ])('wrong usage is reported as a JSON document when --format json appears %s', async (_, argv) => {
    const { code, stdout } = await run(...argv);
    expect(code).toBe(1);
    expect(expectDocument('error', stdout)).toMatchObject({ error: { code: 'usage' } });
  });

  it.each([
    ['a value of another option', ['next', '--from', '--format', '--count', 'json']],
    ['an address', ['next', '--', '--format', 'json']],
    ['a format of another command', ['validate', '--format', 'junit', '--strict=no']],
  ])('wrong usage is reported as text when "--format json" is only %s', async (_, argv) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error');
  });

  it('wrong usage is reported with the first refused value and the nearest choice', async () => {
    const { stderr } = await run('init', '--editor', 'vscod', '--ci', 'gitlb');
    expect(stderr).toContain("option '--editor <name>' argument 'vscod' is invalid.");
    expect(stderr).toContain('(Did you mean vscode?)');
    expect(stderr).not.toContain('gitlb');
  });

  it('wrong usage with --help prints the help', async () => {
    expect(await run('apply', '--max-attempts', 'many', '--help')).toEqual(await run('apply', '--help'));
  });
});

describe('a failure of a command', () => {
  it('a failure of a command is a JSON document when the command was asked for JSON', async () => {
    const { code, stdout, stderr } = await run('next', 'schedules.weekly', '--format', 'json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(expectDocument('error', stdout)).toMatchObject({ error: { code: 'invalid-workspace' } });
  });

  it('a failure of a command has no colour with --no-color, wherever that appears', async () => {
    const forced = (...argv: readonly string[]) => workspaceIn(makeFolder(), { FORCE_COLOR: '1' }).run(...argv);
    expect((await forced('next', 'schedules.weekly')).stderr).toContain('\u001b[');
    expect((await forced('--no-color', 'next', 'schedules.weekly')).stderr).not.toContain('\u001b[');
    expect((await forced('next', 'schedules.weekly', '--no-color')).stderr).not.toContain('\u001b[');
  });
});
