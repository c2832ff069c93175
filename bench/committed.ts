// The committed figures: bench/figures.json for `--check`, and the same in docs/performance.md for people.

import { readFile, writeFile } from 'node:fs/promises';
import { isFigure, type Row } from './figure.ts';
import { tableMarkdown } from './table.ts';

const file = 'bench/figures.json';
const page = 'docs/performance.md';

/** Groups are measured together or one by one. */
export interface Committed {
  readonly [group: string]: { readonly machine: string; readonly rows: readonly Row[] };
}

export async function readCommitted(): Promise<Committed> {
  return JSON.parse(await readFile(file, 'utf8')) as Committed;
}

/** `order` are the groups as the table has them. Those that were not measured now stay as they are. */
export async function writeCommitted(measured: Committed, order: readonly string[]): Promise<void> {
  const all = { ...(await readCommitted()), ...measured };
  const known = order.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
  const committed: Committed = Object.fromEntries(known);
  await writeFile(file, `${JSON.stringify(committed, null, 2)}\n`);
  await writeFile(page, withFigures(await readFile(page, 'utf8'), committed));
}

/** The page with these figures between its two markers. */
export function withFigures(text: string, committed: Committed): string {
  const [begin, end] = ['<!-- figures -->\n', '<!-- end of figures -->'];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${page} has no markers for the figures`);
  return `${text.slice(0, from + begin.length)}\n${figuresMarkdown(committed)}\n${text.slice(to)}`;
}

function figuresMarkdown(committed: Committed): string {
  const groups = Object.entries(committed);
  const measured = groups.filter(([, { rows }]) => rows.some(isFigure));
  const machines = [...new Set(measured.map(([, { machine }]) => machine))];
  const lines = machines.map((machine) => {
    const names = measured.filter(([, group]) => group.machine === machine).map(([name]) => `\`${name}\``);
    return `- ${names.join(', ')}: ${machine}\n`;
  });
  return `${tableMarkdown(groups.flatMap(([, { rows }]) => rows))}\nMeasured on:\n\n${lines.join('')}`;
}
