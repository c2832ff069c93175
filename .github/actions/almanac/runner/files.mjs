// The files through which a step communicates with the runner, and the messages that the runner shows.

import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { cutMarkdown, inBytes } from '../comments/markdown.mjs';
import { escapeData } from './secrets.mjs';

/** GitHub allows 1024 KiB per step, and drops a longer summary completely. */
const summaryLimit = 1_000_000;

/** A value may contain anything, including line breaks. */
export function setOutputs({ env: { GITHUB_OUTPUT: file } }, outputs) {
  if (!file) return;
  for (const [name, value] of Object.entries(outputs)) {
    const end = `end_${randomUUID()}`;
    appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`);
  }
}

export function addToSummary({ env: { GITHUB_STEP_SUMMARY: file } }, markdown) {
  if (!file) return;
  const left = summaryLimit - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (left < 1_000) return;
  const words = 'The rest is in the log, and in the files that the step names in its outputs.';
  appendFileSync(file, `${cutMarkdown(markdown, { limit: left - 1, words, sizeOf: inBytes })}\n`);
}

/** `level` is error, warning or notice. */
export function annotate(step, level, message) {
  step.say(`::${level} title=Almanac::${escapeData(message)}\n`);
}
