// Parses a URL without throwing. Not by URL.canParse: on Node 20 its compiled form, which a process reaches after some
// thousand calls, refuses texts with letters such as ü.

export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
