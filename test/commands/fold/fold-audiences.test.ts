// Which lists of recipients fold turns into audiences, how these are called, and where they are written.

import { describe, expect, test } from 'vitest';
import { foldAudiences } from '../../../src/commands/fold/fold-audiences.ts';
import { runStage } from '../../support/apply/one-stage.ts';
import { lines } from '../../support/yaml/edited.ts';

type Files = Readonly<Record<string, string>>;

/** A schedule that is delivered by e-mail, with its recipients as the last lines. */
const mail = (key: string, recipients: string | readonly string[], identifier = '12db1a0a') => [
  `  ${key}:`,
  `    identifier: ${identifier}`,
  `    name: ${key}`,
  '    schedule: 0 9 ? * MON *',
  '    timezone: UTC',
  '    format: pdf',
  '    destinationType: email',
  '    subject: Numbers',
  ...(typeof recipients === 'string' ? [`    recipients: ${recipients}`] : recipients.map((line) => `    ${line}`)),
];
const mails = (keys: string, recipients: string) => [...keys].flatMap((key) => mail(key, recipients));
const loop = (key: string, to: string, ...items: readonly string[]) =>
  mail(key, to)
    .toSpliced(1, 0, ...items.map((line) => `    ${line}`))
    .map((line) => line.replace(`name: ${key}`, `name: ${key} \${each.key}`));
const sourceOf = (...schedules: readonly (readonly string[])[]) => lines('schedules:', ...schedules.flat());

const file = 'schedules/finance.yaml';
const two = '[ana@acme.com, bo@acme.com]';
const team = '${audience.finance-1}';
const added = (name: string) => lines('audiences:', `  ${name}:`, `    emails: ${two}`, '');

const namesIn = async (files: Files): Promise<readonly string[]> =>
  (await runStage(foldAudiences, files)).folds.map((fold) => (fold.kind === 'audience' ? fold.name : fold.kind));

describe('lists that are written three times', () => {
  test('the same people in any order become an audience in the file, and a second run finds nothing', async () => {
    const others = mail('d', '[ana@acme.com, bo@acme.com, cfo@acme.com]');
    const before = sourceOf(
      ...[mail('a', two), mail('b', ['recipients: # the team', '  - bo@acme.com', '  - ana@acme.com'])],
      ...[mail('c', `${two} # them`), others],
    );
    const run = await runStage(foldAudiences, { [file]: `# Finance\n\n${before}` });
    const after = sourceOf(mail('a', team), mail('b', `${team} # the team`), mail('c', `${team} # them`), others);
    expect(run.after[file]).toBe(`# Finance\n\n${added('finance-1')}${after}`);
    const usedBy = ['schedules.a', 'schedules.b', 'schedules.c'];
    const id = `audience finance-1 in ${file}`;
    expect(run).toMatchObject({ folds: [{ kind: 'audience', id, file, name: 'finance-1', usedBy }], left: [] });
    expect(await runStage(foldAudiences, run.after)).toMatchObject({ folds: [], left: [], after: run.after });
  });

  test('each file gets an audience of its own, beside the audiences that are there', async () => {
    const board = lines('audiences:', '  board: # see the agreement', '    emails: [cfo@acme.com]');
    const user = mail('board', '${audience.board}');
    const run = await runStage(foldAudiences, {
      'schedules/a.yaml': board + sourceOf(mails('abc', two), user),
      'schedules/c/c.yaml': sourceOf(mails('def', two)),
      'schedules/few.yaml': sourceOf(mails('gh', two)),
    });
    expect(run.after).toEqual({
      'schedules/a.yaml': `${board}  a-1:\n    emails: ${two}\n${sourceOf(mails('abc', '${audience.a-1}'), user)}`,
      'schedules/c/c.yaml': added('c-1') + sourceOf(mails('def', '${audience.c-1}')),
      'schedules/few.yaml': sourceOf(mails('gh', two)),
    });
  });

  test('an audience of the same people is used, and no second one is written', async () => {
    const files = {
      'schedules/lists.yaml': lines('audiences:', '  team: { emails: [bo@acme.com, ana@acme.com] }'),
      [file]: sourceOf(mails('abc', two), mail('d', '${audience.team}')),
    };
    const run = await runStage(foldAudiences, files);
    expect(run.folds).toMatchObject([{ name: 'team', file: 'schedules/lists.yaml' }]);
    expect(run.after).toEqual({ ...files, [file]: files[file]?.replaceAll(two, '${audience.team}') });
  });

  test('lists in the items of loops are lists as well', async () => {
    const items = [
      ...['forEach:', `  emea: { region: Europe, to: ${two} }`, '  amer: { region: America, to: [kim@acme.com] }'],
      ...['  apac:', '    region: Asia', '    to: [bo@acme.com, ana@acme.com]'],
    ];
    const regional = loop('regional', '${each.to}', ...items);
    const single = loop('single', '["${each.value}", cfo@acme.com]', `forEach: { x: ${two} }`);
    const run = await runStage(foldAudiences, { [file]: sourceOf(regional, single) });
    const text = run.after[file] ?? '';
    expect(text).toContain(`      emea: { region: Europe, to: "${team}" }\n`);
    expect(text).toContain('      amer: { region: America, to: [kim@acme.com] }\n');
    expect(text).toContain(`        to: ${team}\n`);
    expect(text).toContain(`    forEach: { x: "${team}" }\n`);
    const usedBy = ['schedules.regional.emea', 'schedules.regional.apac', 'schedules.single.x'];
    expect(run.folds).toMatchObject([{ usedBy }]);
  });

  test('a value of an item that is more than recipients is left alone', async () => {
    const using = (values: string) =>
      sourceOf(
        ...[...'abc'].map((key) =>
          loop(key, '${each.to}', `forEach: { x: { to: ${two} } }`, `filterConfig: { who: { values: ${values} } }`),
        ),
      );
    expect(await namesIn({ [file]: using('"${each.to}"') })).toEqual([]);
    expect(await namesIn({ [file]: using('["${each.key}"]') })).toEqual(['finance-1']);
  });
});

