// A URL parsed without throwing. URL.canParse is no help: on Node 20 it refuses letters such as ü once it is compiled.

export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
