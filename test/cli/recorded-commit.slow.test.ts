// Which commits a state names: each command that writes a state, in each position of the checkout. Git is real.

import { cpSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { commitAll, gitIn } from '../support/git.ts';
import { hook, mail } from '../support/vocabulary.ts';
import { makeFolder, type Workspace, workspaceIn } from '../support/workspace.ts';
import { openWorld, type World } from '../support/world.ts';

const file = (key: string, more = {}) => ({
  [`schedules/${key}.yaml`]: { schedules: { [key]: mail({ name: key, ...more }) } },
});
const [earlier, now, pushed] = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(40)];

/** A workspace whose first commit was applied whole, in CI, with its state in a file that git ignores. */
async function applied() {
  const path = `${process.env['PATH']}`;
  const secret = hook({ name: 'hook', url: 'https://hooks.example.com/${env.KEY}' });
  const environment = { PATH: path, HOME: makeFolder().path, GITHUB_SHA: earlier, KEY: 'first' };
  const world = await openWorld(
    { ...file('a'), ...file('b'), 'schedules/hook.yaml': { schedules: { secret } } },
    { environment },
  );
  const git = gitIn(world.path);
  git('init', '-q');
  const commit = (files: Readonly<Record<string, unknown>>) => {
    world.write(files);
    return commitAll(git);
  };
  const first = commit({ '.gitignore': 'almanac.state.json*\n.almanac*\n' });
  expect((await world.run('apply', '--auto-approve')).code).toBe(0);
  expect(world.state()).toMatchObject({ checkout: first, commit: earlier });
  world.environment['GITHUB_SHA'] = now;
  const rewrite = (change: (state: State) => object) =>
    world.write({ 'almanac.state.json': change(world.state() as State) });
  return {
    world,
    git,
    commit,
    first,
    rewrite,
    name: (checkout: string) => rewrite((state) => ({ ...state, checkout })),
  };
}

type Applied = Awaited<ReturnType<typeof applied>>;

type Folder = ReturnType<typeof makeFolder>;

/** Each leaves the checkout in a position; a folder is that of another clone. */
const positions: Readonly<Record<string, (made: Applied) => Folder | undefined>> = {
  equal: () => undefined,
  ahead: ({ commit }) => {
    commit({ 'README.md': 'Reports' });
    return undefined;
  },
  behind: ({ commit, name, git, first }) => {
    name(commit({ 'README.md': 'Reports' }));
    git('checkout', '-q', first);
    return undefined;
  },
  diverged: ({ commit, name, git, first }) => {
    name(commit({ 'README.md': 'Reports' }));
    git('checkout', '-q', '-b', 'mine', first);
    commit({ 'README.md': 'Mine' });
    return undefined;
  },
  shallow: ({ world, git, commit }) => {
    commit({ 'README.md': 'Reports' });
    const folder = makeFolder();
    git('clone', '-q', '--depth', '1', `file://${world.path}`, folder.path);
    folder.write({ 'almanac.state.json': world.read('almanac.state.json') });
    return folder;
  },
  unknown: ({ name }) => {
    name('f'.repeat(40));
    return undefined;
  },
  unnamed: ({ rewrite }) => {
    rewrite(({ checkout: _, ...rest }) => rest);
    return undefined;
  },
  'no git': ({ world: { environment } }) => {
    Object.assign(environment, { PATH: '/nowhere' });
    return undefined;
  },
};

type Writer = (here: Workspace, made: Applied) => Promise<{ readonly code: number }>;

const apply =
  (...options: readonly string[]): Writer =>
  ({ run }) =>
    run('apply', '--auto-approve', ...options);
const stateText = ({ read }: Workspace) => JSON.parse(read('almanac.state.json')) as State;
const open = { action: 'trigger', address: 'schedules.a', since: '2026-03-01T00:00:00.000Z' };
const orphan = {
  id: '00000000-0000-4000-8000-000000000001',
  address: 'schedules.x',
  identifier: 'x',
  name: 'X',
  since: open.since,
};

