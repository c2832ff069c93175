// The programs that a job finds on its PATH. Each records how it was called. npm links a package with the
// given program instead of installing one, and npx runs it; git is the real one, which also records
// what it starts itself.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WorkspaceFolder } from '../workspace.ts';

export interface JobPrograms {
  readonly environment: Readonly<Record<string, string>>;
  /** The command lines of all jobs, one a line. */
  calls(): string;
}

export function writePrograms(folder: WorkspaceFolder, packageName: string, program: string): JobPrograms {
  const linked = join(folder.path, 'package');
  mkdirSync(join(linked, 'dist'), { recursive: true });
  symlinkSync(resolve(program), join(linked, 'dist', 'cli.cjs'));
  const [calls, trace] = [join(folder.path, 'calls'), join(folder.path, 'git-trace')];
  const record = `#!/bin/sh\nprintf '%s ' "\${0##*/}" "$@" >> '${calls}'; echo >> '${calls}'\n`;
  const programs = {
    git: `exec '${realPath('git')}' "$@"`,
    node: `exec '${process.execPath}' "$@"`,
    npm: `[ "$1 $2" = "ci --ignore-scripts" ] || exit 9
modules="\${4:-.}/node_modules/${packageName}"
[ -f "\${4:-.}/package.json" ] || { echo "npm: no package.json"; exit 1; }
mkdir -p "\${modules%/*}" && ln -sfn '${linked}' "$modules"`,
    npx: `[ "$1" = --prefix ] && shift 2
[ "$1 $2 $3" = "--no -- almanac" ] || exit 9
shift 3; exec '${process.execPath}' '${resolve(program)}' "$@"`,
  };
  for (const [name, script] of Object.entries(programs)) {
    folder.write({ [`bin/${name}`]: `${record}${script}\n` });
    chmodSync(join(folder.path, 'bin', name), 0o755);
  }
  return {
    environment: { PATH: `${join(folder.path, 'bin')}:${process.env['PATH']}`, GIT_TRACE: trace },
    calls: () => [calls, trace].map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('\n'),
  };
}

function realPath(program: string): string {
  return spawnSync('bash', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
}
