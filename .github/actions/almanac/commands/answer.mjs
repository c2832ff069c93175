// What almanac prints with --format json, and the words of its errors.

/** Undefined where it is not JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function errorText({ message, hint }) {
  return hint === undefined ? String(message) : `${message}\n${hint}`;
}
