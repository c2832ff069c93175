// Sources that are links or lie behind one. A commit can bring such a link to a file with credentials, which a
// diagnostic would quote, or to a file that is no source, which `fmt` would rewrite.

import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { inOneLine } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const credential = 'extraheader = AUTHORIZATION: basic c2VjcmV0\n  [schedules: weekly';
const sources = { 'schedules/all.yaml': { schedules: { weekly } } };

const commands = [
  ['validate'],
  ['validate', '--format', 'sarif'],
  ['plan'],
  ['plan', '--env', 'prod'],
  ['plan', '--format', 'markdown'],
  ['apply', '--auto-approve'],
  ['fmt'],
  ['fmt', '--prune'],
  ['fold'],
  ['drift', '--write'],
  ['offboard', 'ana@example.com', '--write'],
  ['who'],
  ['import'],
  ['show', '--resolved', 'schedules.weekly'],
  ['next'],
];

/** What a command says of the link, and nothing of what is behind it. */
async function expectRefused(stage: World, argv: readonly string[], name: string): Promise<void> {
  const ran = await stage.run(...argv);
  const said = inOneLine(ran.stdout + ran.stderr);
  const command = `${argv.join(' ')}: ${said}`;
  expect(ran.code, command).toBe(1);
  expect(said, command).toContain('symbolic link');
  expect(said, command).toContain(name);
  expect(said, command).not.toContain('AUTHORIZATION');
}

/** Moves what is at a path elsewhere in the repository, and leaves a link in its place. */
function replaceByLink(stage: World, path: string): void {
  const elsewhere = join(stage.path, 'elsewhere', path);
  mkdirSync(dirname(elsewhere), { recursive: true });
  renameSync(join(stage.path, path), elsewhere);
  symlinkSync(elsewhere, join(stage.path, path));
}

it('a source that is a link is refused by every command, and what is behind it is neither shown nor written', async () => {
  const stage = await openWorld({ ...sources, '.git/config': credential });
  const { api } = JSON.parse(stage.read('almanac.yaml'));
  stage.write({ 'almanac.yaml': { api, environments: { prod: {} } } });
  stage.link('../.git/config', 'schedules/x.yaml');
  for (const argv of commands) await expectRefused(stage, argv, 'schedules/x.yaml');
  await expectRefused(stage, ['fmt', 'schedules/x.yaml'], 'schedules/x.yaml');
  await expectRefused(stage, ['validate', 'schedules/x.yaml'], 'schedules/x.yaml');
  expect(stage.read('.git/config')).toBe(credential);
});

it('fmt does not write a state that a source leads to', async () => {
  const stage = await openWorld(sources);
  await stage.apply();
  const state = stage.read('almanac.state.json');
  stage.link('../almanac.state.json', 'schedules/s.yaml');
  await expectRefused(stage, ['fmt'], 'schedules/s.yaml');
  expect(stage.read('almanac.state.json')).toBe(state);
});

it.each(['schedules', 'schedules/team'])('the linked folder %s is refused by every command', async (folder) => {
  const stage = await openWorld({
    'schedules/readme.txt': '',
    'schedules/team/all.yaml': { schedules: { weekly } },
    '.git/config': credential,
  });
  const { api } = JSON.parse(stage.read('almanac.yaml'));
  stage.write({ 'almanac.yaml': { api, environments: { prod: {} } } });
  replaceByLink(stage, folder);
  for (const argv of commands) await expectRefused(stage, argv, folder);
  for (const path of [folder, 'schedules/team/all.yaml']) await expectRefused(stage, ['fmt', path], folder);
});

it('an almanac.yaml that is a link is refused by every command', async () => {
  const stage = await openWorld({ ...sources, '.git/config': credential });
  replaceByLink(stage, 'almanac.yaml');
  for (const argv of commands.filter((each) => !each.includes('--env'))) {
    await expectRefused(stage, argv, 'almanac.yaml');
  }
  await expectRefused(stage, ['plan', '--config', 'almanac.yaml'], 'almanac.yaml');
  stage.link('.git/config', 'other.yaml');
  await expectRefused(stage, ['plan', '--config', 'other.yaml'], 'other.yaml');
});

it('an almanac.yaml that is a link to a folder does not hide behind the one above', async () => {
  const stage = await openWorld({ ...sources, 'team/schedules/all.yaml': {}, 'elsewhere/x': '' });
  stage.link('../elsewhere', 'team/almanac.yaml');
  await expectRefused(stage, ['-C', 'team', 'validate'], 'almanac.yaml');
});

it('init and import write nothing through a link', async () => {
  const stage = await openWorld({ ...sources, 'target/keep': '', 'empty/.git/HEAD': '' });
  await stage.apply();
  stage.link('../target', 'empty/schedules');
  const init = await stage.run('-C', 'empty', 'init', '--yes', '--force');
  expect([init.code, inOneLine(init.stderr)]).toEqual([1, expect.stringContaining('is a symbolic link')]);
  stage.link('../target/new.yaml', 'empty/almanac.yaml');
  const again = await stage.run('-C', 'empty', 'init', '--yes');
  expect([again.code, inOneLine(again.stderr)]).toEqual([1, expect.stringContaining('almanac.yaml')]);
  stage.link('target', 'imported');
  await expectRefused(stage, ['import', '--out', 'imported'], 'imported');
  expect(readdirSync(join(stage.path, 'target'))).toEqual(['keep']);
});

it('links above the workspace do not count', async () => {
  const stage = await openWorld();
  const { api } = JSON.parse(stage.read('almanac.yaml'));
  stage.write({ 'real/team/almanac.yaml': { api }, 'real/team/schedules/all.yaml': { schedules: { weekly } } });
  stage.link('real', 'parent');
  stage.link('real/team', 'direct');
  for (const folder of ['parent/team', 'direct']) {
    for (const argv of [['validate'], ['plan'], ['fmt', '--check', 'schedules/all.yaml']]) {
      const ran = await stage.run('-C', folder, ...argv);
      expect(ran.stdout + ran.stderr, `${folder} ${argv.join(' ')}`).not.toContain('symbolic link');
    }
    expect((await stage.run('validate', '--config', `${folder}/almanac.yaml`)).code, folder).toBe(0);
  }
});
