/** The value of a text that another program wrote; undefined if it is not JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
