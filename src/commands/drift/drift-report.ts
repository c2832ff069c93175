// What drift found: what others changed, what nobody declared, what was written into the source files, what to do about
// each, and how far it looked.

import type { DriftDocument } from '../../model/plan/drift-document.ts';
import { countOf } from '../../model/values/words.ts';
import { findingsDoc } from '../../report/diagnostics/findings-doc.ts';
import { type Block, type Doc, part, section, strong } from '../../report/doc.ts';
import { dangerDoc } from '../../report/plan/danger-report.ts';
import { driftDoc } from '../../report/plan/drift-report.ts';
import { placeWords } from '../../report/plan/plan-counts.ts';
import { planFindings } from '../../report/plan/plan-findings.ts';
import { printCut } from '../../report/print-markdown.ts';
import { printText } from '../../report/print-text.ts';
import type { Page } from '../../report/text/theme.ts';
import type { Wording } from '../../report/wording.ts';
import { type BesideDrift, foundWords, ignoredWords, noDriftWords, notSeen, waysOut } from './drift-words.ts';
import { untrackedDoc } from './untracked-doc.ts';
import { writtenDoc } from './written-doc.ts';

/** For a terminal, whose last lines are seen first. Ends with a newline. */
export function renderDriftText(document: DriftDocument, page: Page, beside: BesideDrift = {}): string {
  const { drift, untracked } = document;
  const found =
    drift.length === 0
      ? [strong(noDriftWords(document, beside))]
      : [strong(`Drift: ${countOf(drift.length, 'resource')}.`), waysOut(document, beside)];
  const isAsked = page.showsAll || untracked !== undefined;
  return printText(
    [
      gravest(document),
      ...bodyOf(document),
      part(...found, ...notSeen(document, beside), isAsked && ignoredWords(document)),
    ],
    page,
  );
}

export interface DriftMarkdownOptions extends BesideDrift {
  /** The most characters; not less than 8,000. */
  readonly limit?: number;
  readonly wording?: Wording | undefined;
}

/** For a job summary or an issue, where details are left out before rows. Ends with a newline. */
export function renderDriftMarkdown(
  document: DriftDocument,
  { limit, wording, ...beside }: DriftMarkdownOptions = {},
): string {
  const again = ['almanac drift', beside.isDeep && '--deep', document.untracked && '--untracked', '-v'];
  return printCut(
    [
      { heading: `Almanac drift: ${foundWords(document, beside)}` },
      [placeWords(document), '.'],
      gravest(document),
      document.drift.length > 0 && waysOut(document, beside),
      ...bodyOf(document),
      section('Findings', findingsDoc(planFindings(document), 'drift')),
      ...notSeen(document, beside),
    ],
    { limit, wording, all: `\`${again.filter(Boolean).join(' ')}\`` },
  );
}

/** Other dangers are those of a plan, which a look is not. */
function gravest({ dangers }: DriftDocument): Block {
  return dangerDoc(dangers.filter(({ code: kind }) => kind === 'filter-gone'));
}

/** What is not written first: somebody has to do it. */
function bodyOf(document: DriftDocument): Doc {
  const { written = [], notWritten = [], untracked = [] } = document;
  return [...writtenDoc(written, notWritten), driftDoc(document, true), ...untrackedDoc(untracked, document.baseUrl)];
}
