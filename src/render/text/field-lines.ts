// The layout of one field: `+ name: "Weekly sales"  # a comment` on one line if it fits, otherwise its parts below each
// other. No line is wider than the page, except for parts that must stay whole.

import { displayWidth, pad, wrap } from './terminal-text.ts';
import type { Role, Theme } from './theme.ts';

export interface Page {
  readonly theme: Theme;
  /** Columns, for what is wrapped. */
  readonly width: number;
  /** Columns for a line that would be cut instead: endless where no terminal has an edge. As `width` where it is left out. */
  readonly room?: number;
  /** Nothing is folded: what many have in common is listed for each of them. */
  readonly showsAll?: boolean;
}

export type Sign = '+' | '-' | '~' | ' ';

/** The column of a field's sign; its label begins two columns later. */
export const fieldColumn = 6;
/** The column of the details below a field. */
export const detailColumn = 10;

const signRoles: Readonly<Record<Sign, Role | undefined>> = {
  '+': 'added',
  '-': 'removed',
  '~': 'changed',
  ' ': undefined,
};

export interface ValueRow {
  readonly sign: Sign;
  readonly label: string;
  /** The width to which the labels of a block are padded. */
  readonly labelWidth: number;
  /** One value, or before and after. */
  readonly values: readonly [string] | readonly [string, string];
  readonly comments?: readonly string[];
  /** A value that comes or goes has the colour of the sign; where everything does, only the sign has it. */
  readonly showsDifference?: boolean;
}

export function valueLines(page: Page, row: ValueRow): readonly string[] {
  const comments = row.comments ?? [];
  const below = comments.flatMap((text) => commentLines(page, text));
  const value = row.values.join(' -> ');
  const room = page.width - fieldColumn - 2 - displayWidth(value) - 1;
  const name = `${row.label}:`;
  if (displayWidth(name) > room) return [...stackedLines(page, row), ...below];
  // A value that fits only out of line with the others still stays on the line of its label.
  const label = row.labelWidth < room ? pad(name, row.labelWidth + 1) : name;
  const left = room - displayWidth(label);
  const margin = ' '.repeat(fieldColumn);
  const line = `${margin}${signText(page, row.sign)} ${label} ${colouredValues(page, row).join(' -> ')}`;
  const [only = '', ...others] = comments;
  const isBeside = only !== '' && others.length === 0 && displayWidth(only) + 4 <= left;
  return isBeside ? [`${line}  ${page.theme.dim(`# ${only}`)}`] : [line, ...below];
}

/** Of two values the old one as removed and the new one as added. */
function colouredValues({ theme }: Page, { sign, values, showsDifference }: ValueRow): readonly string[] {
  const [first, second] = values;
  if (second !== undefined) return [theme.removed(first), theme.added(second)];
  const role = showsDifference ? signRoles[sign] : undefined;
  return [role === undefined ? first : theme[role](first)];
}

function stackedLines(page: Page, { sign, label, values }: ValueRow): readonly string[] {
  const [first, second] = values;
  const below =
    second === undefined
      ? wrap(first, page.width, ' '.repeat(detailColumn))
      : [...signedLines(page, '-', first), ...signedLines(page, '+', second)];
  return [...labelLines(page, sign, label), ...below];
}

/** `+ recipients:` alone, for what is shown below it. */
export function labelLines(page: Page, sign: Sign, label: string): readonly string[] {
  const lines = wrap(`${label}:`, page.width - fieldColumn - 2);
  const margin = ' '.repeat(fieldColumn);
  return lines.map((line, index) => `${margin}${index === 0 ? signText(page, sign) : ' '} ${line}`);
}

/** An element of a list, or a line of a text, with its sign, below its field. */
export function signedLines(page: Page, sign: Sign, text: string): readonly string[] {
  const role = signRoles[sign];
  const margin = ' '.repeat(detailColumn);
  return wrap(text, page.width - detailColumn - 2).map((line, index) => {
    const signed = `${index === 0 ? sign : ' '} ${line}`.trimEnd();
    return signed === '' ? '' : margin + (role === undefined ? signed : page.theme[role](signed));
  });
}

/** `# …`, dim, below a field. */
export function commentLines(page: Page, text: string, column = detailColumn): readonly string[] {
  return hangingLines(page, '# ', text, { role: 'dim', column });
}

/** A text behind a mark, wrapped with its further lines under its first word. A comment is one on each of its lines. */
export function hangingLines(
  page: Page,
  mark: string,
  text: string,
  options: { readonly role: Role; readonly column: number },
): readonly string[] {
  const margin = ' '.repeat(options.column);
  const lines = wrap(text, page.width - options.column - displayWidth(mark));
  const hanging = mark === '# ' ? mark : ' '.repeat(displayWidth(mark));
  return lines.map((line, index) => {
    const marked = (index === 0 ? mark : hanging) + line;
    return margin + page.theme[options.role](marked);
  });
}

function signText({ theme }: Page, sign: Sign): string {
  const role = signRoles[sign];
  return role === undefined ? sign : theme[role](sign);
}
