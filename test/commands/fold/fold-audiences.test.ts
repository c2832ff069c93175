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

const sourceOf = (...schedules: readonly (readonly string[])[]) => lines('schedules:', ...schedules.flat());

const file = 'schedules/finance.yaml';
const two = '[ana@acme.com, bo@acme.com]';

const namesIn = async (files: Files): Promise<readonly string[]> =>
  (await runStage(foldAudiences, files)).folds.map((fold) => (fold.kind === 'audience' ? fold.name : fold.kind));

describe('lists that are written three times', () => {
  test('the same people in any order become an audience in the file', async () => {
    const run = await runStage(foldAudiences, {
      [file]: lines(
        '# Finance',
        '',
        'schedules:',
        ...mail('a', two),
        ...mail('b', ['recipients: # the team', '  - bo@acme.com', '  - ana@acme.com']),
        ...mail('c', `${two} # them`),
        ...mail('d', '[ana@acme.com, bo@acme.com, cfo@acme.com]'),
      ),
    });
    expect(run.after[file]).toBe(
      lines(
        '# Finance',
        '',
        'audiences:',
        '  finance-1:',
        '    emails: [ana@acme.com, bo@acme.com]',
        '',
        'schedules:',
        ...mail('a', '${audience.finance-1}'),
        ...mail('b', '${audience.finance-1} # the team'),
        ...mail('c', '${audience.finance-1} # them'),
        ...mail('d', '[ana@acme.com, bo@acme.com, cfo@acme.com]'),
      ),
    );
    const usedBy = ['schedules.a', 'schedules.b', 'schedules.c'];
    expect(run.folds).toEqual([
      { kind: 'audience', id: `audience finance-1 in ${file}`, file, name: 'finance-1', usedBy },
    ]);
    expect(run.left).toEqual([]);
  });

  test('two lists are too few', async () => {
    expect(await namesIn({ [file]: sourceOf(mail('a', two), mail('b', two)) })).toEqual([]);
  });

  test('each file gets an audience of its own, beside the audiences that are there', async () => {
    const three = [...mail('a', two), ...mail('b', two), ...mail('c', two)];
    const named = (key: string) => three.map((line) => line.replace(/^( {2}|.*name: )([abc])(:?)$/, `$1${key}-$2$3`));
    const run = await runStage(foldAudiences, {
      'schedules/a.yaml': lines(
        'audiences:',
        '  board: # see the agreement',
        '    emails: [cfo@acme.com]',
        'schedules:',
        ...named('a'),
        ...mail('board', '${audience.board}'),
      ),
      'schedules/c/c.yaml': lines('schedules:', ...named('c')),
      'schedules/few.yaml': sourceOf(mail('e', two), mail('f', two)),
    });
    expect(run.after['schedules/a.yaml']).toContain(
      lines(
        'audiences:',
        '  board: # see the agreement',
        '    emails: [cfo@acme.com]',
        '  a-1:',
        '    emails: [ana@acme.com, bo@acme.com]',
        'schedules:',
      ),
    );
    expect(run.after['schedules/c/c.yaml']).toContain('  c-1:\n    emails: [ana@acme.com, bo@acme.com]\n');
    expect(run.after['schedules/few.yaml']).not.toContain('audience');
  });

  test('one address is no audience', async () => {
    const one = '[customer@example.com]';
    expect(await namesIn({ [file]: sourceOf(mail('a', one), mail('b', one), mail('c', one)) })).toEqual([]);
  });

  test('an audience of the same people is used, and no second one is written', async () => {
    const files = {
      'schedules/lists.yaml': lines('audiences:', '  team: { emails: [bo@acme.com, ana@acme.com] }'),
      [file]: sourceOf(mail('a', two), mail('b', two), mail('c', two)),
      'schedules/more.yaml': sourceOf(mail('d', '${audience.team}')),
    };
    const run = await runStage(foldAudiences, files);
    expect(run.folds).toMatchObject([{ name: 'team', file: 'schedules/lists.yaml' }]);
    expect(run.after).toEqual({ ...files, [file]: files[file].replaceAll(two, '${audience.team}') });
  });

  test('lists in the items of loops are lists as well', async () => {
    const loop = mail('regional', '${each.to}')
      .with(0, '  regional:')
      .toSpliced(
        1,
        0,
        ...[
          '    forEach:',
          '      emea: { region: Europe, to: [ana@acme.com, bo@acme.com] }',
          '      amer: { region: America, to: [kim@acme.com] }',
          '      apac:',
          '        region: Asia',
          '        to: [bo@acme.com, ana@acme.com]',
        ],
      )
      .map((line) => line.replace('name: regional', 'name: Sales ${each.region}'));
    const single = mail('single', '["${each.value}", cfo@acme.com]').toSpliced(1, 0, `    forEach: { x: ${two} }`);
    const run = await runStage(foldAudiences, { [file]: sourceOf(loop, single) });
    const text = run.after[file] ?? '';
    expect(text).toContain('      emea: { region: Europe, to: "${audience.finance-1}" }\n');
    expect(text).toContain('      amer: { region: America, to: [kim@acme.com] }\n');
    expect(text).toContain('        to: ${audience.finance-1}\n');
    expect(text).toContain('    forEach: { x: "${audience.finance-1}" }\n');
    expect(run.folds).toMatchObject([
      { usedBy: ['schedules.regional.emea', 'schedules.regional.apac', 'schedules.single.x'] },
    ]);
  });

  test('a value of an item that is more than recipients is left alone', async () => {
    const loop = (key: string, use: string) =>
      mail(key, '${each.to}').toSpliced(
        1,
        0,
        `    forEach: { x: { to: ${two} } }`,
        `    filterConfig: { who: ${use} }`,
      );
    const files = { [file]: sourceOf(...['a', 'b', 'c'].map((key) => loop(key, '{ values: "${each.to}" }'))) };
    expect(await namesIn(files)).toEqual([]);
    const others = { [file]: sourceOf(...['a', 'b', 'c'].map((key) => loop(key, '{ values: ["${each.key}"] }'))) };
    expect(await namesIn(others)).toEqual(['finance-1']);
  });

  test('the users of a Slack message and addresses in a list with a mistake are no audience', async () => {
    const slack = (key: string) =>
      mail(key, '[U0123456789, U0AAAAAAAAA]')
        .filter((line) => !line.includes('subject'))
        .map((line) => line.replace('destinationType: email', 'destinationType: slack\n    slackRecipientType: users'));
    expect(await namesIn({ [file]: sourceOf(slack('a'), slack('b'), slack('c')) })).toEqual([]);
    const twice = '[ana@acme.com, Ana@acme.com]';
    expect(await namesIn({ [file]: sourceOf(mail('a', twice), mail('b', twice), mail('c', twice)) })).toEqual([]);
  });

  test('a second run finds nothing', async () => {
    const { after } = await runStage(foldAudiences, {
      [file]: sourceOf(mail('a', two), mail('b', two), mail('c', two)),
    });
    expect(await runStage(foldAudiences, after)).toMatchObject({ folds: [], left: [], after });
  });
});

