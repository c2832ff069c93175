// What git has not fetched, as findings: one for each repository and cause, with a command that can be pasted.

import { expect, it } from 'vitest';
import { load } from '../../src/declare/load/load.ts';
import type { Unfetched } from '../../src/declare/workspace.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

const files = { 'almanac.yaml': '{}', 'schedules/a.yaml': 'schedules: {}\n' };

async function foundOf(unfetched: readonly Partial<Unfetched>[], more: Readonly<Record<string, string>> = {}) {
  const parts = unfetched.map((each) => ({ name: each.path ?? '', repository: '.', kind: 'sparse', ...each }));
  const workspace = {
    ...makeMemoryWorkspace({ ...files, ...more }),
    among: async (paths: readonly string[]) => paths.filter((path) => path.startsWith('schedules/')),
    repository: () => ({ parts: async () => ({ submodules: [], unfetched: parts }) }) as never,
  };
  const { findings } = await load({ workspace, clock: makeInstantClock(0), environment: () => undefined });
  const hinted = findings.filter(({ code }) => code === 'not-fetched');
  return hinted.map(({ message, hint }) => `${message} ${hint}`);
}

it('what a sparse checkout leaves out is one finding, with the outermost folders', async () => {
  const paths = [
    'schedules/b/c/d/e.yaml',
    'schedules/b/f.yaml',
    'schedules/b c/g.yaml',
    'schedules/a.yaml',
    'x/h.yaml',
  ];
  expect(await foundOf(paths.map((path) => ({ path })))).toEqual([
    "schedules/b/c/d/e.yaml, schedules/b/f.yaml, schedules/b c/g.yaml are left out by the sparse checkout, so Almanac cannot know what the commit declares there. Run `git sparse-checkout add schedules/b 'schedules/b c'`.",
  ]);
});

it('each repository and each cause of what was not fetched has a command of its own', async () => {
  const found = await foundOf([
    { path: 'schedules/b/', name: 'b/', kind: 'submodule', repository: '..' },
    { path: 'schedules/c/x.yaml', name: 'x.yaml', kind: 'patterns', repository: 'schedules/c' },
    { path: 'schedules/d/y.yaml', kind: 'skipped' },
    { path: 'schedules/e`/', name: 'e`', kind: 'submodule' },
    { path: 'schedules/f/-x.yaml', name: '-x.yaml', kind: 'skipped', repository: 'schedules/f' },
  ]);
  expect(found.map((words) => words.slice(words.indexOf('Run')))).toEqual([
    'Run `git -C .. submodule update --init b/`. In CI, let the checkout fetch submodules.',
    'Run `git -C schedules/c sparse-checkout add /x.yaml`.',
    'Run `git update-index --no-skip-worktree schedules/d/y.yaml`, then `git restore schedules/d/y.yaml`.',
    "Run ``git submodule update --init 'e`'``. In CI, let the checkout fetch submodules.",
    'Run `git -C schedules/f update-index --no-skip-worktree -- -x.yaml`, then `git -C schedules/f restore -- -x.yaml`.',
  ]);
});

const oid = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393';

it('a file that only looks like what was not fetched is not named', async () => {
  expect(await foundOf([{ path: 'schedules/a.yaml' }, { path: 'texts/a.md' }])).toEqual([]);
  expect(await foundOf([], { 'schedules/a.yaml': `# oid sha256:${oid}\nschedules: {}\n` })).toEqual([]);
});
