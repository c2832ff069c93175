// `almanac drift`: differences in Omni from what was applied, for a nightly job. Changes nothing but, with --write, the
// source files. Untracked schedules are named, but are not drift.

import { judgedAddresses } from '../../declare/rows/judge-rows.ts';
import { fieldsOf } from '../../model/fields/fields.ts';
import {
  type DriftDocument,
  type DriftedField,
  goneIn,
  type UntrackedSchedule,
} from '../../model/plan/drift-document.ts';
import { isSeen } from '../../model/plan/observation.ts';
import type { StateResource } from '../../model/plan/state.ts';
import { type Address, kindAt } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { importCommand } from '../../model/values/command.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { scheduleUrl } from '../../model/values/urls.ts';
import { countOf, maxListed, nameSome } from '../../model/values/words.ts';
import { documentOf, type Proposal } from '../../plan/proposal.ts';
import { lacksState, withoutState } from '../../plan/untracked.ts';
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
import { driftDoc } from '../../report/plan/drift-report.ts';
import { placeWords } from '../../report/plan/plan-counts.ts';
import { dangerDoc, planFindings } from '../../report/plan/plan-findings.ts';
import { printCut } from '../../report/print-markdown.ts';
import { printText } from '../../report/print-text.ts';
import { refusalsDoc } from '../../report/refusals-doc.ts';
import type { Page } from '../../report/text/theme.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { Wording } from '../../report/wording.ts';
import { unappliedIn } from '../base/checkout-position.ts';
import { refuseWords } from '../base/open-saved-plan.ts';
import { planDiagnosticsText } from '../base/print-diagnostics.ts';
import { reportDiagnostics } from '../base/publish-plan.ts';
import { exitCodeOf } from '../base/publishing.ts';
import { type RequestedProposal, requestProposal } from '../base/request-proposal.ts';
import type { Run } from '../base/run.ts';
import type { DriftOptions } from './drift-command.ts';
import {
  type BesideDrift,
  errorsIn,
  findingsOfDrift,
  foundWords,
  leftOutWords,
  noDriftWords,
  notSeen,
  waysOut,
} from './drift-words.ts';

export async function drift(run: Run, options: DriftOptions, words: readonly string[]): Promise<number> {
  const { format, report = [], deep, untracked, unapplied, write } = options;
  await refuseWords(run, words, {
    name: 'drift',
    ...(write === undefined
      ? { selecting: ['--target'], otherwise: '`--target ADDRESS` chooses what is checked.' }
      : {
          lead: 'Selectors follow `--write` directly:',
          selecting: ['--deep', '--write'],
          otherwise: 'Selectors follow `--write` directly.',
        }),
  });
  await run.checkFiles(report.map(({ file }) => file));
  // A value that another environment shares is not changed for this one alone.
  const session = await run.load({ everywhere: write !== undefined });
  const refresh = { depth: deep ? 'deep' : 'list', only: true } as const;
  const written = Array.isArray(write) ? write : undefined;
  const judgesUntracked = deep === true && untracked === true;
  const asked = { ...options, written, judgesPeople: true, judgesUntracked };
  const proposal = await requestProposal(run, asked, session, { refresh });
  const accepted =
    write === undefined ? undefined : await (await import('./write-drift.ts')).writeDrift(run, { session, proposal });
  // Nobody approves the declarations by this report, so all of it may be masked.
  const { alsoReadBy = [], ...edits } = accepted ?? {};
  const { inputs, selection } = proposal;
  const notApplied = unapplied ? await unappliedIn(run, session, inputs, selection.targets) : undefined;
  const found = await driftDocumentOf(proposal, untracked === true);
  const document = session.shown({
    ...found,
    ...(notApplied === undefined ? {} : { unapplied: notApplied }),
    ...edits,
  });
  const source = session.loaded;
  const notRead = notReadIn(document);
  const { untrackedNotJudged = 0 } = document;
  const context = {
    unseenCount: unseenIn(proposal),
    isAllRead: notRead.length === 0,
    untrackedCount: untracked ? 0 : (proposal.untracked?.schedules.length ?? 0),
    alsoReadBy,
    isDeep: deep === true,
    needsForce: document.diagnostics.some((finding) => finding.code === 'gives-up-many'),
  };
  const of = findingsOfDrift(document, context);
  if (format !== 'json') reportDiagnostics(run, of, { document, source });
  await run.publish<typeof format>(options, {
    json: document,
    markdown: ({ wording }) => renderDriftMarkdown(document, { ...context, wording }),
    text: (page, isFile) => {
      // A file begins with the diagnostics; otherwise they are on stderr.
      const said = isFile ? planDiagnosticsText(document, of, source, page) : '';
      return `${said}${said === '' ? '' : '\n'}${renderDriftText(document, page, context)}`;
    },
  });
  const { foundNone } = document;
  const { merged = [], notTold } = document.unapplied ?? {};
  const { rows } = source;
  const moved = new Map(source.desired.moves.map(({ from, to }) => [from, to]));
  const judged =
    rows === undefined || !deep ? new Set<Address>() : judgedAddresses(source.desired.resources, rows.rules);
  const isIncomplete =
    notRead.some((address) => judged.has(moved.get(address) ?? address)) ||
    untrackedNotJudged > 0 ||
    notTold !== undefined ||
    foundNone === true;
  return exitCodeOf({
    isWrong:
      (document.notWritten ?? document.drift).length > 0 ||
      goneIn(document).length > 0 ||
      errorsIn(document) > 0 ||
      merged.length > 0,
    isOpen: isIncomplete || lacksState(document, session.loaded),
  });
}