describe('the name of an audience', () => {
  const three = (list: string, identifier?: string, prefix = '') =>
    sourceOf(...['a', 'b', 'c'].map((key) => mail(`${prefix}${key}`, list, identifier)));

  test('it is the file with a number, whoever receives', async () => {
    expect(await namesIn({ 'schedules/Board pack.yaml': three(two) })).toEqual(['board-pack-1']);
    expect(await namesIn({ 'schedules/emea/1.yaml': three(two) })).toEqual(['audience-1-1']);
    const more = three('[cy@small.com, di@small.com]', undefined, 'x').replace('schedules:\n', '');
    expect(await namesIn({ [file]: three(two) + more })).toEqual(['finance-1', 'finance-2']);
  });

  test('a name that is in use is not taken', async () => {
    const audience = 'audiences: { finance-1: { emails: [cfo@acme.com] } }\n';
    const files = { [file]: audience + three(two) + lines(...mail('z', '${audience.finance-1}')) };
    expect(await namesIn(files)).toEqual(['finance-2']);
  });

  test('the order of files makes no difference to names and people', async () => {
    const lists = [two, '[cy@acme.com, jo@acme.com]', '[di@acme.com, ed@acme.com]', '[fay@big.com, gus@small.com]'];
    const schedules = lists.flatMap((list, at) => ['a', 'b', 'c'].map((key) => mail(`${key}${at}`, list, `id${key}`)));
    const filesOf = (all: typeof schedules) => ({
      'schedules/a.yaml': sourceOf(...all.slice(0, 6)),
      'schedules/b.yaml': sourceOf(...all.slice(6)),
    });
    const peopleIn = async (files: Files) => {
      const { folds, after } = await runStage(foldAudiences, files);
      const emails = [
        ...Object.values(after)
          .join('')
          .matchAll(/^ {2}(\S+):\n {4}emails: (.*)$/gm),
      ];
      return { count: folds.length, names: Object.fromEntries(emails.map(([, name, list]) => [name, list])) };
    };
    const found = await peopleIn(filesOf(schedules));
    expect(found.count).toBe(4);
    const swapped = Object.fromEntries(Object.entries(filesOf(schedules)).reverse());
    expect(await peopleIn(swapped)).toEqual(found);
  });
});

