// A shell in a temporary copy of this repository's workspace, with an emulator to apply to. A command that runs `almanac`
// in the background, or ends it, finds the built program, and so does the first of a session; for the others the program
// runs in the process of the test.
// `until-begun ADDRESS` waits, for a minute at most, until the change of an address is in the journal and on its way.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { parseFault } from '../../../src/emulator/faults.ts';
import { openWarmProgram } from '../warm-program.ts';
import type { SessionKind } from './console-blocks.ts';

export interface ShellSession {
  /** What the command printed on either stream, in the order in which it did. */
  run(command: string): Promise<string>;
  close(): Promise<void>;
}

const untilBegun = `#!/bin/sh
tries=0
until grep -qs ""$1"" almanac.state.json.journal || [ $tries -ge 600 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
sleep 1
`;

const needsProcess = /(?<![&>])&(?![&\d])|kill|interrupted/;

export async function openShellSession(kind: SessionKind = { operations: 'core', faults: [] }): Promise<ShellSession> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-docs-'));
  const [workspace, programs] = [join(folder, 'workspace'), join(folder, 'bin')];
  for (const part of ['almanac.yaml', 'schedules']) await cp(part, join(workspace, part), { recursive: true });
  await mkdir(programs);
  const warm = openWarmProgram();
  const program = join(programs, 'almanac');
  const starting = (path: string) => `#!/bin/sh\nexec "${process.execPath}" "${path}" "$@"\n`;
  const [ofProcess, ofTest] = [starting(resolve('dist/cli.cjs')), starting(warm.path)];
  await writeFile(join(programs, 'until-begun'), untilBegun, { mode: 0o755 });
  let isFirst = true;
  /** What follows a program in the background runs beside it, as another process. */
  let isBeside = false;
  const emulator = createEmulator({
    rateLimit: 0,
    jobDurationMs: 2000,
    operations: kind.operations,
    faults: kind.faults.map(parseFault),
  });
  const { baseUrl, organizationKey } = await emulator.listen();
  const env = {
    PATH: [programs, process.env['PATH']].join(delimiter),
    HOME: folder,
    OMNI_BASE_URL: baseUrl,
    OMNI_API_TOKEN: organizationKey,
    SFTP_PASSWORD: 'not a secret',
    OMNI_WEBHOOK_SECRET: 'not a secret either',
  };
  return {
    run: async (command) => {
      const isOwn = isFirst || isBeside || needsProcess.test(command);
      await writeFile(program, isOwn ? ofProcess : ofTest, { mode: 0o755 });
      isBeside = needsProcess.test(command);
      isFirst &&= !/^almanac /m.test(command);
      const shell = spawn('/bin/sh', ['-c', `exec 2>&1\n${command}`], {
        cwd: workspace,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
      await once(shell, 'close');
      // A page ends its lines alike, also those of CSV.
      return output.replaceAll('\r\n', '\n');
    },
    close: async () => {
      warm.close();
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