/** The resources of which Omni did not show something, unless their declarations accept it. */
function notReadIn({ diagnostics }: DriftDocument): readonly Address[] {
  return diagnostics.flatMap(({ code, accepted, address, concerns = [] }) =>
    code === 'not-read' && accepted === undefined ? [...(address === undefined ? [] : [address]), ...concerns] : [],
  );
}

/** The number of resources that Omni did not show. If only the owner is unknown, the rest was compared. */
function unseenIn({ observation: seen }: Proposal): number {
  return (seen?.findings ?? []).filter(
    ({ code, address }) => code === 'not-read' && address !== undefined && !isSeen(seen?.observed.get(address)),
  ).length;
}

/** The applied fields that Omni shows in no answer, in the order of their tables. */
function neverShownIn(looked: readonly (readonly [Address, StateResource])[]): readonly string[] {
  const applied = groupBy(looked, ([address]) => kindAt(address));
  const names = [...applied].flatMap(([kind, resources]) =>
    Object.entries(fieldsOf[kind]).flatMap(([name, { read, sent }]) =>
      read === 'never' && sent !== 'never' && resources.some(([, { attributes }]) => attributes[name] !== undefined)
        ? [name]
        : [],
    ),
  );
  return [...new Set(names)];
}

async function driftDocumentOf(proposal: RequestedProposal, listsUntracked: boolean): Promise<DriftDocument> {
  const { untracked, agreed, observation: seen, seesAll = false, inputs, untrackedRows } = proposal;
  const { schedules = [], ignored = 0, probes = 0, trackedBy = [] } = untracked ?? {};
  const { receivers = new Map<string, readonly string[]>(), notJudged = 0 } = untrackedRows ?? {};
  const looked = Object.entries(inputs.state?.resources ?? {}).filter(([address]) => seen?.observed.has(address));
  const leftUnread = looked.filter(([, { unread = [] }]) => unread.length > 0).length;
  const neverShown = proposal.selection.refresh?.depth === 'deep' ? neverShownIn(looked) : [];
  const { detailsNotCompared = 0, secretsNotCompared = 0, filterSpellings = [] } = seen ?? {};
  return {
    ...(await documentOf(proposal)),
    ...(inputs.state === undefined
      ? {
          noState: withoutState(inputs.loaded, {
            listed: seen?.listed.schedule,
            seesAll,
            neighbours: inputs.neighbours,
          }),
        }
      : {}),
    ...(seen?.foundNone ? { foundNone: true } : {}),
    detailsNotCompared,
    ...(secretsNotCompared === 0 ? {} : { secretsNotCompared }),
    ...(leftUnread === 0 ? {} : { leftUnread }),
    ...(neverShown.length === 0 ? {} : { neverShown }),
    ...(filterSpellings.length === 0 ? {} : { filterSpellings }),
    ...(agreed.length === 0 ? {} : { asDeclared: agreed }),
    ...(listsUntracked ? { untracked: schedules.map((each) => ({ ...each, receivers: receivers.get(each.id) })) } : {}),
    ...(notJudged === 0 ? {} : { untrackedNotJudged: notJudged }),
    ...(ignored === 0 ? {} : { ignored }),
    ...(probes === 0 ? {} : { probes }),
    ...(trackedBy.length === 0 ? {} : { trackedBy }),
  };
}

// A drift report: changes by others, undeclared schedules, edits of source files, advice, and how far it looked.

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
