// The program: its options, and how a command line that cannot be understood is refused.

import { describe, expect, it } from 'vitest';
import { expectDocument } from '../support/schemas.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const run = (...argv: readonly string[]) => workspaceIn(makeFolder(), {}).run(...argv);

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
});

describe('a failure of a command', () => {
  it('a failure of a command has no colour with --no-color, wherever that appears', async () => {
    const forced = (...argv: readonly string[]) => workspaceIn(makeFolder(), { FORCE_COLOR: '1' }).run(...argv);
    expect((await forced('next', 'schedules.weekly')).stderr).toContain('\u001b[');
    expect((await forced('--no-color', 'next', 'schedules.weekly')).stderr).not.toContain('\u001b[');
    expect((await forced('next', 'schedules.weekly', '--no-color')).stderr).not.toContain('\u001b[');
  });
});
