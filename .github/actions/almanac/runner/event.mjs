// What happened on GitHub, and the run that it started, as the runner hands them to a step.

import { readFileSync } from 'node:fs';

/** {} where there is none, or none that can be read. */
export function readEvent({ env }) {
  try {
    return JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8')) ?? {};
  } catch {
    return {};
  }
}

/**
 * The page of this run, '' if it is unknown. It names the attempt, so that a repeated run changes a comment: the comment is
 * then last edited by this action.
 */
export function linkToRun({ env }) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  const { GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: attempt } = env;
  if (!server || !repository || !/^\d+$/.test(run ?? '')) return '';
  const base = `${server}/${repository}/actions/runs/${run}`;
  return /^\d+$/.test(attempt ?? '') ? `${base}/attempts/${attempt}` : base;
}

export function isCommit(text) {
  return /^[0-9a-f]{40,64}$/.test(text ?? '');
}
