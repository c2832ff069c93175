// Writes the outputs, the summary and the annotations of a step.

import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { cutMarkdown, inBytes } from '../comments/markdown.ts';
import type { Step } from '../step.ts';
import { escapeData } from './secrets.ts';

/** GitHub allows 1024 KiB per step, and drops a longer summary completely. */
const summaryLimit = 1_000_000;

/** A value may contain anything, including line breaks. */
export type Outputs = Readonly<Record<string, string | number | boolean>>;

export function setOutputs({ env: { GITHUB_OUTPUT: file } }: Pick<Step, 'env'>, outputs: Outputs): void {
  if (!file) return;
  for (const [name, value] of Object.entries(outputs)) {
    const end = `end_${randomUUID()}`;
    appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`);
  }
}

export function addToSummary({ env: { GITHUB_STEP_SUMMARY: file } }: Pick<Step, 'env'>, markdown: string): void {
  if (!file) return;
  const roomLeft = summaryLimit - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (roomLeft < 1_000) return;
  const words = 'The rest is in the log, and in the files that the step names in its outputs.';
  appendFileSync(file, `${cutMarkdown(markdown, { limit: roomLeft - 1, words, sizeOf: inBytes })}\n`);
}

export type Level = 'error' | 'warning' | 'notice';

export function annotate(step: Pick<Step, 'say'>, level: Level, message: string): void {
  step.say(`::${level} title=Almanac::${escapeData(message)}\n`);
}
