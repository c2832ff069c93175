// Words that the summaries and comments of several commands share.

import { code, fence } from '../comments/markdown.mjs';

/** Characters of the log that a failure shows. */
const shownOfLog = 8_000;

/** Names the workspace, because a run may have several. */
export function workspaceWords({ environment, folder }) {
  const words = [
    ...(environment === '' ? [] : [`Environment ${code(environment)}`]),
    ...(folder.name === '.' ? [] : [`workspace ${code(folder.name)}`]),
  ];
  return words.length === 0 ? '' : `${words.join(', ')}\n\n`;
}

export function failureWords(what, { exitCode, log }, run) {
  const end = log.length > shownOfLog ? `…\n${log.slice(-shownOfLog)}` : log;
  return `## almanac ${what} failed\n\n${workspaceWords(run)}It ended with exit code ${exitCode}.\n\n${fence(end)}`;
}

/** Says what stopped almanac, also as an annotation where it named an `error`. Returns the exit code of the step. */
export function reportFailure(run, what, { exitCode, log, error }) {
  const words = error === undefined ? '' : errorText(error);
  if (words !== '') run.annotate('error', words);
  run.addToSummary(failureWords(what, { exitCode, log: `${log}${words}` }, run));
  return exitCode || 1;
}

/** An error or a check, as almanac prints it with --format json. */
export function errorText({ message, hint }) {
  return hint === undefined ? String(message) : `${message}\n${hint}`;
}

export function countOf(count, word) {
  return `${count} ${count === 1 ? word : `${word}s`}`;
}
