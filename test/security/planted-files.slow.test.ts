// Files in a commit that look as if a run had left them here. Such a file is a journal, a lock, a saved plan, a list of
// reviewed changes, or what an import has read.

import { expect, it } from 'vitest';
import { renderJournalLine } from '../../src/state/format/parse-journal.ts';
import { git } from '../support/action/repository.ts';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openWorld, type World } from '../support/world.ts';

/** The header continues the state, and the outcome gives a foreign id to a tracked schedule. */
const forged = (state: { lineage: string; serial: number; baseUrl: string; salt: string }) => {
  const at = '2026-01-01T00:00:00.000Z';
  const { lineage, serial, baseUrl, salt } = state;
  return [
    { type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion: '0.1.0' } as const,
    {
      type: 'intent',
      seq: 1,
      kind: 'request',
      address: 'schedules.weekly',
      action: 'replace',
      attributes: weekly,
      at,
    } as const,
    { type: 'outcome', seq: 1, status: 'applied', id: '99999999-ffff-4fff-8fff-ffffffffffff', at } as const,
  ]
    .map(renderJournalLine)
    .join('');
};

async function appliedInGit(...initial: readonly string[]) {
  const stage = await openWorld({ schedules: { weekly } });
  git(stage.path, 'init', '-q', ...initial);
  await stage.apply();
  return stage;
}

it.each([
  ['2', []],
  ['4', []],
  ['2', ['--object-format=sha256']],
] as const)('a journal that git tracks is never replayed (index version %s, init %j)', async (version, initial) => {
  const stage = await appliedInGit(...initial);
  git(stage.path, 'config', 'index.version', version);
  stage.write({ 'almanac.state.json.journal': forged(stage.state()), 'another-file': '', 'schedules/zz': '' });
  git(stage.path, 'add', '-A');
  for (const command of ['plan', 'apply --auto-approve', 'state list']) {
    await expectRefused(
      stage,
      command,
      'almanac.state.json.journal cannot be read: git tracks it',
      'git rm -f almanac.state.json.journal',
      'git rm --cached almanac.state.json.journal',
    );
  }
  git(stage.path, 'rm', '-q', '-f', 'almanac.state.json.journal');
  expect((await stage.plan()).changes).toEqual([]);
});

it('a journal that git does not track is folded as before', async () => {
  const stage = await appliedInGit();
  git(stage.path, 'add', 'schedules');
  stage.write({ 'almanac.state.json.journal': forged(stage.state()) });
  expect((await stage.run('plan')).code).toBe(0);
});

it('a journal in a workspace below the root of the repository is refused as well', async () => {
  const stage = await openWorld({ 'team/almanac.yaml': {}, 'team/schedules/all.yaml': { schedules: { weekly } } });
  git(stage.path, 'init', '-q');
  await stage.apply('-C', 'team');
  stage.write({ 'team/almanac.state.json.journal': forged(JSON.parse(stage.read('team/almanac.state.json'))) });
  git(stage.path, 'add', '-A');
  await expectRefused(stage, '-C team plan', 'git tracks it');
});

it('a journal that is a link is refused', async () => {
  const stage = await appliedInGit();
  stage.write({ planted: forged(stage.state()) });
  stage.link('planted', 'almanac.state.json.journal');
  await expectRefused(stage, 'plan', 'it is a link; Almanac never creates one');
});

it.each<[what: string, name: string, make: (world: World) => unknown, commands: readonly string[], words: string]>([
  [
    'a lock',
    'almanac.state.json.lock',
    ({ write }) => write({ 'almanac.state.json.lock': '{}' }),
    ['plan', 'apply --auto-approve'],
    'git rm -f almanac.state.json.lock',
  ],
  [
    'a saved plan',
    'almanac.plan.json',
    ({ run }) => run('plan --out almanac.plan.json'),
    ['apply --auto-approve almanac.plan.json', 'show almanac.plan.json'],
    'almanac.plan.json is tracked by git',
  ],
  [
    'a list of reviewed changes',
    'reviewed.txt',
    ({ plan, write }) => plan().then(({ changes }) => write({ 'reviewed.txt': `${changes[0]?.digest}\n` })),
    ['apply --auto-approve --expect-changes reviewed.txt'],
    'reviewed.txt is tracked by git',
  ],
])('%s that git tracks is refused, and not what git does not track', async (_, name, make, commands, words) => {
  const world = await appliedInGit();
  world.declare({ weekly: { ...weekly, subject: 'Changed' } });
  await make(world);
  git(world.path, 'add', '-f', name);
  for (const command of commands) await expectRefused(world, command, words);
  git(world.path, 'rm', '-q', ...(name.endsWith('.lock') ? ['-f'] : ['--cached']), name);
  expect(await world.run(commands[0] ?? '')).toMatchObject({ code: 0 });
});

const answersOf = (baseUrl: string) =>
  [
    { type: 'header', version: 1, baseUrl, identifiers: [] },
    { type: 'listed', id: '', answer: [] },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

it.each([
  ['.almanac-recipients.json', 'who --online --resume'],
  ['.almanac-import.json', 'import --resume'],
])(
  'what git tracks as %s, or what is a link, is no answer of Omni, and nothing is written through it',
  async (name, command) => {
    const stage = await appliedInGit();
    const { baseUrl } = stage;
    stage.write({ [name]: answersOf(baseUrl) });
    git(stage.path, 'add', '-f', name);
    await expectRefused(
      stage,
      command,
      `${name} is tracked by git, so anybody who can commit may have written it`,
      `git rm -f ${name}`,
    );
    git(stage.path, 'rm', '-q', '-f', name);
    stage.write({ planted: answersOf(baseUrl) });
    stage.link('planted', name);
    await expectRefused(stage, command, `${name} cannot be read: it is a link; Almanac never creates one`);
    await expectRefused(stage, command.replace(' --resume', ''), `${name} cannot be read: it is a link`);
    expect(stage.read('planted')).toBe(answersOf(baseUrl));
  },
);
