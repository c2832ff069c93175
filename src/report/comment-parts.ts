// A report that is longer than one comment, in parts: what does not fit into one comment is in the next, and nothing is
// left out. Sections are divided between their lines.

export interface Section {
  /** Above its lines, in each part that has some of them. */
  readonly before?: readonly string[];
  /** None of them is divided, so one that is too long makes a part too long. */
  readonly lines: readonly string[];
  /** Below its lines, in each part that has some of them. */
  readonly after?: readonly string[];
}

/** A line between two parts, which readers do not see. No text of a report can be such a line. */
export const nextComment = '<!-- almanac:next-comment -->';

/** The parts of at most `limit` characters. */
export function commentParts(sections: readonly Section[], limit: number): readonly string[] {
  const parts: string[] = [];
  let blocks: string[] = [];
  let used = 0;
  const endPart = () => {
    parts.push(blocks.join('\n\n'));
    blocks = [];
    used = 0;
  };
  for (const { before = [], lines, after = [] } of sections) {
    let held: string[] = [];
    const block = () => [...before, ...held, ...after].join('\n');
    const around = [...before, ...after].reduce((sum, line) => sum + line.length + 1, 2);
    let size = around;
    for (const line of lines) {
      if (used + size + line.length + 1 > limit && blocks.length + held.length > 0) {
        if (held.length > 0) blocks.push(block());
        endPart();
        held = [];
        size = around;
      }
      held.push(line);
      size += line.length + 1;
    }
    if (held.length > 0) {
      blocks.push(block());
      used += size;
    }
  }
  endPart();
  return parts;
}
