// A name in a sentence: between backticks, which reports show as code. As in Markdown, a name that holds backticks stands
// between more of them.

export function inBackticks(name: string): string {
  const runs = name.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${name}\``;
  const marks = '`'.repeat(1 + Math.max(...runs.map(({ length }) => length)));
  const space = /^`|`$/.test(name) ? ' ' : '';
  return `${marks}${space}${name}${space}${marks}`;
}
