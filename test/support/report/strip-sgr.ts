// A coloured text without its colours.

export function stripSgr(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR begins with one
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys or hides, but for the line end
export const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
