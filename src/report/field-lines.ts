// The lines of fields, in one line if it fits: `+ name: "Weekly sales" # a comment`. Otherwise the parts are below each
// other. No line is wider than the page, except for parts that must stay whole.

import { largest } from '../model/values/collections.ts';
import type { Block, Field, FieldRow, Sign, Words } from './doc.ts';
import { displayWidth, pad, wrap } from './text/terminal-text.ts';
import type { Role } from './text/theme.ts';

export interface FieldLine {
  /** The columns before the sign. */
  readonly column: number;
  readonly sign: Sign | undefined;
  readonly of: Words;
}

export type Fields = Extract<Block, { readonly fields: readonly Field[] }>;

/** The column of a field's sign; its label begins two columns later. */
const fieldColumn = 6;
const detailColumn = 10;

export const signRoles: Readonly<Record<Sign, Role | undefined>> = {
  '+': 'added',
  '-': 'removed',
  '~': 'changed',
  ' ': undefined,
};

export function fieldLines({ fields, hidden }: Fields, width: number): readonly FieldLine[] {
  // As wide as the widest, but a very long one does not push all values away.
  const widths = fields.map(({ label }) => displayWidth(label)).filter((each) => each <= Math.floor(width / 3));
  const labelWidth = largest(widths, 2);
  const lines = fields.flatMap((field) => linesOfField(field, labelWidth, width));
  const rest: FieldLine = { column: fieldColumn + 2, sign: undefined, of: { role: 'dim', of: `# ${hidden}` } };
  return hidden === undefined ? lines : [...lines, rest];
}

function linesOfField(field: Field, labelWidth: number, width: number): readonly FieldLine[] {
  const { sign, values, rows, comments = [], isDim } = field;
  const below = comments.flatMap((text) => rowLines({ sign: '#', text }, width));
  const value = values.join(' -> ');
  const name = `${field.label}:`;
  const needed = rows === undefined ? displayWidth(name) : Math.max(labelWidth, displayWidth(field.label)) + 1;
  const room = width - fieldColumn - 2 - displayWidth(value) - 1;
  if (values.length === 0 || needed > room)
    return [...labelLines(field, width), ...(rows ?? stacked(values)).flatMap((row) => rowLines(row, width)), ...below];
  // A value that fits only out of line with the others still stays on the line of its label.
  const label = labelWidth < room ? pad(name, labelWidth + 1) : name;
  const [only = '', ...others] = comments;
  const isBeside = only !== '' && others.length === 0 && displayWidth(only) + 4 <= room - displayWidth(label);
  const words: Words = [`${label} `, colouredValues(field), isBeside && ['  ', { role: 'dim', of: `# ${only}` }]];
  const line = { column: fieldColumn, sign, of: isDim ? ({ role: 'dim', of: words } as const) : words };
  return isBeside ? [line] : [line, ...below];
}

/** If there are two values, the old one is removed and the new one added. */
function colouredValues({ sign, values, showsDifference }: Field): Words {
  const [first = '', second] = values;
  if (second !== undefined) return [{ role: 'removed', of: first }, ' -> ', { role: 'added', of: second }];
  const role = showsDifference ? signRoles[sign] : undefined;
  return role === undefined ? first : { role, of: first };
}

function stacked([first = '', second]: Field['values']): readonly FieldRow[] {
  if (second === undefined) return [{ sign: undefined, text: first }];
  return [
    { sign: '-', text: first },
    { sign: '+', text: second },
  ];
}

/** `+ recipients:` alone, above the rows. */
function labelLines({ sign, label }: Field, width: number): readonly FieldLine[] {
  const lines = wrap(`${label}:`, width - fieldColumn - 2);
  return lines.map((of, index) => ({ column: fieldColumn, sign: index === 0 ? sign : ' ', of }));
}

/** An element of a list, a line of a text or a remark, below its field. */
function rowLines({ sign, text }: FieldRow, width: number): readonly FieldLine[] {
  const column = detailColumn;
  if (sign === undefined) return wrap(text, width - column).map((of) => ({ column, sign: undefined, of }));
  if (sign === '#')
    return wrap(text, width - column - 2).map((line) => ({
      column,
      sign: undefined,
      of: { role: 'dim', of: `# ${line}` },
    }));
  const role = signRoles[sign];
  return wrap(text, width - column - 2).map((line, index) => ({
    column,
    sign: index === 0 ? sign : ' ',
    of: role === undefined ? line : { role, of: line },
  }));
}
