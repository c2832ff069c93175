// Wrong usage, missing settings and damaged files: an explanation on stderr, exit code 1, and no request.

import { describe, expect, it, test } from 'vitest';
import { hook, openBare } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';
import { openWorld } from '../support/world.ts';

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('wrong usage', () => {
  it.each([
    ['an unknown option', 'plan --frobnicate', /Unknown option `--frobnicate`/],
    ['a misspelt option', 'plan --taget x', /Did you mean --target/],
    ['a step of a job outside of one', 'ci comment', /which sets ALMANAC_COMMENT_PATH, ALMANAC_PULL/],
    ['an unknown command', 'aply', /Unknown command `aply`\. hint: Did you mean apply/],
    ['an unknown format', 'plan --format yaml', /Allowed choices are text, json/],
    ['a misspelt format', 'validate --format sarf', /Allowed choices are [^.]*\. hint: Did you mean sarif\?/],
    ['a misspelt value of several', 'init --destination email slak', /hint: Did you mean slack\?/],
    [
      'a misspelt name to allow',
      'apply --allow empty,behnd',
      /--allow takes `behind`, `duplicates`, `empty`, `http`, `orphans` or `unread-neighbours[^`]*`\. hint: Did you mean behind\?/,
    ],
    ['another name than the only one', 'plan --allow x', /--allow takes `empty`\./],
    [
      'an allowance as an option',
      'plan --allow-empty',
      /Unknown option `--allow-empty`\. hint: Did you mean --allow empty\?/,
    ],
    ['a format as an option', 'plan --format-json', /hint: Did you mean --format json\?/],
    ['a name that another command takes', 'plan --allow empty,behind', /`behind` belongs to `almanac apply`, /],
    ['a name to allow that is not given', 'apply --allow empty,', /It must be a value, or several between commas/],
    ['a misspelt argument', 'completion bsh', /hint: Did you mean bash\?/],
    ['next with an unknown address', 'next schedules.weakly', /Did you mean `schedules\.weekly`/],
    ['a dashboard to run next', 'next dashboards.sales', /`dashboards\.sales` is not a schedule/],
    ['a plan file for a depth', 'apply --refresh one.plan', /one\.plan[\s\S]*--refresh=deep[\s\S]*saved plan/],
    ['a value that is not a number', 'apply --max-attempts many', /must be a whole number/],
    ['an unknown fault', 'emulator --fault drop', /There is no fault "drop"[\s\S]*drop-after[\s\S]*hint:/],
    ['an argument too many', 'apply one.plan two.plan', /Too many arguments/],
    ['a file to plan', 'plan schedules/all.yaml', /`schedules\/all\.yaml`[\s\S]*--target ADDRESS[\s\S]*-C/],
    ['an address after --deep', 'drift --write --deep schedules.weekly', /--deep --write schedules\.weekly/],
    ['an address to check', 'drift schedules.weekly', /--target schedules\.weekly/],
    ['a source file to apply', 'apply --auto-approve schedules/all.yaml', /source\s+file[\s\S]*plan\s+--out/],
    ['an address to apply', 'apply --auto-approve schedules.fin', /--target\s+schedules\.fin/],
    ['a label to show', 'show tag:board', /--resolved\s+tag:board/],
    ['a source file to show', 'show schedules/all.yaml', /source\s+file[\s\S]*plan\s+--out/],
    ['a missing value', 'apply --expect', /`--expect <digest>` needs a value/],
    ['a digest that is not one', 'apply --auto-approve --expect abc', /must be the digest at the end of a plan/],
    ['a digest whose variable is not set', 'apply --auto-approve --expect=', /must be the digest at the end of a plan/],
    [
      'two ways to name what was reviewed',
      `apply --expect ${'0'.repeat(64)} --expect-changes b`,
      /cannot be used with/,
    ],
    ['a limit of retries without a retry', 'status --max 3', /--max belongs to --retry\.\s+hint: Add --retry\./],
    ['no command', '', /Usage: almanac/],
    ['another word for plan', 'apply --dry-run', /Unknown option `--dry-run`\. hint: almanac plan shows/],
    ['another word for the format', 'plan --json', /Unknown option `--json`\. hint: Write --format json/],
    ['a command of other tools', 'destroy', /Unknown command `destroy`\. hint: Use --help/],
    ['an unknown command of a group', 'state forget', /hint: almanac state has `list`, .* and `\w+`\./],
    ['an unknown word', 'frobnicate', /Unknown command `frobnicate`\. hint: Use --help/],
    ['a misspelt address without a terminal', 'apply --target schedules.weakly', /Did you mean `schedules\.weekly`/],
    ['a misspelt replacement without a terminal', 'apply --replace weakly', /Did you mean `schedules\.weekly`/],
    ['a misspelt address to try', 'test schedules.weakly', /Did you mean `schedules\.weekly`/],
    ['the id of a dashboard to import', 'import 12db1a0a', /almanac import --identifier 12db1a0a/],
    [
      'the id of a schedule to import',
      'import 6f0c9f1e-5a3e-4b69-9b53-1f1d2c7b8a90',
      /A schedule has the URL `[^`]*\/schedules\/6f0c9f1e[^`]*`[\s\S]*--identifier ID/,
    ],
    ['a command of a group', 'documents', /Unknown command `documents`\. hint: Did you mean almanac list documents\?/],
    [
      'a command of the group of the state',
      'unlock',
      /Unknown command `unlock`\. hint: Did you mean almanac state unlock\?/,
    ],
    ['another word for approving', 'apply --yes', /Unknown option `--yes`\. hint: Write --auto-approve/],
    ['a letter for approving', 'apply -y', /Unknown option `-y`\. hint: Write --auto-approve/],
    ['a letter for asking nothing', 'init -y', /Unknown option `-y`\. hint: Write --yes/],
    ['a letter for a selection', 'plan -s tag:board', /Unknown option `-s`\. hint: Write --target/],
    [
      'a pipeline to copy',
      'init --ci azure-devops',
      /github, gitlab, none\. The documentation \(ci-azure\) has a pipeline/,
    ],
    ['a CI without a page', 'init --ci jenkins', /github, gitlab, none\. The documentation \(ci\) shows the lines/],
    ['a word for undoing drift', 'drift --fix', /Unknown option `--fix`\. hint: almanac drift --write writes/],
    ['a word for a successor', 'offboard ana@a.com --successor bo@a.com', /`--successor`\. hint: Write --to/],
    ['a fold on trial', 'fold --dry-run', /Unknown option `--dry-run`\. hint: It changes files alone/],
    ['an import on trial', 'import --dry-run', /Unknown option `--dry-run`\. hint: It changes nothing in Omni/],
    ['a format on trial', 'fmt --dry-run', /Unknown option `--dry-run`\. hint: Write --check/],
    ['an option with one dash', 'plan -out a.plan', /Unknown option `-out`\. hint: Write --out/],
    ['another word for an option of all', 'plan --environment dev', /`--environment`\. hint: Write --env/],
    ['a format that a command lacks', 'fmt --json', /Unknown option `--json`\. hint: Use --help/],
    ['a token in the command', 'plan --token=abc', /Unknown option `--token`\. hint: Set the environment variable/],
    ['a token in a misspelt option', "plan --tokn=a'b=c", /Unknown option `--tokn`\. hint: Use --help/],
    ['a variable in the command', 'plan -var region=x', /`--var`\. hint: Write it under `variables` in almanac\.yaml/],
    ['a file of variables', 'plan -var-file=p.tfvars', /`--var-file`\. hint: Write it under `variables`/],
    ['an option with one dash of another tool', 'plan -destroy', /`-destroy`\. hint: Remove the declarations/],
    ['an option that is turned off', 'plan -refresh=false', /`-refresh`\. hint: Leave it out/],
    ['a typographic dash', 'plan \u2013target x', /hint: Write --target/],
    ['a typographic dash of an option of all', 'plan \u2014env x', /hint: Write --env/],
    ['an option in place of a value', 'plan --env --format text', /`--env <name>` needs a value/],
    ['two environments', 'plan --env a --env b', /`--env <name>` cannot be `b`\. It is given twice, first as a/],
    ['two digests', `apply --expect ${'ab'.repeat(32)} --expect ${'cd'.repeat(32)}`, /It is given twice, first as abab/],
    ['two states', 'plan --state a.json --state b.json', /`b\.json`\. It is given twice, first as a\.json/],
    ['an environment without a name', 'plan --env=', /`--env` names nothing/],
    ['an option of other commands', 'plan --auto-approve', /It is an option of almanac [^.]*, and not of this command/],
    ['a format of a command without one', 'preview --format png', /`--format`\. hint: It is an option of/],
    ['an option near --help', 'completion --shell bash', /Unknown option `--shell`\. hint: Use --help to list/],
    ['a selector that excludes', 'plan --target !schedules.weekly', /hint: Selectors cannot exclude/],
    ['selectors between commas', 'plan --target schedules.weekly,tag:a', /hint: Separate selectors with blanks/],
    ['a value of a misspelt option', 'plan --taget=x', /Unknown option `--taget`\. hint: Did you mean --target\?/],
  ])('wrong usage is explained: %s', async (_, argv, words) => {
    const { run, emulator } = await openBare();
    const finished = await run(argv);
    expect(finished).toMatchObject({ code: 1, stdout: '' });
    expect(oneLine(finished.stderr)).toMatch(words);
    expect(finished.stderr).not.toMatch(/^ +at /m);
    expect(emulator.requests()).toEqual([]);
  });

  it.each([
    ['an address', 'schedules.weekly', 'That is an address, and files are meant'],
    ['a table', 'schedules/c.csv', 'It is checked with the source file that reads it'],
    ['a pattern in quotes', 'schedules/*.yaml', 'A shell expands no pattern in quotes'],
  ])('a path that is no source file is told from its form: %s', async (_, path, words) => {
    const { run, write } = await openBare();
    write({ 'schedules/c.csv': 'code\na\n' });
    const { code, stdout, stderr } = await run(`validate ${path}`);
    expect(code).toBe(1);
    expect(oneLine(stdout + stderr)).toContain(words);
  });

  it('a pattern of sources that takes a table is the mistake, and not what the table says', async () => {
    const { run, write } = await openBare();
    write({ 'schedules/c.csv': 'code\na\n', 'almanac.yaml': 'sources: ["schedules/*"]\n' });
    const { code, stdout } = await run('validate');
    expect(code).toBe(1);
    expect(oneLine(stdout)).toContain('takes this file, which is not a source file. hint: End the pattern with');
  });

  it.each(['Almanac.yaml', 'almanac.config.yaml', 'almanac.json', '.almanac.yml'])(
    'without almanac.yaml, a file of nearly that name is no reason for defaults: %s',
    async (name) => {
      const { run } = await openWorld({ [name]: 'api: {}\n', 'schedules/a.yaml': 'schedules: {}\n' }, { config: null });
      const { code, stderr } = await run('validate');
      expect(code).toBe(1);
      expect(oneLine(stderr)).toContain(`There is no almanac.yaml here, and ${name} is not read.`);
    },
  );

  it.each(['ls', 'run', 'send', 'tset', 'rest', 'triger', 'state lst'])(
    'an unknown command is not answered with one that delivers: %s',
    async (argv) => {
      const { run } = await openBare();
      const { code, stderr } = await run(argv);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error\[usage\]: Unknown command/);
      expect(stderr).not.toMatch(/Did you mean (?:one of )?.*(?:test|trigger)/);
    },
  );

  it.each([
    ['an unknown option', 'plan --format json --frobnicate'],
    ['an unknown option before --format', 'plan --frobnicate --format json'],
    ['a refused value before --format', 'apply --max-attempts many --format json'],
    ['an argument too many', 'next a b c --format json --frobnicate'],
    ['a missing value', 'import --format json --identifier'],
    ['a missing value of a global option', 'plan --format json --env'],
    ['a missing value of the folder', 'state list --format json -C'],
    ['a folder that does not exist', '-C nowhere plan --format json'],
    ['an environment that does not exist', 'plan --format json --env nowhere'],
    ['an unknown command', 'frobnicate --format json'],
    ['an unknown command of a group', 'state frobnicate --format=json'],
    ['no workspace', '-C / plan --format json'],
    ['a command without --format', 'init --format json'],
    ['--format before the command', '--format json plan'],
    ['--format before an unknown command', '--format=json frobnicate'],
    ['no command', '--format json'],
  ])('wrong usage is one JSON document if JSON is requested: %s', async (_, argv) => {
    const { run } = await openBare();
    const { code, stdout } = await run(argv);
    expect(code).toBe(1);
    expect(expectDocument('error', stdout)).toMatchObject({ error: { message: expect.stringMatching(/./) } });
  });
});

describe('an apply without', () => {
  it('an apply names all variables that are missing in one error', async () => {
    const names = Array.from({ length: 31 }, (_, index) => `HOOK_${index + 10}`);
    const schedules = names.map((name) => [
      name.toLowerCase(),
      { ...hook, name, url: `https://hooks.example.com/\${env.${name}}` },
    ]);
    const { run } = await openBare({ schedules: Object.fromEntries(schedules) });
    const { code, stdout, stderr } = await run('apply --auto-approve');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toContain('missing-variable');
    expect(stderr.match(/HOOK_\d+/g)).toEqual(names);
    const document = JSON.parse((await run('apply --auto-approve --format json')).stdout);
    expect(document.diagnostics).toHaveLength(31);
  });
});

