// What was found while a plan was made, in HTML: a card for each finding, and one that counts the others.

import type { PlanDocument } from '../../../model/plan/plan.ts';
import type { Severity } from '../../../model/workspace/codes.ts';
import type { FoldedFindings } from '../../../model/workspace/fold-findings.ts';
import { countedFindings, listsAll } from '../../text/elsewhere-words.ts';
import { htmlCode, htmlProse } from '../../text/escape-html.ts';
import { fileAndLine } from '../../text/file-and-line.ts';
import { relatedWords } from '../../text/message-with-hint.ts';

export function findingCards(findings: FoldedFindings): readonly string[] {
  const { shown, more } = findings;
  const counts = [
    ...more.map(({ severity, code, count }) => ({
      words: `${badge(severity)} ${count} more ${htmlCode(code)}`,
      command: listsAll.plan,
    })),
    ...countedFindings(findings, 'plan'),
  ];
  const lines = counts.map(({ words, command }) => `<p>${words}: ${htmlCode(command)}</p>`);
  return [...shown.map(diagnosticCard), ...(lines.length === 0 ? [] : [`<div class="card">${lines.join('')}</div>`])];
}

function badge(severity: Severity): string {
  const role = severity === 'error' ? 'blocked' : severity === 'warning' ? 'update' : 'move';
  return `<span class="badge ${role}">${severity}</span>`;
}

function diagnosticCard(diagnostic: PlanDocument['diagnostics'][number]): string {
  const { severity, code: name, message, hint, file } = diagnostic;
  const place = file === undefined ? '' : ` in ${htmlCode(fileAndLine(diagnostic))}`;
  const way = hint === undefined ? '' : `<p class="quiet">Hint: ${htmlProse(hint)}</p>`;
  const words = [message, ...relatedWords(diagnostic)].map((text) => `<p>${htmlProse(text)}</p>`).join('');
  return `<div class="card"><p>${badge(severity)} ${htmlCode(name)}${place}</p>${words}${way}</div>`;
}