const writers: Readonly<Record<string, Writer>> = {
  'an apply of everything': (here, made) => {
    here.write(file('a', { subject: 'New' }));
    return apply()(here, made);
  },
  'an apply of a part': (here, made) => {
    here.write(file('a', { subject: 'New' }));
    return apply('--target', 'schedules.a')(here, made);
  },
  'an apply that leaves something': async (here, made) => {
    here.write({ ...file('a', { subject: 'New' }), ...file('b', { subject: 'New' }) });
    made.world.change('b', (fields) => Object.assign(fields, { schedule: '0 7 ? * MON *' }));
    expect(await apply()(here, made)).toMatchObject({ code: 1 });
    return { code: stateText(here).resources['schedules.a']?.attributes['subject'] === 'New' ? 0 : 1 };
  },
  'an adoption': (here, made) => {
    const id = made.world.makeByHand(mail({ name: 'hand' }));
    here.write({ ...file('hand'), 'schedules/adopt.yaml': { adopt: [{ to: 'schedules.hand', id }] } });
    return apply()(here, made);
  },
  'a rotation': (here, made) => {
    here.environment['KEY'] = 'second';
    return apply()(here, made);
  },
  'an import': (here, made) => {
    made.world.makeByHand(mail({ name: 'hand' }));
    return here.run('import', '--write-state');
  },
  'an import of what is declared': (here) => {
    const { resources, ...rest } = stateText(here);
    const { 'schedules.b': _, ...others } = resources;
    here.write({ 'almanac.state.json': { ...rest, resources: others } });
    return here.run('import', '--write-state');
  },
  'state rm': ({ run }) => run('state', 'rm', 'schedules.b'),
  'state mv': ({ run }) => run('state', 'mv', 'schedules.b', 'schedules.c'),
  'state resolve': (here) => {
    here.write({ 'almanac.state.json': { ...stateText(here), unresolved: [open] } });
    return here.run('state', 'resolve', 'schedules.a', '--done');
  },
  'state orphans': (here) => {
    here.write({ 'almanac.state.json': { ...stateText(here), orphans: [orphan] } });
    return here.run('state', 'orphans', '--clear', orphan.id);
  },
  'state push': (here) => {
    const state = stateText(here);
    here.write({ 'pushed.json': { ...state, serial: state.serial + 1, checkout: pushed, commit: pushed } });
    return here.run('state', 'push', 'pushed.json');
  },
};

const applies = ['an apply of everything', 'an adoption', 'a rotation'];
const imports = ['an import', 'an import of what is declared'];
const repairs = ['state rm', 'state mv', 'state resolve', 'state orphans'];

/** What becomes of `checkout` and of `commit`: the one of this run, the one before, or all is refused. */
function expected(writer: string, position: string): string {
  if (writer === 'state push') return 'pushed, pushed';
  // An adoption sends nothing, so it takes nothing back.
  if (position === 'behind' && !imports.includes(writer))
    return writer === 'an adoption' ? 'before, before' : 'refused';
  // A plan of the files where the lines parted has the new value as well, so the other line may have brought it.
  if (position === 'diverged' && writer === 'a rotation') return 'refused';
  if (repairs.includes(writer)) return 'before, before';
  const holds = ['equal', 'ahead'].includes(position);
  const isAll = position === 'shallow' && !imports.includes(writer) && writer !== 'an apply of a part';
  const ends = applies.includes(writer) && !['diverged', 'unknown'].includes(position);
  return `${holds || isAll ? 'here' : 'before'}, ${ends ? 'here' : 'before'}`;
}

/** What the folder, the variables and the service hold: a function that gives each of them that again. */
function keep({ path, environment }: Workspace, { emulator }: World): () => void {
  const kept = makeFolder().path;
  cpSync(path, kept, { recursive: true });
  const [variables, data] = [{ ...environment }, emulator.data()];
  return () => {
    rmSync(path, { recursive: true });
    cpSync(kept, path, { recursive: true });
    for (const name of Object.keys(environment)) delete environment[name];
    Object.assign(environment, variables);
    emulator.edit((now) => void Object.assign(now, structuredClone(data)));
  };
}

describe('a state names the commit that lies there, and the one up to which all is applied', () => {
  it.each(Object.keys(positions))(
    'in a checkout whose position is: %s',
    async (position) => {
      const found: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      const made = await applied();
      const other = positions[position]?.(made);
      const before = made.world.state() as State;
      const here: Workspace = other === undefined ? made.world : workspaceIn(other, made.world.environment);
      const head = gitIn(here.path)('rev-parse', 'HEAD');
      const putBack = keep(here, made.world);
      for (const [writer, write] of Object.entries(writers)) {
        putBack();
        const { code } = await write(here, made);
        const { checkout, commit } = stateText(here);
        const words = (each: string | undefined, names: Readonly<Record<string, string | undefined>>) =>
          Object.entries(names).find(([, name]) => name === each)?.[0];
        const isRefused = code !== 0 && checkout === before.checkout && commit === before.commit;
        found[writer] = isRefused
          ? 'refused'
          : `${words(checkout, { before: before.checkout, here: head, pushed })}, ${words(commit, { before: before.commit, here: now, pushed })}`;
        wanted[writer] =
          position === 'equal' ? expected(writer, position).replace(/^here/, 'before') : expected(writer, position);
      }
      expect(found).toEqual(wanted);
    },
    120_000,
  );
});
