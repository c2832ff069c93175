// Runs almanac. Its output goes to the log line by line, without secrets. A signal for this process goes on to it: an apply
// that is interrupted finishes its request and writes the state first.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Refusal } from './inputs.mjs';

/** Characters of the log that are kept to report a failure. */
const keptOfLog = 200_000;

/** A signal came: nothing more is started. */
let isStopped = false;

/** Of the package that holds this action: both have one version, and no file of a checkout is run. */
const program = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url));

/**
 * Runs almanac in the folder `cwd`, with the variables of this process but those that are `withheld`. `own` variables come
 * before them, and undefined removes one. With `capture`, stdout is returned instead of logged. Resolves to the exit code,
 * stdout, and the end of the log.
 */
export function runAlmanac(args, { cwd, env: own = {}, withheld, redact, capture = false }) {
  if (!existsSync(program))
    throw new Refusal('The action came without its program. Take it from the package: docs/ci-github.md shows how.');
  if (isStopped) throw new Refusal('The job was stopped, so nothing more was started.');
  const variables = Object.entries({ ...process.env, ...own });
  const env = Object.fromEntries(variables.filter(([name, value]) => value !== undefined && !withheld(name)));
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, log] = ['', ''];
    const show = (line) => {
      const shown = `${redact(line)}\n`;
      log = (log + shown).slice(-keptOfLog);
      process.stdout.write(shown);
    };
    const ends = [
      capture
        ? eachText(child.stdout, (text) => {
            stdout += text;
          })
        : eachLine(child.stdout, show),
      eachLine(child.stderr, show),
    ];
    const forward = (signal) => {
      isStopped = true;
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
    child.once('error', (error) => fail(new Refusal(`almanac could not be started: ${error.code}.`)));
    child.once('close', async (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
      await Promise.all(ends);
      done({ code: code ?? 1, stdout, log });
    });
  });
}

async function eachText(stream, take) {
  for await (const text of stream.setEncoding('utf8')) take(text);
}

async function eachLine(stream, take) {
  let open = '';
  await eachText(stream, (text) => {
    const lines = (open + text).split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  if (open !== '') take(open);
}
