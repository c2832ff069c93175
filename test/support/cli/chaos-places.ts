// Places for shared states on real servers of this machine, a new one for each trial.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChaosPlace } from './chaos.ts';

export const chaosPlaces: Readonly<Record<string, () => Promise<ChaosPlace>>> = {
  git: async () => {
    const remote = mkdtempSync(join(tmpdir(), 'almanac-remote-'));
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    return {
      state: { backend: 'git', remote: pathToFileURL(remote).href },
      environment: {},
      end: async () => rmSync(remote, { recursive: true, force: true }),
    };
  },
};
