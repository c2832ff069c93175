// What happened on GitHub, as the runner hands it to a step.

import { readFileSync } from 'node:fs';

/** {} where there is none. */
export function readEvent(path = process.env.GITHUB_EVENT_PATH) {
  try {
    return JSON.parse(readFileSync(path ?? '', 'utf8')) ?? {};
  } catch {
    return {};
  }
}

export function isCommit(text) {
  return /^[0-9a-f]{40,64}$/.test(text ?? '');
}
