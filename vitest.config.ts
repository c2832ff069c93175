// All tests but those of the browser. `npm run test:fast` runs the two projects `fast` and `fast-isolated`; what takes
// long is in `slow`: properties, large inputs, and tests that start programs or run the sessions of the docs.

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/runs/longest-first.ts';

const all = 'test/**/*.test.ts';
const browser = 'test/browser/**';
const slow = [
  'test/property/**/*.test.ts',
  'test/**/*.{property,oracle,scale}.test.ts',
  'test/{action,cli,docs,gitlab}/**/*.test.ts',
  'test/adapters/postgres-log*.test.ts',
  'test/demo.test.ts',
  'test/schemas/editor.test.ts',
];
/** They replace a module, which another file of the same worker may have loaded before. */
const mocking = ['test/cron/coming-runs.test.ts', 'test/engine/worked-out-once.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/runs/fast-temporary-folder.ts'],
    setupFiles: ['test/support/runs/fixed-seed.ts'],
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'slow', include: slow } },
      { extends: true, test: { name: 'fast-isolated', include: mocking } },
      {
        extends: true,
        test: { name: 'fast', include: [all], exclude: [browser, ...slow, ...mocking], isolate: false },
      },
    ],
  },
});
