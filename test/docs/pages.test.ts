// What README.md and docs/ say is so: their links lead somewhere, their declarations are valid, the commands and options that
// they name exist, and their tables are those of src.

import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pagesWithTables, withTables } from '../../scripts/docs/tables.ts';
import { statements } from '../../src/commands/doctor/probe/statements.ts';
import { loadCronWords } from '../../src/cron/describe-cron.ts';
import { parseCron } from '../../src/cron/parse-cron.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { allowances } from '../../src/model/values/allowances.ts';
import { packageName } from '../../src/version.ts';
import { readDiagnosticsPage } from '../support/diagnostics-page.ts';
import { pages } from '../support/docs/page-sessions.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { unsafeTexts } from '../support/yaml/unsafe-texts.ts';

const read = (page: string) => readFileSync(page, 'utf8');
const reference = read('docs/fields.md');
/** The name of almanac.yaml, or a section that it alone has. */
const configured = /^(?:# almanac\.yaml$|(?:api|state|environments|environmentRequired|safety|checks|ignore):)/m;

/** Words of what this version no longer has. */
const removed = ['--forward', '--max-per-minute', 'heat map', 'Deliveries an hour', '--allow-'] as const;

test.each(removed)('no page names what is gone: %s', (word) => {
  expect(pages.filter((page) => read(page).toLowerCase().includes(word.toLowerCase()))).toEqual([]);
});

test.each(pages)('the links of %s lead to existing targets', (page) => {
  const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !/^https?:/.test(target) && !isThere(page, target))).toEqual([]);
});

test.each(pages.filter((page) => /^docs\/(?!README)[^/]+$/.test(page)))('docs/README.md leads to %s itself', (page) => {
  expect(read('docs/README.md')).toContain(`](${page.replace('docs/', '')})`);
});

test.each([
  ...pages,
  'almanac.yaml',
  ...readdirSync('schedules').flatMap((name) => (name.endsWith('.yaml') ? `schedules/${name}` : [])),
])('every reader of YAML reads the same in the brackets of the examples of %s', (page) => {
  const text = read(page);
  expect((page.endsWith('.md') ? examplesIn(text) : [text]).flatMap(unsafeTexts)).toEqual([]);
});

