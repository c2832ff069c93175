// A drift report: changes by others, undeclared schedules, edits of source files, advice, and how far it looked.

import type { DriftDocument, DriftedField, UntrackedSchedule } from '../../model/plan/drift-document.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { importCommand } from '../../model/values/command.ts';
import { scheduleUrl } from '../../model/values/dashboard-url.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { countOf, maxListed, nameSome } from '../../model/values/words.ts';
import { findingsDoc } from '../../report/diagnostics/findings-doc.ts';
import {
  type Block,
  code,
  type Doc,
  joined,
  part,
  type ReportEntry,
  section,
  strong,
  type Words,
} from '../../report/doc.ts';
import { dangerDoc } from '../../report/plan/danger-report.ts';
import { driftDoc } from '../../report/plan/drift-report.ts';
import { placeWords } from '../../report/plan/plan-counts.ts';
import { planFindings } from '../../report/plan/plan-findings.ts';
import { printCut } from '../../report/print-markdown.ts';
import { printText } from '../../report/print-text.ts';
import { refusalsDoc } from '../../report/refusals-doc.ts';
import type { Page } from '../../report/text/theme.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { Wording } from '../../report/wording.ts';
import {
  type BesideDrift,
  findingsOfDrift,
  foundWords,
  goneIn,
  leftOutWords,
  noDriftWords,
  notSeen,
  waysOut,
} from './drift-words.ts';

/** For a terminal, whose last lines are seen first. Ends with a newline. */
export function renderDriftText(document: DriftDocument, page: Page, context: BesideDrift = {}): string {
  const { drift, untracked } = document;
  const found =
    drift.length === 0
      ? [strong(noDriftWords(document, context))]
      : [strong(`Drift: ${countOf(drift.length, 'resource')}.`), waysOut(document, context)];
  const isAsked = page.showsAll || untracked !== undefined;
  return printText(
    [
      gravest(document),
      ...bodyOf(document, page),
      part(...found, ...notSeen(document, context), ...(isAsked ? leftOutWords(document) : [])),
    ],
    page,
  );
}

interface DriftMarkdownOptions extends BesideDrift {
  /** The maximum number of characters; at least 8,000. */
  readonly limit?: number;
  readonly wording?: Wording | undefined;
}

/** For a job summary or an issue, where details are left out before rows. Ends with a newline. */
export function renderDriftMarkdown(
  document: DriftDocument,
  { limit, wording, ...context }: DriftMarkdownOptions = {},
): string {
  const of = findingsOfDrift(document, context);
  return printCut(
    [
      { heading: `Almanac drift: ${foundWords(document, context)}` },
      [placeWords(document), '.'],
      (document.noState !== undefined || document.foundNone) &&
        document.drift.length === 0 &&
        strong(noDriftWords(document, context)),
      gravest(document),
      document.drift.length > 0 && waysOut(document, context),
      // Text that is too long is cut by its length.
      ...bodyOf(document, { showsAll: true }),
      section('Findings', findingsDoc(planFindings(document), of)),
      ...notSeen(document, context),
      ...(document.untracked === undefined ? [] : leftOutWords(document)),
    ],
    { limit, wording, all: `\`${of.listedBy}\`` },
  );
}

/** Other dangers belong to a plan, and a look is not one. */
function gravest(document: DriftDocument): Block {
  const filters = document.dangers.filter(({ code: kind }) => kind === 'filter-gone');
  return dangerDoc([...goneIn(document), ...filters]);
}

/** Unwritten fields come first: somebody has to fix them. */
function bodyOf(document: DriftDocument, page: Pick<Page, 'showsAll'>): Doc {
  const { untracked = [] } = document;
  return [...writtenDoc(document, page), driftDoc(document, true), ...untrackedDoc(untracked, document.baseUrl)];
}

function writtenDoc({ written = [], notWritten = [] }: DriftDocument, page: Pick<Page, 'showsAll'>): Doc {
  const refused = notWritten.map(({ message, ...field }) => ({ about: [field], message }));
  const listOf = (names: readonly Words[]): Block => ({ list: names, most: maxListed, names });
  const fieldsList = (fields: readonly DriftedField[]) => [
    listOf(
      byAddress(fields).map(([address, own]) =>
        code([address, own.map(fieldName).filter(Boolean).join(', ')].filter(Boolean).join(': ')),
      ),
    ),
  ];
  const rows = byAddress(written).map(([address, fields]) => {
    const places = fields.map((field) => `${fieldName(field)} (${fileAndLine(field)})`);
    return code(`${address}: ${places.join(', ')}`);
  });
  return [
    section('Not written', refusalsDoc(refused, fieldsList, page)),
    section('Written into the source files', [listOf(rows)]),
  ];
}

function byAddress<F extends { readonly address: Address }>(
  fields: readonly F[],
): readonly (readonly [Address, readonly F[]])[] {
  return [...groupBy(fields, ({ address }) => address)];
}

function fieldName({ path }: { readonly path: string }): string {
  return pointerSegments(path)[0] ?? '';
}

/**
 * The schedules in Omni that no declaration and no state knows, and the commands that declare them. Their pages are
 * below `baseUrl`.
 */
function untrackedDoc(untracked: readonly UntrackedSchedule[], baseUrl: string | null): Doc {
  const identifiers = new Set(untracked.map(({ identifier }) => identifier));
  const commands = [...identifiers].flatMap((each) => importCommand(each) ?? []);
  const how = commands.length > 0 && part('To declare them:', { commands });
  const isRead = untracked.some(({ receivers }) => receivers !== undefined);
  const head = [...untrackedHead, ...(isRead ? ['received by'] : [])].map((title) => ({ title }));
  const entries = untracked.map((each) => untrackedEntry(each, baseUrl, isRead));
  return [section('Untracked', [{ head, entries }]), how];
}

const untrackedHead = ['schedule', 'dashboard', 'owner', 'last run', 'id'];

function untrackedEntry(
  { id, name, identifier, dashboardName, owner, lastRunAt, receivers }: UntrackedSchedule,
  baseUrl: string | null,
  isRead: boolean,
): ReportEntry {
  const url = identifier && scheduleUrl(baseUrl, identifier, id);
  const cell = (text: string | undefined): Words => text !== undefined && code(text);
  const dashboard = joined([cell(identifier), cell(dashboardName)], ' ');
  const received = receivers === undefined ? 'not told' : code(nameSome(receivers));
  return {
    cells: [
      url && name !== undefined ? { link: url, of: code(name) } : cell(name),
      dashboard,
      cell(owner),
      cell(lastRunAt) || 'never',
      code(id),
      ...(isRead ? [received] : []),
    ],
    line: joined([
      identifier !== undefined && ['dashboard ', dashboard],
      owner !== undefined && ['owner ', code(owner)],
      lastRunAt === undefined ? 'never ran' : ['last run ', code(lastRunAt)],
      ['id ', code(id)],
      receivers !== undefined && ['received by ', received],
    ]),
  };
}
