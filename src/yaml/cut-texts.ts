// Texts that end before a `#` which was probably a part of them: `name: Report #1` is `Report`, and a filter value `Store #5`
// lets the rows of other stores through.

import { isPair, isScalar, isSeq, type Node, type Scalar, visit } from 'yaml';
import { fieldsDeciding } from '../model/fields/fields.ts';
import { inDoubleQuotes } from '../model/values/unseen.ts';
import { inBackticks, shortText } from '../model/values/words.ts';
import type { Finding, SourceFile } from '../model/workspace/diagnostic.ts';
import { parseYaml } from './yaml-documents.ts';

export function cutTexts(file: SourceFile): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { document } of parseYaml(file).documents)
    visit(document, {
      Scalar: (key, node, path) => {
        if (key === 'key' || node.type !== 'PLAIN' || !isText(path)) return;
        const finding = cutText(node, file);
        if (finding !== undefined) findings.push(finding);
      },
    });
  return findings;
}

/** The texts of deliveries, and the one that people read in Omni alone. */
const texts: ReadonlySet<unknown> = new Set([...fieldsDeciding('text'), 'description']);

/** True if people read it, or rows are compared with it. */
function isText(path: readonly unknown[]): boolean {
  const [above, listed] = [path.at(-1), path.at(-2)];
  return isPair(above)
    ? texts.has(nameOf(above.key))
    : isSeq(above) && isPair(listed) && nameOf(listed.key) === 'values';
}

function nameOf(key: unknown): unknown {
  return isScalar(key) ? key.value : undefined;
}

function cutText(
  { range, source = '' }: Scalar & Pick<Node, 'range'>,
  { path, text }: SourceFile,
): Finding | undefined {
  const from = range?.[1] ?? text.length;
  const lineEnd = text.indexOf('\n', from);
  const rest = text.slice(from, lineEnd < 0 ? text.length : lineEnd).trimEnd();
  if (!/^[ \t]+#[^\s#]/.test(rest)) return undefined;
  const whole = `${source}${rest}`;
  return {
    code: 'odd-text',
    message: `An unquoted \`#\` after a blank begins a comment, so the text is ${inBackticks(shortText(source))}.`,
    hint: `If the rest belongs to it, write ${inBackticks(inDoubleQuotes(shortText(whole)))}.`,
    place: { file: path, span: { start: from + rest.indexOf('#'), end: from + rest.length } },
  };
}