describe('what the pages write down', () => {
  test('the declarations and configurations in the pages are valid', async () => {
    const invalid: string[] = [];
    // Tests of their own have the examples of the diagnostics, which show mistakes, and of two workspaces or organizations.
    const elsewhere = ['docs/diagnostics.md', 'docs/moving-reports.md', 'docs/two-organizations.md'];
    for (const page of pages.filter((path) => !elsewhere.includes(path))) {
      for (const block of blocksIn(read(page))) {
        const isConfig = configured.test(block);
        const path = isConfig ? 'almanac.yaml' : 'schedules/block.yaml';
        const beside = { 'schedules/empty.yaml': '', 'tenants.csv': 'shows,receiver\n' };
        const folder = makeFolder({ 'almanac.yaml': read('almanac.yaml'), ...beside, [path]: block });
        const needsFull = !isConfig && /^ +(owner|paused):/m.test(block);
        const options = needsFull ? ['--env', 'full'] : [];
        const { code, stdout, stderr } = await workspaceIn(folder, {}).run('validate', ...options);
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
        if (help.includes('error:') || !help.includes(`Usage: almanac ${command}`) || wrong.length > 0)
          unknown.push(`${page}: almanac ${line}`);
      }
    }
    expect(helps.size).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  test('docs/plan-and-apply.md has a row for each name that --allow takes, and no text names another one', () => {
    const [, section = ''] = /^## Allowing what is refused\n([\s\S]*?)^## /m.exec(read('docs/plan-and-apply.md')) ?? [];
    const rows = [...section.matchAll(/^\| `([a-z-]+)` \| ([^|]*) \|/gm)];
    expect(rows.map(([, name, commands = '']) => [name, commands.replaceAll('`', '').split(', ')])).toEqual(
      Object.entries(allowances).map(([name, { commands }]) => [name, commands]),
    );
    const texts = [...pages, '.github/actions/almanac/action.yml', 'src/commands/init/scaffold/agents.md'].map(read);
    const lists = texts.flatMap((text) => [...text.matchAll(/--allow\b[ =]?([a-z,-]*)/g)]);
    const named = lists.flatMap(([, list = '']) => list.split(',').filter(Boolean));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !Object.keys(allowances).includes(name))).toEqual([]);
  });

  test('what docs/editors.md lets a coding agent run needs no token and sends no request', async () => {
    const [, text = ''] = /^```markdown\n# Almanac\n([\s\S]*?)^```$/m.exec(read('docs/editors.md')) ?? [];
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    const emulator = createEmulator();
    const { baseUrl } = await emulator.listen();
    onTestFinished(() => emulator.close());
    const environment = { OMNI_BASE_URL: baseUrl };
    const folder = makeFolder({ 'almanac.yaml': read('almanac.yaml') });
    cpSync('schedules', join(folder.path, 'schedules'), { recursive: true });
    const allowed = commandsIn(text.replaceAll(/^- Never .*$/gm, ''));
    expect(allowed).toEqual(expect.arrayContaining(['validate', 'plan']));
    for (const command of allowed)
      expect(await workspaceIn(folder, environment).run(...command.split(' ')), command).toMatchObject({
        code: 0,
      });
    expect(emulator.requests()).toEqual([]);
  });

  test('the files of src that docs/architecture.md names exist', () => {
    const rooms = readdirSync('src').join('|');
    const named = [...read('docs/architecture.md').matchAll(new RegExp(`\`(?:src/)?((?:${rooms})/[\\w./-]+)\``, 'g'))];
    expect(named.length).toBeGreaterThan(60);
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join('src', path)))).toEqual([]);
  });

  const sectionOf = (title: string) =>
    new RegExp(`^## ${title}\\n([\\s\\S]*?)^## `, 'm').exec(read('docs/architecture.md'))?.[1] ?? '';
  const namedIn = (text: string) => [...text.matchAll(/`(\w+)`\s+in\s+`([\w/-]+\.ts)`/g)];
  const isMissing = ([, name = '', file = '']: readonly string[]) => {
    const text = existsSync(join('src', file)) ? read(join('src', file)) : '';
    return !new RegExp(`^(?:export )?(?:async )?(?:function|class|const) ${name}\\b`, 'm').test(text);
  };

  test('the change that docs/architecture.md follows has ten steps, and each file has the functions that they name', () => {
    const section = sectionOf('One change, from YAML to a request');
    const steps = section.split(/^(?=\d+\. )/m).slice(1);
    expect(steps.map((step) => namedIn(step).length > 0)).toEqual(Array(10).fill(true));
    expect(namedIn(section).filter(isMissing)).toEqual([]);
  });

  test('each of the ten questions of docs/architecture.md names a function and a test that exist', () => {
    const rows = sectionOf('One answer for everybody who asks')
      .split('\n')
      .filter((line) => /^\| [A-Z]/.test(line));
    expect(rows.map((row) => namedIn(row).length > 0)).toEqual(Array(10).fill(true));
    expect(rows.flatMap(namedIn).filter(isMissing)).toEqual([]);
    const tests = rows.map((row) => /`(test\/[\w./-]+)` \|$/.exec(row)?.[1] ?? row);
    expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('a file that docs/architecture.md names without its folder exists somewhere', () => {
    const files = ['src', 'scripts', 'test'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
    );
    const named = [...read('docs/architecture.md').matchAll(/`(?!NAME-)([\w-]+\.ts)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !files.includes(name))).toEqual([]);
  });

  test('the files that docs/recipes.md names exist', () => {
    const named = [...read('docs/recipes.md').matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('the reference', () => {
  test.each(pagesWithTables)('the tables of %s are as npm run generate writes them', (page) => {
    expect(withTables(page, read(page))).toBe(read(page));
  });

  test('the field reference has no marker without a table', () => {
    const names = [...reference.matchAll(/<!-- fields:(\S+) -->/g)].map(([, name]) => name);
    expect(names.sort()).toEqual([
      'aiJobs',
      'almanac.yaml',
      'audiences',
      'common',
      'dashboards',
      'loops',
      'routines',
      'schedules',
    ]);
  });

  test('docs/probe.md says of each statement what a difference means', () => {
    const page = read('docs/probe.md');
    const [, section = ''] = /^## If something differs$([\s\S]*?)(?=^## )/m.exec(page) ?? [];
    const rows = section.split('\n').filter((line) => /^\| `/.test(line));
    const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, id]) => id));
    expect(named.sort()).toEqual(Object.keys(statements).sort());
  });

  test('every form in the table of filter values is one', async () => {
    const [, table = ''] = /## Filter values\n([\s\S]*?)\n## /.exec(reference) ?? [];
    const forms = [...table.matchAll(/`(\{.*?\})`/g)].map(([, form = '']) => form);
    expect(forms.length).toBeGreaterThan(6);
    const filters = forms.map((form, index) => `      filter-${index}: ${form}\n`).join('');
    const source = `schedules:\n  weekly:\n    filterConfig:\n${filters}`;
    const folder = makeFolder({ ...readDiagnosticsPage().workspace, 'schedules/a.yaml': source });
    expect(await workspaceIn(folder, {}).run('validate', '--strict')).toMatchObject({ code: 0 });
  });

  test('each cron recipe is valid, and means what its row says', async () => {
    const words = await loadCronWords(Date.UTC(2026, 10, 21));
    const [, section = ''] = read('docs/status.md').split(/^### Cron recipes$/m);
    const recipes = [...section.matchAll(/^\| [^|]+ \| `([^`]+ [^`]+)` \| (.+) \|$/gm)];
    expect(recipes.length).toBeGreaterThan(5);
    for (const [, expression = '', meaning] of recipes) {
      expect(parseCron(expression).cron, expression).toBeDefined();
      expect(words(expression)).toBe(meaning);
    }
  });
});

