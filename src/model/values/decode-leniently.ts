// A part of a URL without its percent signs.

/** The text itself where a percent sign encodes nothing. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
