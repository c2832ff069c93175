// How a run puts what it says: which options follow which commands, and what is blotted out.

import { expect, it } from 'vitest';
import { reportFailure } from '../../src/commands/base/report-failure.ts';
import type { World } from '../../src/commands/base/world.ts';
import { advisableIn, makeProgram } from '../../src/commands/program.ts';
import { command, withCommands, withoutMarks } from '../../src/model/values/command.ts';
import { printHtml } from '../../src/report/print-html.ts';
import { printCut, printMarkdown } from '../../src/report/print-markdown.ts';
import { printText } from '../../src/report/print-text.ts';
import { plainTheme } from '../../src/report/text/theme.ts';
import { type RunOptions, wordingFor } from '../../src/report/wording.ts';
import { startNothing } from '../support/program.ts';

const quiet = { write: () => undefined, data: () => undefined, isTerminal: false, width: 80 };
const program = makeProgram({ version: '0.0.0', stdout: quiet, stderr: quiet } as unknown as World, startNothing);
const put = (options: RunOptions, text: string) => withoutMarks(wordingFor(advisableIn(program), options)(text));

it.each<[text: string, options: RunOptions, shown: string]>([
  [`Run ${command('plan')}.`, {}, 'Run almanac plan.'],
  [`Run ${command('plan')}.`, { env: 'staging' }, 'Run almanac plan --env staging.'],
  [`\`${command('state rm', 'A', 'B')}\``, { env: 'staging' }, '`almanac state rm --env staging A B`'],
  [
    `\`${command('plan')}\`, then ${command('apply')}`,
    { env: 'a' },
    '`almanac plan --env a`, then almanac apply --env a',
  ],
  [
    command('apply', '--target', 'to:x y'),
    { chdir: 'my reports', config: 'b.yaml', env: 'c', state: 'd.json' },
    "almanac apply --chdir 'my reports' --config b.yaml --env c --state d.json --target 'to:x y'",
  ],
  [
    `\`${command('plan', '--state', 'FILE')}\` or \`${command('plan')}\``,
    { state: 'a' },
    '`almanac plan --state FILE` or `almanac plan --state a`',
  ],
  [`${command('plan', '--env', 'b')}; ${command('plan')}`, { env: 'a' }, 'almanac plan --env b; almanac plan --env a'],
  [command('fmt', '--prune'), { env: 'a', state: 'b', config: 'c' }, 'almanac fmt --config c --prune'],
  [`${command('fold')}, ${command('ai status', 'X')}`, { env: 'a' }, 'almanac fold, almanac ai status --env a X'],
  [
    withCommands('A UUID; `almanac list models` prints them.'),
    { env: 'a' },
    'A UUID; `almanac list models --env a` prints them.',
  ],
  ['How to run `almanac plan`, almanac apply', { env: 'a' }, 'How to run `almanac plan`, almanac apply'],
])('what is said as %j with the options %j is put as %j', (text, options, shown) => {
  expect(put(options, text)).toBe(shown);
});

it('an option that is false is left out of a command', () => {
  expect(withoutMarks(command('drift', false, '--write'))).toBe('almanac drift --write');
});

it('every command that the help lists is one that a message may advise, and a hidden one is not', () => {
  const names = advisableIn(program).map(({ name }) => name);
  expect(names).toContain('offboard');
  expect(names).toContain('state resolve');
  expect(names).not.toContain('state');
  expect(names).not.toContain('complete-line');
});

const key = 'omni_osk_9f8e7d6c5b4a';
const words = `Run ${command('plan')}, not ${key}.`;
const doc = [
  words,
  { heading: words },
  { title: words, part: [words] },
  { mark: '- ', of: words, below: [{ message: words }] },
  { indent: 2, of: [{ hang: 2, of: words }] },
  { notice: 'warning', of: { code: words } },
  { fold: words, of: [{ role: 'strong', of: [words] }] },
  { frame: 'grave', of: [{ mark: '', of: words }] },
  { list: [words, words], most: 1, names: [words, words] },
  {
    finding: {
      severity: 'error',
      code: 'yaml-syntax',
      summary: 'x',
      message: words,
      hint: words,
      related: [{ message: words, file: 'a' }],
    },
  },
  {
    finding: { severity: 'error', code: 'yaml-syntax', summary: 'x', message: words },
    more: { count: 2, command: words },
  },
  { head: [{ title: 'a' }], rows: [[words]] },
  { entries: [{ cells: [words], line: words, where: words, details: { title: words, about: words, of: [words] } }] },
  { commands: [words] },
] as const;

it('every printer puts every part of a report as the run says it', () => {
  const wording = wordingFor(advisableIn(program), { env: 'staging' });
  const page = { theme: plainTheme, width: 500, wording, showsAll: true };
  const printed = [
    printText(doc, page),
    printMarkdown(doc, { wording }),
    printHtml(doc, wording),
    printCut(doc, { wording, all: words }),
  ];
  for (const text of printed) {
    expect(text).not.toContain('9f8e7d6c5b4a');
    expect(text.match(/almanac plan/g)?.length).toBeGreaterThan(15);
    expect(text.match(/almanac plan(?! --env staging)/g)).toBe(null);
    expect(text).not.toMatch(/[\ue000\ue001]/);
  }
});

it('a value that somebody has to judge, and a line that is to be pasted, stay as they are', () => {
  const page = { theme: plainTheme, width: 500 };
  const fields = [{ sign: '+', label: 'name', values: [key] }] as const;
  expect(printText([{ value: key }, { fields }, { verbatim: [key] }], page).match(/9f8e7d6c5b4a/g)).toHaveLength(3);
});

it('the report of a bug shows no credential', async () => {
  const said: string[] = [];
  const stderr = { ...quiet, write: (text: string) => void said.push(text) };
  const bug = new Error('Cannot read https://ana:hunter2-hunter2@acme.example');
  const world = { version: '0.0.0', stdout: quiet, stderr } as unknown as World;
  expect(await reportFailure(bug, { color: false, isJson: false }, world)).toBe(1);
  expect(said.join('')).toContain('Cannot read https://•••@acme.example');
  expect(said.join('')).not.toContain('hunter2');
});