describe('the name of the package', () => {
  const filesIn = (folder: string, ending: RegExp) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => ending.test(path))
      .map((path) => join(folder, path));
  const sources = filesIn('src', /\.ts$/);
  const found = (files: readonly string[], pattern: RegExp) =>
    files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, name]) => ({ file, name })));

  test('the pages name the package as package.json does, and no source file does', () => {
    const named = found(pages, /(?<=node_modules\/|from ')((?:@[\w.-]+\/)?almanac)(?=\/\.github|')/g);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ name }) => name !== packageName)).toEqual([]);
    expect(found(sources, /(node_modules\/[a-z@][^'"`\s]*)/g)).toEqual([]);
  });

  // Whoever runs the program through npx must not be given a stranger's package of that name.
  test('npx never downloads almanac, wherever it is written', () => {
    const written = [...pages, ...sources, ...filesIn('.github', /\.(?:md|mjs|yml)$/)];
    expect(found(written, /(npx(?: (?!--no -- )\S+)? almanac\b.*)/g)).toEqual([]);
    expect(found(written, /(npx --no -- almanac)/g).length).toBeGreaterThan(10);
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

/** Blocks of YAML, the lines of changes to it, and what stands in brackets in a sentence. */
function examplesIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^ *```(yaml|diff)\n([\s\S]*?)^ *```$/gm)].flatMap(([, kind, block = '']) =>
    kind === 'yaml' ? block : block.split('\n').map((line) => line.slice(1)),
  );
  const spans = [...page.matchAll(/`((?:[\w-]+: )?\{ [^`\n]*\})`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans];
}

/** Blocks of YAML that declare or configure something, but those that a session writes into a file and uses. */
function blocksIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/(?<!^<!-- -- .* -- -->\n\n)^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );
  // A pipeline of Azure DevOps has `schedules` of its own.
  const own = blocks.filter((block) => !block.startsWith('# azure-pipelines.yml\n'));
  return own.filter((block) => configured.test(block) || /^(?:schedules|dashboards|aiJobs):/m.test(block));
}

/** What follows `almanac` in code, in blocks for a shell and in workflows. */
function commandsIn(page: string): readonly string[] {
  const spans = [...page.matchAll(/`almanac ([a-z][^`\n]*)`/g)];
  const lines = [...page.matchAll(/^(?:\$ |\s*(?:- )?(?:run: )?)?(?:npx (?:--no -- )?)?almanac ([a-z-][^|>;&#\n]*)/gm)];
  return [...spans, ...lines].map(([, line = '']) => line.trim());
}

/** `state list` of `state list --format json`. */
function commandOf(line: string): string {
  const words = line.split(/\s+/);
  const names = words.slice(0, ['state', 'ai', 'list', 'webhook'].includes(words[0] ?? '') ? 2 : 1);
  return names.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-')).join(' ');
}
