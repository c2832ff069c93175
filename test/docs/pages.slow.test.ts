// README.md and docs/ show what really happens: their shell sessions are run, their links are followed, and the
// commands and options that they name exist. `UPDATE_DOCS=1 npx vitest run --mode all test/docs` writes real output into the
// pages.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anyLines, fits, type Step, stepsOf, withoutChance } from '../support/docs/console-blocks.ts';
import { openShellSession } from '../support/docs/shell-session.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const update = process.env['UPDATE_DOCS'] === '1';
const pages = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  '.github/CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
]
  .filter((path) => path.endsWith('.md'))
  .sort();

/** Pages whose examples show mistakes; they have tests of their own. */
const deliberatelyWrong = ['docs/diagnostics.md'];
/** Fields that operations core does not have. */
const needsFull = /^ +(owner|paused):/m;

const read = (page: string) => readFileSync(page, 'utf8');

/**
 * At the same time: a session has a folder and a service of its own, and waits for most of its time. One that moves a
 * state starts git some hundred times, which takes a minute on a busy machine.
 */
describe.concurrent.each(pages.filter((page) => stepsOf(read(page)).length > 0))('the sessions of %s', (page) => {
  test(`the sessions of ${page} print what the page shows`, async () => {
    const steps = stepsOf(read(page));
    const outputs = (await Promise.all(sessionsIn(steps).map(outputsOf))).flat();
    if (update) writeFileSync(page, updated(read(page), steps, outputs));
    else for (const [index, step] of steps.entries()) expectShown(page, step, outputs[index] ?? '');
  }, 180_000);
});

describe.each(pages)('%s', (page) => {
  test(`the links of ${page} lead to existing targets`, () => {
    const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !/^https?:/.test(target) && !isThere(page, target));
    expect(missing).toEqual([]);
  });
});

describe('what the pages write down', () => {
  test('the declarations in the pages are valid', async () => {
    const invalid: string[] = [];
    for (const page of pages.filter((path) => !deliberatelyWrong.includes(path))) {
      for (const block of declarationsIn(read(page))) {
        const folder = makeFolder({ 'almanac.yaml': read('almanac.yaml'), 'schedules/block.yaml': block });
        const environment = needsFull.test(block) ? ['--env', 'full'] : [];
        const { code, stdout, stderr } = await workspaceIn(folder, {}).run('validate', ...environment);
        if (code !== 0) invalid.push(`${page}:\n${stdout}${stderr}`);
      }
    }
    expect(invalid).toEqual([]);
  });

  test('the commands and options in the pages exist', async () => {
    const { run } = workspaceIn(makeFolder(), {});
    const helpOf = async (argv: readonly string[]) => {
      const { stdout, stderr } = await run(...argv, '--help');
      return `${stdout}${stderr}`;
    };
    const [global, helps] = [await helpOf([]), new Map<string, string>()];
    const unknown: string[] = [];
    for (const page of pages) {
      for (const line of commandsIn(read(page))) {
        const command = commandOf(line);
        const help = helps.get(command) ?? `${await helpOf(command.split(' '))}${global}`;
        helps.set(command, help);
        const flags = [...line.matchAll(/(?:^|\s)(--[a-z-]+)/g)].map(([, flag = '']) => flag);
        const wrong = flags.filter((flag) => !new RegExp(`${flag}\\b`).test(help));
        if (help.includes('error:') || wrong.length > 0) unknown.push(`${page}: almanac ${line}`);
      }
    }
    expect(unknown).toEqual([]);
  });
});

/** The steps of a page, split where a session starts. */
function sessionsIn(steps: readonly Step[]): readonly (readonly Step[])[] {
  const sessions: Step[][] = [[]];
  for (const step of steps) {
    if (step.session !== undefined) sessions.push([]);
    sessions.at(-1)?.push(step);
  }
  return sessions.filter((session) => session.length > 0);
}

/** What each step of a session prints. */
async function outputsOf(steps: readonly Step[]): Promise<readonly string[]> {
  const session = await openShellSession(steps[0]?.session);
  try {
    const outputs: string[] = [];
    for (const { command } of steps) outputs.push(command === undefined ? '' : await session.run(command));
    return outputs;
  } finally {
    await session.close();
  }
}

function expectShown(page: string, { command, shown, from }: Step, output: string): void {
  if (shown === undefined) return;
  const actual = withoutChance(output).replace(/\n$/, '').split('\n');
  const expected = withoutChance(shown.join('\n')).split('\n');
  if (fits(expected, actual)) return;
  expect(actual.join('\n'), `${page}:${from}: $ ${command}`).toBe(expected.join('\n'));
}

/** The page with real output in place of what it shows; a shortened one is left to its author. */
function updated(page: string, steps: readonly Step[], outputs: readonly string[]): string {
  const lines = page.split('\n');
  steps
    .map((step, index) => ({ ...step, output: outputs[index] ?? '' }))
    .reverse()
    .forEach(({ shown, from, to, output }) => {
      if (shown === undefined || shown.includes(anyLines)) return;
      const real = output.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4010').replace(/\n$/, '');
      lines.splice(from, to - from, ...(real === '' ? [] : real.split('\n')));
    });
  return lines.join('\n');
}

function isThere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || headingsOf(read(file)).includes(anchor);
}

/** As GitHub makes them. */
function headingsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Blocks of YAML that declare a resource, but those that a session writes into a file and uses. */
function declarationsIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/(?<!^<!-- file: .* -->\n\n)^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );
  return blocks.filter((block) => /^(?:schedules|dashboards|aiJobs):/m.test(block));
}

/** What follows `almanac` in code, in blocks for a shell and in workflows. */
function commandsIn(page: string): readonly string[] {
  const spans = [...page.matchAll(/`almanac ([a-z][^`\n]*)`/g)];
  const lines = [...page.matchAll(/^(?:\$ |\s*(?:- )?run: )?(?:npx )?almanac ([a-z-][^|>;&#\n]*)/gm)];
  return [...spans, ...lines].map(([, line = '']) => line.trim());
}

/** `state list` of `state list --format json`. */
function commandOf(line: string): string {
  const words = line.split(/\s+/);
  const names = words.slice(0, ['state', 'ai', 'webhook'].includes(words[0] ?? '') ? 2 : 1);
  return names.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')).join(' ');
}
