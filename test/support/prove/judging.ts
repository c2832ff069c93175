// Judges the files of one tile, as texts, for a receiver of the table.

import { judgeTile, type TileJudgement } from '../../../src/commands/prove/judge-tile.ts';
import { openTable, readSheet, type Sheet } from '../../../src/commands/prove/read-sheet.ts';
import type { TileQuery } from '../../../src/model/service/documents.ts';

export interface Scene {
  /** Undefined: Omni does not say what the tile asks for. */
  readonly query: TileQuery | undefined;
  /** With the filter, for North Pine. */
  readonly own: string;
  /** With a value that nobody has. */
  readonly nobody: string;
  /** A row of South Oak. */
  readonly other: string;
  /** What is expected where `other` cannot simply be appended: the file of the same tile that has it. */
  readonly withOther?: string;
  readonly dividing?: readonly string[];
  readonly values?: readonly string[];
}

export const [theirs, others] = ['North Pine', 'South Oak'];
export const values = [theirs, others, 'East Elm'];

export function judged(
  own: string,
  nobody: string,
  { query, dividing = ['customers.name'], values: shows = values }: Pick<Scene, 'query' | 'dividing' | 'values'>,
  waived: readonly string[] = [],
): TileJudgement {
  const reading = { query, dividing, table: openTable(new Set(shows)) };
  const sheetOf = (text: string): Sheet => {
    const sheet = readSheet(Buffer.from(text), reading);
    if (typeof sheet === 'string') throw new Error(`The file is ${sheet}.`);
    return sheet;
  };
  return judgeTile({
    ...reading,
    own: sheetOf(own),
    withNobody: [sheetOf(nobody)],
    maySee: new Set([shows[0] ?? '']),
    isWaived: (head) => waived.includes(head),
    mostRows: undefined,
  });
}
