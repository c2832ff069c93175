// Finds almanac and runs it. Its output goes to the log line by line, without secrets. Meanwhile the runner does not
// interpret lines as workflow commands: a name in a declaration may start with `::`.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { Refusal } from './inputs.mjs';

/** Variables that the runner sets for a step and that Almanac does not need. */
const withheld =
  /^(?:GITHUB_(?:TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|GH_TOKEN|ACTIONS_.*|ALMANAC_[A-Z_]+|INPUT_.*)$/;
/** Characters of the log that are kept to report a failure. */
const keptOfLog = 200_000;

/** almanac from node_modules, in the workspace's folder or its parents up to the checkout, or else from the PATH. */
export function findProgram({ path, checkout }, env = process.env) {
  for (let folder = path; ; folder = dirname(folder)) {
    const program = join(folder, 'node_modules', '.bin', 'almanac');
    if (isProgram(program)) return program;
    if (folder === checkout || folder === dirname(folder)) break;
  }
  const found = (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'almanac'))
    .find(isProgram);
  if (found === undefined)
    throw new Refusal(
      'almanac is neither in node_modules nor on the PATH. Install it in an earlier step, for example with npm ci.',
    );
  return found;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs almanac in the folder. With `capture`, stdout is returned instead of logged. Resolves to the exit code (128 and
 * more for a signal), stdout, and the end of the log.
 */
export function runProgram({ program, args, cwd, redact, capture = false, write = toStdout }) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.test(name)));
  const pause = randomUUID();
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, log] = ['', ''];
    const show = (line) => {
      const shown = `${redact(line)}\n`;
      log = (log + shown).slice(-keptOfLog);
      write(shown);
    };
    write(`::stop-commands::${pause}\n`);
    const ends = [
      capture
        ? eachText(child.stdout, (text) => {
            stdout += text;
          })
        : eachLine(child.stdout, show),
      eachLine(child.stderr, show),
    ];
    const resume = () => write(`::${pause}::\n`);
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
    child.once('error', (error) => {
      resume();
      fail(new Refusal(`almanac could not be started: ${error.code}.`));
    });
    child.once('close', async (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
      await Promise.all(ends);
      resume();
      done({ code: code ?? 1, stdout, log });
    });
  });
}

function toStdout(text) {
  process.stdout.write(text);
}

async function eachText(stream, take) {
  const decoder = new StringDecoder('utf8');
  for await (const chunk of stream) take(decoder.write(chunk));
  take(decoder.end());
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
