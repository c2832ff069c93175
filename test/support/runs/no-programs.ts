// Fails a test file of `npm test` that starts a program. Such a file is called `*.slow.test.ts`.

import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const starting = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const;

function refuse(program: unknown): never {
  throw new Error(`This test starts a program, ${String(program)}, so its file is called NAME.slow.test.ts.`);
}

for (const name of starting) Object.assign(childProcess, { [name]: refuse });
syncBuiltinESMExports();
