// What drift found, as Markdown for a job summary or an issue: what drifted, what nobody declared, and what to do about
// either. An issue has a limit (GitHub's is 65,536 characters), so details are dropped before rows.

import type { DriftDocument, UntrackedSchedule } from '../../model/plan/drift-document.ts';
import { planFindings } from '../../model/plan/plan-findings.ts';
import { declaredWords, untrackedCountWords } from '../plan/drift-text.ts';
import { foldDrift } from '../plan/folds/fold-changes.ts';
import { driftDetails, driftLine } from '../plan/markdown/markdown-drift.ts';
import { countedLines, diagnosticLine, section } from '../plan/markdown/markdown-parts.ts';
import { placeWords } from '../plan/plan-headline.ts';
import { commentLimit, fitFolds, makeBudget, reserve } from '../text/comment-budget.ts';
import { countList, countOf } from '../text/count-words.ts';
import type { CronWords } from '../text/cron-text.ts';
import { markdownCode as code, markdownFence, markdownProse } from '../text/escape-markdown.ts';
import { inEnvironment } from '../text/hint-text.ts';
import {
  asDeclaredWords,
  type BesideDrift,
  notComparedWords,
  secretsNotComparedWords,
  waysOutOfDrift,
} from './drift-report.ts';
import { importCommand, untrackedByDashboard } from './untracked-text.ts';
import { notWrittenEntries, writtenEntries } from './written-text.ts';

export interface DriftMarkdownOptions extends BesideDrift {
  readonly cron: CronWords;
  /** The most characters; not less than 8,000. */
  readonly limit?: number;
}

/** Ends with a newline. */
export function renderDriftMarkdown(
  document: DriftDocument,
  { cron, limit = commentLimit, ...beside }: DriftMarkdownOptions,
): string {
  const { untrackedCount = 0, environment } = beside;
  const say = (words: string) => inEnvironment(words, environment);
  const { drift, changes, untracked = [] } = document;
  const budget = makeBudget(limit - reserve);
  const head = budget.spend([
    `## Almanac drift: ${headlineWords(document)}`,
    `${placeWords(document, code)}.`,
    ...(drift.length === 0 ? [] : [waysOutOfDrift(document, beside).map(say).map(markdownProse).join(' ')]),
  ]);
  const share = Math.floor(limit / 4);
  const notWritten = budget.fit(notWrittenRows(document), Math.floor(limit / 8));
  const written = budget.fit(writtenRows(document), Math.floor(limit / 8));
  const folded = foldDrift(drift);
  const drifted = budget.fit(folded.map(driftLine), share);
  const rows = budget.fit(untracked.map(rowOf), share);
  const commands = budget.fit(commandsFor(document).map(say), Math.floor(limit / 8));
  const findings = planFindings(document);
  const counted = budget.fit(countedLines(findings, 'drift'), Math.floor(limit / 12));
  const said = budget.fit(findings.shown.map(diagnosticLine), Math.floor(limit / 12));
  const places = new Map(changes.map((change) => [change.address, declaredWords(change)]));
  const placeOf = (address: string) => places.get(address) ?? '';
  const details = fitFolds(budget, folded, (each, room) => driftDetails(each, { cron, room }, placeOf));
  const cut = countList([
    [drifted.cut, 'drifted'],
    [notWritten.cut + written.cut, 'rows of what was written or not'],
    [details.cut, 'times the details of a resource'],
    [details.names, 'names of resources that drifted alike'],
    [rows.cut, 'untracked'],
    [said.cut + counted.cut, 'lines about findings'],
  ]);
  const parts = [
    ...head,
    section('Not written', notWritten.kept),
    section('Written into the source files', written.kept),
    section('Changed outside of Almanac', drifted.kept),
    ...details.kept,
    section('Untracked', rows.kept.length === 0 ? [] : [...tableHead, ...rows.kept]),
    commands.kept.length === 0 ? '' : `To declare them:\n\n${markdownFence('console', commands.kept)}`,
    section('Findings', [...said.kept, ...counted.kept]),
    ...[
      asDeclaredWords(document, beside),
      notComparedWords(document),
      secretsNotComparedWords(document),
      untrackedCountWords(untrackedCount),
    ]
      .map(say)
      .map(markdownProse),
    cut === ''
      ? ''
      : `> **This is not everything.** Left out because of its length: ${cut}. ${say('`almanac drift --untracked`')} prints all of it.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function writtenRows({ written = [] }: DriftDocument): readonly string[] {
  return writtenEntries(written).map((entry) => `- ${code(entry)}`);
}

function notWrittenRows({ notWritten = [] }: DriftDocument): readonly string[] {
  return notWrittenEntries(notWritten).map(
    ({ words, names }) => `- ${names.map((name) => code(name)).join('; ')}. ${markdownProse(words)}`,
  );
}

function headlineWords({ drift, untracked = [] }: DriftDocument): string {
  const drifted = drift.length === 0 ? 'none' : countOf(drift.length, 'resource');
  return untracked.length === 0 ? drifted : `${drifted}, ${countOf(untracked.length, 'untracked schedule')}`;
}

const tableHead = ['| schedule | dashboard | owner | last run | id |', '|---|---|---|---|---|'];

function rowOf({ id, name, identifier, dashboardName, owner, lastRunAt }: UntrackedSchedule): string {
  const dashboard = [identifier, dashboardName].flatMap((text) => (text === undefined ? [] : [code(text)])).join(' ');
  const cells = [cell(name), dashboard, cell(owner), lastRunAt === undefined ? 'never' : code(lastRunAt), code(id)];
  return `| ${cells.join(' | ')} |`;
}

function cell(text: string | undefined): string {
  return text === undefined ? '' : code(text);
}

function commandsFor(document: DriftDocument): readonly string[] {
  return [...untrackedByDashboard(document).keys()].flatMap((identifier) => importCommand(identifier) ?? []);
}
