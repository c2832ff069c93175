// The folder of an object in S3. The service rejects path traversal but does not define it, so this check takes the
// widest view: no program on the way may read a segment as `..`, in any encoding. Names that merely contain dots
// (`a..b`, `..backup`) are allowed.

import type { FormatProblem } from '../findings/format-problem.ts';
import { decodeFully } from './decode-fully.ts';
import { quote } from './quote.ts';

// A segment ends at a slash of either kind; whatever follows a `;` (path parameters) or a control character (a text's
// end in C) is cut off; white space around it doesn't count.
const parentSegment = /(?:^|[/\\])[\s\p{White_Space}]*\.\.[\s\p{White_Space}]*(?:$|[/\\;\p{Cc}])/u;

export function checkKeyPrefix(value: string): readonly FormatProblem[] {
  const decoded = decodeFully(value);
  const found = parentSegment.exec(decoded);
  if (found === null) return [];
  const around = decoded.slice(Math.max(0, found.index - 20), found.index + 30);
  const where = parentSegment.test(value)
    ? `${quote(value)} contains`
    : `${quote(value)} can be decoded to ${quote(around)}, which contains`;
  return [
    {
      code: 'invalid-key-prefix',
      message: `${where} the segment \`..\`. The service rejects prefixes that lead out of their folder.`,
      hint: 'Write the path of the folder from the root of the bucket, such as `reports/weekly`.',
    },
  ];
}
