// A file as it will be, with holes.

/**
 * Each further line of what is put into a hole is indented like the first; a line that consists of an empty hole is left
 * out. The line breaks after the opening quote and at the end of a hole do not count.
 */
export function text(parts: TemplateStringsArray, ...holes: readonly (string | false | undefined)[]): string {
  let written = (parts[0] ?? '').replace(/^\n/, '');
  for (const [index, hole] of holes.entries()) {
    const after = parts[index + 1] ?? '';
    const indent = /(?:^|\n)( *)$/.exec(written)?.[1];
    if (!hole && indent !== undefined && after.startsWith('\n')) {
      written = written.slice(0, written.length - indent.length) + after.slice(1);
    } else {
      written += (hole || '').trimEnd().replaceAll(/\n(?=.)/g, `\n${indent ?? ''}`) + after;
    }
  }
  return written;
}
