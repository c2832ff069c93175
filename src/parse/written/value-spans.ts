// Where the keys and values of a YAML file are written: what lies outside of them is a comment.

import { isScalar, visit } from 'yaml';
import type { Span } from '../../model/workspace/diagnostic.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parseYaml } from '../yaml-documents.ts';

/** Of the readable documents. Undefined where a document is not readable. */
export function valueSpans(file: SourceFile): readonly Span[] | undefined {
  const { documents, findings } = parseYaml(file);
  if (findings.length > 0) return undefined;
  const spans: Span[] = [];
  for (const { document } of documents) {
    visit(document, (_, node) => {
      if (isScalar(node) && node.range) spans.push({ start: node.range[0], end: node.range[1] });
    });
  }
  return spans;
}
