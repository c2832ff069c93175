import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    setupFiles: ['test/support/fixed-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
