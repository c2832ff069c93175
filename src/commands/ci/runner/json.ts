// Parses JSON that another program wrote.

/** The value of a text that another program wrote; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