describe('what is left as it is', () => {
  test('a list with a comment in it stays, and is named', async () => {
    const commented = mail('d', ['recipients:', '  - ana@acme.com # until May', '  - bo@acme.com']);
    const below = mail('e', ['recipients:', '  # the team', '  - ana@acme.com', '  - bo@acme.com']);
    const braces = mail('f', ['recipients: [', '  ana@acme.com, # until May', '  bo@acme.com', ']']);
    const files = { [file]: sourceOf(mail('a', two), mail('b', two), commented, below, braces, mail('c', two)) };
    const run = await runStage(foldAudiences, files);
    expect(run.after[file]).toContain(lines(...commented, ...below, ...braces));
    expect(run.left).toEqual([
      {
        file,
        addresses: ['schedules.d', 'schedules.e', 'schedules.f'],
        message: 'The same people are the audience `finance-1` now. Here the list stays, because it has a comment.',
      },
    ]);
  });

  test('lists that an anchor shares are left alone', async () => {
    const text = sourceOf(
      mail('a', `&team ${two}`),
      mail('b', '*team'),
      mail('c', '*team'),
      mail('d', two),
      mail('e', two),
    );
    expect(await namesIn({ [file]: text })).toEqual([]);
    const run = await runStage(foldAudiences, { [file]: text + lines(...mail('f', two)) });
    expect(run.after[file]).toContain(
      lines(...mail('a', `&team ${two}`), ...mail('b', '*team'), ...mail('c', '*team')),
    );
    expect(run.folds).toMatchObject([{ usedBy: ['schedules.d', 'schedules.e', 'schedules.f'] }]);
  });

  test('lists with a reference are left alone', async () => {
    const list = '[ana@acme.com, "${var.boss}"]';
    const files = { [file]: sourceOf(mail('a', list), mail('b', list), mail('c', list)) };
    expect(await namesIn({ ...files, 'almanac.yaml': 'variables: { boss: cfo@acme.com }\n' })).toEqual([]);
  });

  test('a file that may not change keeps its lists', async () => {
    const files = {
      [file]: sourceOf(mail('a', two), mail('b', two), mail('c', two)),
      'schedules/other.yaml': sourceOf(mail('d', two), mail('e', two), mail('f', two)),
    };
    expect((await runStage(foldAudiences, files)).folds).toHaveLength(2);
    expect((await runStage(foldAudiences, files, [file])).folds).toHaveLength(1);
  });
});
