// The findings of one command, for every report: one by one, or counted. The count names the command that lists the
// rest. Printers decide the form for a terminal, a comment or a machine format.

import type { Snippet } from '../../declare/load/shown-sources.ts';
import { countKinds } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { countList, countOf, inBackticks } from '../../model/values/words.ts';
import type { Severity } from '../../model/workspace/codes.ts';
import type { Diagnostic, DiagnosticReport } from '../../model/workspace/diagnostic.ts';
import { code, type Doc, type Finding, joined, type Words } from '../doc.ts';
import { fileAndLine } from '../text/words.ts';
import type { FoldedFindings } from './fold-findings.ts';

/** Hidden findings of a code are counted after the last one shown, and all others at the end. */
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

/** Words for an item of a list. */
export function findingWords({ finding, more }: Finding): Words {
  const { severity, code: name, message, file } = finding;
  const level: Words = { role: severity, of: severity };
  if (more !== undefined) return [level, ` ${more.count} more `, code(name), ': ', code(more.command)];
  const place = file !== undefined && [' in ', code(fileAndLine(finding))];
  return [level, ' ', code(name), place, ': ', joined([message, ...relatedWords(finding)], ' ')];
}

export interface FindingsReport {
  readonly listedBy: string;
  /** The subject of findings that a plan counts as elsewhere. */
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

/** `of` is the report that does not list them. Findings of a code that is listed in part are not included. */
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

/** Adds the other places of a finding, for reports without a place for them. */
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

/** `2 errors, 1 warning, 3 accepted in 14 files`, without a line end: the sources, and other files with findings. */
export function renderDiagnosticsSummary({
  diagnostics,
  files,
}: Pick<DiagnosticReport, 'diagnostics' | 'files'>): string {
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  const count = (severity: Severity) => open.filter((each) => each.severity === severity).length;
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const found = count(severity);
    return found === 0 ? [] : [countOf(found, severity)];
  });
  const accepted = diagnostics.length - open.length;
  const parts = [
    counts.length === 0 ? 'No errors' : counts.join(', '),
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
  ];
  const all = new Set([...files, ...diagnostics.flatMap(({ file }) => file ?? [])]);
  return `${parts.join(', ')} in ${countOf(all.size, 'file')}`;
}
