// JSON that another program wrote, or that may be missing or damaged.

import { readFileSync } from 'node:fs';

/** Undefined if it is not JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined if there is no such file, or if it is not JSON. */
export function readJson(path) {
  try {
    return parsed(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
