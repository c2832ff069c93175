// Runs a program. Its output goes to the log line by line, without secrets. A signal for this process goes on to the
// program: an apply that is interrupted finishes its request and writes the state first.

import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { Refusal } from './inputs.mjs';

/** Characters of the log that are kept to report a failure. */
const keptOfLog = 200_000;

/** With `capture`, stdout is returned instead of logged. Resolves to the exit code, stdout, and the end of the log. */
export function runChild([command, ...args], { cwd, env, redact, capture = false, write = toStdout }) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, log] = ['', ''];
    const show = (line) => {
      const shown = `${redact(line)}\n`;
      log = (log + shown).slice(-keptOfLog);
      write(shown);
    };
    const ends = [
      capture
        ? eachText(child.stdout, (text) => {
            stdout += text;
          })
        : eachLine(child.stdout, show),
      eachLine(child.stderr, show),
    ];
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
    child.once('error', (error) => fail(new Refusal(`almanac could not be started: ${error.code}.`)));
    child.once('close', async (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
      await Promise.all(ends);
      done({ code: code ?? 1, stdout, log });
    });
  });
}

export function toStdout(text) {
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
