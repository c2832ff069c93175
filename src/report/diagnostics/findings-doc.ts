// What one command found: one by one, with a count of what is not shown.

import type { Snippet } from '../../declare/load/shown-sources.ts';
import { inBackticks } from '../../model/values/words.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { code, type Doc, type Finding, joined, type Words } from '../doc.ts';
import { fileAndLine } from '../text/file-and-line.ts';
import { countedFindings, type FindingsReport, listsAll } from './counted-findings.ts';
import type { FoldedFindings } from './fold-findings.ts';
import { relatedWords } from './message-with-hint.ts';

/** Those of a code that are not shown are counted behind the last one that is, and what else is not shown at the end. */
export function findingsDoc(
  findings: FoldedFindings,
  of: FindingsReport,
  excerptOf: (diagnostic: Diagnostic) => Snippet | undefined = () => undefined,
): Doc {
  const { shown, more } = findings;
  const last = new Map(shown.map((diagnostic) => [diagnostic.code, diagnostic]));
  const found = shown.flatMap((finding): readonly Finding[] => {
    const counted = more.filter((each) => each.code === finding.code && last.get(each.code) === finding);
    return [
      { finding, excerpt: finding.line === undefined ? undefined : excerptOf(finding) },
      ...counted.map(({ count }) => ({ finding, more: { count, command: listsAll[of] } })),
    ];
  });
  return [
    ...found,
    ...countedFindings(findings, of).map(({ words, command }) => ({
      mark: '',
      of: [words, ': ', inBackticks(command)],
    })),
  ];
}

/** As an item of a list. */
export function findingWords({ finding, more }: Finding): Words {
  const { severity, code: name, message, file } = finding;
  const level: Words = { role: severity, of: severity };
  if (more !== undefined) return [level, ` ${more.count} more `, code(name), ': ', code(more.command)];
  const place = file !== undefined && [' in ', code(fileAndLine(finding))];
  return [level, ' ', code(name), place, ': ', joined([message, ...relatedWords(finding)], ' ')];
}