test.each<[string, string, string?]>([
  ['it is the file with a number', 'schedules/Board pack.yaml', 'board-pack-1'],
  ['it begins with a letter', 'schedules/emea/1.yaml', 'audience-1-1'],
])('the name of an audience: %s', async (_, path, name) => {
  expect(await namesIn({ [path]: sourceOf(mails('abc', two)) })).toEqual([name]);
});

test('the audiences of a file have numbers, and none has a name that is in use', async () => {
  const more = mails('xyz', '[cy@small.com, di@small.com]');
  const audience = 'audiences: { finance-2: { emails: [cfo@acme.com] } }\n';
  const files = { [file]: audience + sourceOf(mails('abc', two), more, mail('u', '${audience.finance-2}')) };
  expect(await namesIn(files)).toEqual(['finance-1', 'finance-3']);
});

test('the order of files makes no difference to names and people', async () => {
  const files = {
    'schedules/a.yaml': sourceOf(mails('abc', two), mails('def', '[cy@acme.com, jo@acme.com]')),
    'schedules/b.yaml': sourceOf(mails('ghi', '[di@acme.com, ed@acme.com]')),
  };
  const { after, folds } = await runStage(foldAudiences, files);
  expect(folds).toHaveLength(3);
  expect((await runStage(foldAudiences, Object.fromEntries(Object.entries(files).reverse()))).after).toEqual(after);
});

describe('what is left as it is', () => {
  const slack = (key: string) =>
    mail(key, '[U0123456789, U0AAAAAAAAA]')
      .filter((line) => !line.includes('subject'))
      .map((line) => line.replace('destinationType: email', 'destinationType: slack\n    slackRecipientType: users'));

  test.each([
    ['two lists', sourceOf(mails('ab', two))],
    ['one address', sourceOf(mails('abc', '[customer@example.com]'))],
    ['users of a Slack message', sourceOf(slack('a'), slack('b'), slack('c'))],
    ['a list with a mistake', sourceOf(mails('abc', '[ana@acme.com, Ana@acme.com]'))],
    ['a list with a reference', sourceOf(mails('abc', '[ana@acme.com, "${var.boss}"]'))],
    ['a list that an anchor shares', sourceOf(mail('a', `&team ${two}`), mails('bc', '*team'), mails('de', two))],
  ])('%s: no audience is made', async (_, text) => {
    expect(await namesIn({ [file]: text, 'almanac.yaml': 'variables: { boss: cfo@acme.com }\n' })).toEqual([]);
  });

  test('a list with a comment in it stays, and is named', async () => {
    const commented = mail('d', ['recipients:', '  - ana@acme.com # until May', '  - bo@acme.com']);
    const below = mail('e', ['recipients:', '  # the team', '  - ana@acme.com', '  - bo@acme.com']);
    const braces = mail('f', ['recipients: [', '  ana@acme.com, # until May', '  bo@acme.com', ']']);
    const run = await runStage(foldAudiences, { [file]: sourceOf(mails('abc', two), commented, below, braces) });
    expect(run.after[file]).toBe(added('finance-1') + sourceOf(mails('abc', team), commented, below, braces));
    const message = 'The same people are the audience `finance-1` now. Here the list stays, because it has a comment.';
    expect(run.left).toEqual([{ file, addresses: ['schedules.d', 'schedules.e', 'schedules.f'], message }]);
  });

  test('a file that may not change keeps its lists', async () => {
    const files = { [file]: sourceOf(mails('abc', two)), 'schedules/other.yaml': sourceOf(mails('def', two)) };
    expect((await runStage(foldAudiences, files, [file])).folds).toHaveLength(1);
  });
});
