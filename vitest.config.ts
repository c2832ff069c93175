// `npm test` runs every test file but those called `*.slow.test.ts`; `npm run test:all`, which is Vitest's mode `all`, runs
// them too: what starts a program, git, a browser, PostgreSQL or S3, or needs the build.

import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/runs/slow-first.ts';

const slow = 'test/**/*.slow.test.ts';
const fixedSeed = 'test/support/runs/fixed-seed.ts';
const executed = process.env['ALMANAC_EXECUTED'] === undefined ? [] : ['test/support/runs/executed.ts'];
const setupFiles = [
  fixedSeed,
  'test/support/runs/no-programs.ts',
  'test/support/runs/cheap-fingerprints.ts',
  ...executed,
];
/** They replace a module, which another file of the same worker may have loaded before. */
const mocking = ['test/cron/second-opinion.test.ts', 'test/apply/worked-out-once.test.ts'];

export default defineConfig(({ mode }) => {
  // Vitest reads this file again for each project, then without the mode; the workers have the environment.
  process.env['ALMANAC_TESTS'] ??= mode === 'all' ? 'all' : 'quick';
  const isAll = process.env['ALMANAC_TESTS'] === 'all';
  const quick = { name: 'quick', include: ['test/**/*.test.ts'], setupFiles, isolate: false };
  return {
    test: {
      globalSetup: ['test/support/runs/temporary-folder.ts'],
      maxWorkers: availableParallelism(),
      // A test hangs after so long; one that starts programs takes a minute on a machine whose cores are in use.
      // ALMANAC_RUNS asks for more values of each property.
      testTimeout: 240_000 * Math.max(1, Number(process.env['ALMANAC_RUNS'] ?? 1)),
      hookTimeout: 240_000,
      sequence: { sequencer: SlowFirst },
      // What Vite made of a file is kept for the next run, which takes a third off the time of two folders.
      experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
      projects: [
        ...(isAll
          ? [{ extends: true as const, test: { name: 'slow', include: [slow], setupFiles: [fixedSeed] } }]
          : []),
        { extends: true, test: { name: 'mocking', include: mocking, setupFiles } },
        { extends: true, test: { ...quick, exclude: [...configDefaults.exclude, slow, ...mocking] } },
      ],
    },
  };
});
