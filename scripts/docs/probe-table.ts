// The statements of a probe in docs/probe.md: a table generated from their rows, placed between markers.

import { type Statement, statements } from '../../src/commands/doctor/probe/statements.ts';

export function statementsTable(): string {
  const rows = Object.entries<Statement>(statements).map(([id, { words, source, requests, needs }]) => {
    const option = needs === undefined ? '' : ` (\`--${needs}\`)`;
    const asked = requests.map((each) => `\`${each}\``).join(', ');
    return `| \`${id}\`${option} | ${words} | ${asked} | ${source} |\n`;
  });
  return ['| statement | what Almanac relies on | requests | source |\n', '|---|---|---|---|\n', ...rows].join('');
}
