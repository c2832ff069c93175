// README.md and docs/ show what really happens: their shell sessions are run, their links are followed, and the
// commands and options that they name exist. `UPDATE=1 npx vitest run --mode all test/docs` writes real output into the
// pages.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sessionsOf } from '../support/docs/page-sessions.ts';
import { expectAsWritten, readParts } from '../support/transcript.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

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
const sessions = pages
  .map(sessionsOf)
  .flatMap((page) =>
    [...readParts(page).entries()].flatMap(([index, { steps }]) =>
      steps.some(({ kind }) => kind === 'command') ? [{ page, path: page.path, index }] : [],
    ),
  );

test.concurrent.each(sessions)(
  'session $index of $path prints what the page shows',
  ({ page, index }) => expectAsWritten(page, index),
  180_000,
);

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
  const blocks = [...page.matchAll(/(?<!^<!-- -- .* -- -->\n\n)^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );
  return blocks.filter((block) => /^(?:schedules|dashboards|aiJobs):/m.test(block));
}

/** What follows `almanac` in code, in blocks for a shell and in workflows. */
function commandsIn(page: string): readonly string[] {
  const spans = [...page.matchAll(/`almanac ([a-z][^`\n]*)`/g)];
  const lines = [...page.matchAll(/^(?:\$ |\s*(?:- )?run: )?(?:npx (?:--no -- )?)?almanac ([a-z-][^|>;&#\n]*)/gm)];
  return [...spans, ...lines].map(([, line = '']) => line.trim());
}

/** `state list` of `state list --format json`. */
function commandOf(line: string): string {
  const words = line.split(/\s+/);
  const names = words.slice(0, ['state', 'ai', 'webhook'].includes(words[0] ?? '') ? 2 : 1);
  return names.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')).join(' ');
}
