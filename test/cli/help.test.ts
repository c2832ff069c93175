// Every help text says what to do next, with examples that are real commands.

import { describe, expect, it } from 'vitest';
import type { AnyCommand } from '../../src/commands/base/command.ts';
import type { World } from '../../src/commands/base/world.ts';
import { makeProgram } from '../../src/commands/program.ts';
import { startNothing } from '../support/program.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const output = { write: () => undefined, isTerminal: false, width: 80 };
const world = { version: '0', stdout: output, stderr: output } as unknown as World;

/** Empty for the program, else such as `state list`. */
const pathsBelow = (command: AnyCommand, path: string): readonly string[] => [
  path,
  ...command
    .createHelp()
    .visibleCommands(command)
    .flatMap((each) => pathsBelow(each, `${path} ${each.name()}`.trim())),
];
const paths = pathsBelow(makeProgram(world, startNothing), '');

const run = (...argv: readonly string[]) => workspaceIn(makeFolder(), {}).run(...argv);

describe('help', () => {
  it.each(paths)('the help of "%s" ends with an example and the next step', async (path) => {
    const { code, stdout } = await run(...path.split(' ').filter(Boolean), '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(path === '' ? /^Get started\n/m : /^Example: (?:source <\()?almanac .*\nNext: /m);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const named = [...stdout.matchAll(/\balmanac ((?:[a-z-]+ ?){1,2})/g)].map(([, words = '']) => words.trim());
    const unknown = named.filter(
      (words) => !paths.some((name) => name === words || (name !== '' && `${words} `.startsWith(`${name} `))),
    );
    expect(unknown).toEqual([]);
  });

  it('almanac help prints the same as --help', async () => {
    expect(await run('help')).toEqual(await run('--help'));
    expect(await run('help', 'plan')).toEqual(await run('plan', '--help'));
    expect((await run('help', 'state', 'list')).code).toBe(0);
  });

  it('the help suggests the nearest command for an unknown one', async () => {
    expect((await run('help', 'pln')).stderr).toContain('Did you mean plan?');
    expect((await run('stat', 'list')).stderr).toContain('Did you mean state?');
    expect((await run('state', 'lst')).stderr).toContain('Did you mean list?');
    expect((await run('next', '--day', '3')).stderr).toContain('Did you mean --days?');
  });
});
