// The dangers of a plan, first of all: the graver marked with two signs and the colour of errors, or in a frame.

import type { Danger, DangerCode } from '../../model/plan/danger.ts';
import { maxListed } from '../../model/values/words.ts';
import { type Block, code, type Doc, section } from '../doc.ts';

/** Up to this many items of a danger are shown, so that the next danger is not far below; with -v all of them. */
const maxNamed = 10;

/**
 * The items of these have a row or a line of their own below, or a name behind a fold, so a terminal names few.
 * Recipients and places are listed nowhere else.
 */
const shownBelow: ReadonlySet<DangerCode> = new Set([
  'replaced',
  'orphaned',
  'paused',
  'resumed',
  'deleted',
  'blocked',
  'unresolved',
  'forgotten',
]);

export function dangerDoc(dangers: readonly Danger[]): Block {
  const ofGravity = (gravity: Danger['gravity']): Block => {
    const found = dangers.filter((danger) => danger.gravity === gravity);
    return found.length > 0 && { frame: gravity, of: found.map(dangerItem) };
  };
  return section('Look at this first', [ofGravity('grave'), ofGravity('caution')]);
}

function dangerItem({ code: kind, gravity, title, items }: Danger): Block {
  const below: Doc = [
    {
      list: items.map(({ subject, detail }) => [code(subject), detail !== undefined && [' (', detail, ')']]),
      most: maxNamed,
      ...(shownBelow.has(kind) ? { mostInTerminal: maxListed } : { names: items.map(({ subject }) => code(subject)) }),
    },
  ];
  // A yellow title cannot be read on a white background, so only its mark is.
  return gravity === 'grave'
    ? { mark: ['  ', { role: 'error', of: '!! ' }], of: { role: 'error', of: title }, below }
    : { mark: ['  ', { role: 'warning', of: '!' }, '  '], of: { role: 'strong', of: title }, below };
}
