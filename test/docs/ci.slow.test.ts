// The pages on CI: every command on them exists.

import { describe, expect, test } from 'vitest';
import { page } from '../support/action/workflow-files.ts';
import { runProgram } from '../support/program.ts';

describe('the commands of the pages on CI', () => {
  const lines = [...page.matchAll(/almanac ((?:validate|plan|apply|drift)\b[^`|>;&\n]*)/g)].map(([, line = '']) =>
    line.trim(),
  );

  test('the CI pages show many commands', () => {
    expect(lines.filter((line) => line.includes('--report'))).toHaveLength(2);
    expect(lines.length).toBeGreaterThan(10);
  });

  test.each([...new Set(lines)])('the command in the CI pages exists: almanac %s', async (line) => {
    const [command = ''] = line.split(' ');
    const { stdout: help } = await runProgram([command, '--help'], { cwd: '.' });
    for (const [flag] of line.matchAll(/--[a-z-]+/g)) expect(help).toMatch(new RegExp(`${flag}\\b`));
    for (const [, format = ''] of line.matchAll(/--report ([a-z]+)=/g)) expect(help).toContain(format);
  });
});
