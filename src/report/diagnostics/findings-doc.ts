// What was found while a plan was made, for a comment or a page.

import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { type Block, code, item, joined, section, type Words } from '../doc.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { countedFindings, listsAll } from './counted-findings.ts';
import type { FoldedFindings } from './fold-findings.ts';
import { relatedWords } from './message-with-hint.ts';

/** What was found while a plan was made, for a comment or a page: one by one, and a count of what is not shown. */
export function findingsDoc(findings: FoldedFindings, of: 'plan' | 'drift', { hasHints = false } = {}): Block {
  const { shown, more } = findings;
  const all = code(listsAll[of]);
  return section('Findings', [
    ...shown.map((each) => item(findingWords(each), [hasHints && each.hint !== undefined && `Hint: ${each.hint}`])),
    ...more.map(({ severity, code: name, count }) =>
      item([severityOf(severity), ` ${count} more `, code(name), ': ', all]),
    ),
    ...countedFindings(findings, of).map(({ words, command }) => item([words, ': ', code(command)])),
  ]);
}

function findingWords(diagnostic: Diagnostic): Words {
  const { severity, code: name, message, file } = diagnostic;
  const place = file !== undefined && [' in ', code(fileAndLine(diagnostic))];
  return [severityOf(severity), ' ', code(name), place, ': ', joined([message, ...relatedWords(diagnostic)], ' ')];
}

function severityOf(severity: Diagnostic['severity']): Words {
  return { role: severity, of: severity };
}