it('a state that is cut short is refused by every command and left as it is', async () => {
  const { run, write, read, sent } = await openBare();
  await run('apply --auto-approve -q');
  sent();
  const half = read('almanac.state.json').slice(0, 100);
  write({ 'almanac.state.json': half });
  for (const argv of ['plan', 'apply --auto-approve', 'state list', 'show'])
    expect(await run(argv)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not valid') });
  expect(read('almanac.state.json')).toBe(half);
  expect(sent()).toEqual([]);
});

describe('a folder without a workspace', () => {
  // A mistyped --chdir must never look like "No changes".
  it.each([
    'validate',
    'plan',
    'apply --auto-approve',
    'drift',
    'fmt',
    'next',
    'test schedules.a',
    'show',
    'state list',
  ])('almanac %s without a workspace fails', async (argv) => {
    const { code, stdout, stderr } = await openWorld({ 'unrelated.yaml': 'a: 1\n' }, { config: null }).then((stage) =>
      stage.run(argv),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('There is no workspace here or above.');
  });
});

test.each(
  ['plan', 'drift', 'next', 'show --resolved', 'test'].flatMap((name) => [
    { argv: `${name} 12db1a0a`, selector: 'dashboard:12db1a0a' },
    { argv: `${name} ana@example.com`, selector: 'to:ana@example.com' },
  ]),
)('an id or an address where none is taken is answered with its selector: $argv', async ({ argv, selector }) => {
  const { run } = await openBare();
  const { code, stderr } = await run(argv);
  expect(code).toBe(1);
  expect(oneLine(stderr)).toContain(selector);
});

describe('the root of a repository of several workspaces', () => {
  const files = { 'reports/almanac.yaml': '', 'teams/customers/almanac.yml': '', 'node_modules/x/almanac.yaml': '' };

  it.each([
    ...['validate', 'plan', 'apply --auto-approve', 'drift', 'fmt', 'fold', 'next', 'who', 'status', 'show'],
    ...['state list', 'import', 'import --identifier 12db1a0a', 'offboard ana@example.com', 'preview x', 'trigger x'],
  ])('almanac %s names the workspaces below', async (argv) => {
    const { run, emulator } = await openWorld(files, { config: null });
    const { code, stdout, stderr } = await run(argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(oneLine(stderr)).toMatch(
      /no workspace here or above\. hint: There are workspaces below: `reports`, `teams\/customers`\. Run the command there, or add `--chdir reports`/,
    );
    expect(emulator.requests()).toEqual([]);
  });

  it('doctor names the workspaces below', async () => {
    const { run } = await openWorld(files, { config: null });
    expect(oneLine((await run('doctor')).stdout)).toContain(
      'There are workspaces below: `reports`, `teams/customers`.',
    );
  });
});

it('without a terminal, an apply names what is wrong with the files', async () => {
  const { run, write } = await openBare();
  write({ 'schedules/other.yaml': 'schedules: { a: { name: A } }\n' });
  const { code, stderr } = await run('apply');
  expect(code).toBe(1);
  expect(stderr).toContain('required-field');
  expect(stderr).not.toContain('terminal');
});

describe('a file below the sources without a section', () => {
  const declaration = 'weekly: { name: Weekly, identifier: 12db1a0a, schedule: 0 9 ? * MON * }\n';

  it.each([
    ['version: 2\nmodels:\n  - name: orders\n', true],
    ['services: { web: { image: nginx } }\n', true],
    ['Schedules: { a: { name: A } }\nversion: 2\n', false],
    ['schedule: { a: { name: A } }\n', false],
    ['schedulse: { a: { name: A } }\nother: 1\n', false],
    ['identifier: 12db1a0a\nname: A\n', false],
    [declaration, false],
  ])(
    'is one mistake, with the line for `sources`, if nothing in it looks like a declaration: %j',
    async (text, isOther) => {
      const { run, write } = await openBare();
      write({ 'schedules/other.yaml': text });
      const { code, stdout } = await run('validate');
      expect(code).toBe(1);
      const line = 'add `"!schedules/other.yaml"` to `sources` in almanac.yaml';
      expect(oneLine(stdout).includes(line)).toBe(isOther);
      if (isOther) expect(stdout.match(/error\[/g)).toHaveLength(1);
    },
  );

  it('is left out by that line', async () => {
    const { run, write } = await openBare();
    const sources = ['schedules/**/*.yaml', '!schedules/other.yaml'];
    write({ 'schedules/other.yaml': 'version: 2\n', 'almanac.yaml': JSON.stringify({ sources }) });
    expect((await run('validate')).code).toBe(0);
  });
});
