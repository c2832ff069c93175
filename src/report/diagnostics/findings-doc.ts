// What one command found, for every report: one by one, with a count of what is not shown and the command that lists it. How
// a terminal, a comment or a machine format prints it stands there.

import type { Snippet } from '../../declare/load/shown-sources.ts';
import { countKinds } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { countList, countOf, inBackticks } from '../../model/values/words.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import { code, type Doc, type Finding, joined, type Words } from '../doc.ts';
import { fileAndLine } from '../text/words.ts';
import type { FoldedFindings } from './fold-findings.ts';

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
      ...counted.map(({ count }) => ({ finding, more: { count, command: of.listedBy } })),
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

/** The report in which findings are counted. */
export interface FindingsReport {
  /** The command that lists everything that this report found. */
  readonly listedBy: string;
  /** What findings that a plan counts as elsewhere are about. */
  readonly elsewhere?: string;
}

export const declarationFindings: FindingsReport = { listedBy: command('validate', '-v') };

export const findingsOfPlan: FindingsReport = {
  listedBy: command('plan', '-v'),
  elsewhere: 'resources that this plan does not change',
};

interface CountedFindings {
  readonly words: string;
  readonly command: string;
}

/** `of`: the report that does not list them. Those of a code that is listed in part are not among them. */
function countedFindings(
  { besideErrors, stopped, elsewhere, finished }: FoldedFindings,
  of: FindingsReport,
): readonly CountedFindings[] {
  const besideErrorsWords = countList([
    [besideErrors.warnings, besideErrors.warnings === 1 ? 'warning' : 'warnings'],
    [besideErrors.notes, besideErrors.notes === 1 ? 'note' : 'notes'],
  ]);
  const counts = [
    { count: besideErrorsWords.length, words: `${besideErrorsWords} not listed`, command: of.listedBy },
    {
      count: stopped.length,
      words: `${countKinds(stopped)} ${stopped.length === 1 ? 'is' : 'are'} stopped by Omni`,
      command: command('status'),
    },
    { count: elsewhere, words: `${countOf(elsewhere, 'finding')} about ${of.elsewhere}`, command: of.listedBy },
    {
      count: finished,
      words: countOf(finished, 'entry has taken effect', 'entries have taken effect'),
      command: command('fmt', '--prune'),
    },
  ];
  return counts.filter(({ count }) => count > 0);
}

/** With the other places that it is about, for reports that have no room of their own for them. */
export function messageWithPlaces(diagnostic: Diagnostic): string {
  return messageWithHint({ ...diagnostic, message: [diagnostic.message, ...relatedWords(diagnostic)].join('\n') });
}

/** `schedules/sales.yaml:9: \`schedule\` of \`schedules.sales\` uses this value.` */
function relatedWords({ related = [] }: Diagnostic): readonly string[] {
  return related.map((each) => `${fileAndLine(each)}: ${each.message}`);
}

export function messageWithHint({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message}\n\nHint: ${hint}`;
}
