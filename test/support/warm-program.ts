// An `almanac` for other programs, which runs inside the process of the test. A small script that Node starts fast
// hands its folder, arguments and environment over, and prints what comes back. The built program spends most of a
// short run on its start. Time is that of the machine, no signal reaches the program, and it has no standard input.
// `almanac ci`, which waits for git, is the built one: a job's git may fetch from a server of the test.

import { createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/files/system.ts';
import { main } from '../../src/main.ts';
import { version } from '../../src/version.ts';
import { makeFolder, outsideIn } from './workspace.ts';

interface Call {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The path of the script, which works until the test ends. */
export function warmProgram(): string {
  const { path: home, write } = makeFolder();
  const address = join(home, 'socket');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    createInterface(socket).once('line', (line) => void carryOut(JSON.parse(line) as Call, socket));
  });
  server.listen(address);
  onTestFinished(() => void server.close());
  write({ 'cli.js': script(address) });
  return join(home, 'cli.js');
}

/** Answers with `[1, text]` for stdout, `[2, text]` for stderr, and `[0, exit code]`, each on a line. */
async function carryOut({ argv, cwd, env }: Call, socket: Socket): Promise<void> {
  const say = (...answer: readonly [number, unknown]) => void socket.write(`${JSON.stringify(answer)}\n`);
  const output = (stream: 1 | 2) => ({ write: (text: string) => say(stream, text), isTerminal: false, width: 80 });
  try {
    const world = outsideIn(cwd, env, { version, clock: systemClock, stdout: output(1), stderr: output(2) });
    say(0, await main(argv, world));
  } catch (error) {
    say(2, String(error instanceof Error ? error.stack : error));
    say(0, 70);
  }
  socket.end();
}

const script = (address: string) => `#!${process.execPath}
if (process.argv[2] === 'ci') return void require(${JSON.stringify(resolve('dist/cli.cjs'))});
const socket = require('node:net').connect(${JSON.stringify(address)});
socket.write(JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), env: process.env }) + '\\n');
let open = '';
process.exitCode = 70;
socket.setEncoding('utf8').on('data', (text) => {
  const lines = (open + text).split('\\n');
  open = lines.pop();
  for (const line of lines) {
    const [stream, said] = JSON.parse(line);
    if (stream === 0) process.exitCode = said;
    else process[stream === 1 ? 'stdout' : 'stderr'].write(said);
  }
});
`;
