// A leaver's report for a terminal. It has a row for each kind of thing, and the outcomes of transfers to somebody
// else.

import { sameMailboxWords, viaWords } from '../../deliveries/who-words.ts';
import { command } from '../../model/values/command.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countList, countOf, nameSome } from '../../model/values/words.ts';
import {
  type Block,
  type Doc,
  fewOf,
  firstFew,
  indented,
  isEmpty,
  part,
  strong,
  type Words,
} from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import { refusalsDoc } from '../../report/refusals-doc.ts';
import type { Page } from '../../report/text/theme.ts';
import { fileAndLine } from '../../report/text/words.ts';
import type { OffboardDocument, Received, Transferred } from './offboard-document.ts';
import type { OwnedHere } from './owned-schedules.ts';

export interface OffboardReport {
  readonly document: OffboardDocument;
  /** The successor. */
  readonly to: string | undefined;
  /** Undefined if Omni was not asked. */
  readonly owned: OwnedReport | undefined;
  /** Resources that only stay because nobody would be left. */
  readonly noneLeft: readonly string[];
  readonly remainingMentions: readonly { readonly file: string; readonly line: number }[];
  readonly writes: boolean;
  readonly environment: string | undefined;
}

export interface OwnedReport {
  readonly schedules: readonly OwnedHere[];
  /** Undefined if nobody in the organization has the address. */
  readonly memberId: string | undefined;
  /** A whole sentence: why nothing can be transferred to the successor. */
  readonly whyNoOwner: string | undefined;
  /** True if they are transferred now, so the report need not say how. */
  readonly applies: boolean;
}

const labelWidth = 11;

/** Ends with a newline. */
export function renderOffboard(report: OffboardReport, page: Page): string {
  const { document, noneLeft, remainingMentions, writes } = report;
  const { email, receives, edits, blocked, also = [] } = document;
  const otherBlocked = blocked.flatMap(({ address, reason }) =>
    noneLeft.includes(address) ? [] : [{ about: [address], message: reason }],
  );
  return printText(
    [
      part(
        row('owns', ownedRows(report, page)),
        row('dashboards', dashboardRows(report)),
        row('receives', [fewOf(receivedWords(receives, page), page)]),
        row('in state', [fewOf(appliedWords(report), page)]),
        row('groups', [report.owned === undefined && receives.length > 0 && 'not known either']),
        row(writes ? 'edited' : 'written in', [fewOf([...new Set(edits.map(fileAndLine))], page)]),
        row(
          'last one',
          firstFew(noneLeft.toSorted(byCodeUnit), (address) => `${address} would have no recipients`, page),
        ),
        row(
          'stays',
          refusalsDoc(otherBlocked, (about) => [fewOf(about, page)], page),
        ),
        row('still in', [fewOf(remainingMentions.map(fileAndLine), page)]),
        row('also', [also.length > 0 && `${nameSome(also)}. ${sameMailboxWords(email)}`]),
      ),
      part(closing(report)),
    ],
    page,
  );
}

/** Each text begins a new line. */
function row(label: string, texts: Doc): Block {
  const [first, ...below] = texts.filter((text) => !isEmpty(text));
  return first !== undefined && { mark: strong(label.padEnd(labelWidth)), of: first as Words, below };
}

/** Untracked ones are counted, because only their names are known. */
function receivedWords(receives: readonly Received[], { showsAll }: Page): readonly string[] {
  const unmanaged = receives.filter(({ managed }) => !managed);
  const managed = receives.filter((each) => each.managed).map(managedWords);
  if (unmanaged.length === 0) return managed;
  const names = unmanaged.map(({ name, id }) => `"${name ?? ''}" (${id ?? ''})`);
  return [...managed, ...(showsAll ? names : []), `${unmanaged.length} untracked`];
}

function managedWords({ address = '', via }: Received): string {
  const because = viaWords(via);
  return address + (because === '' ? '' : ` (${because})`);
}

/** Resources of another environment are listed with its name. */
function appliedWords({ document: { applied }, environment }: OffboardReport): readonly string[] {
  return applied.map(({ address, environment: name, neighbour, as }) => {
    const about = [
      ...(as === 'owner' ? ['owner'] : []),
      ...(name === environment || name === undefined ? [] : [name]),
      ...(neighbour === undefined ? [] : [`of ${neighbour}: run this command there`]),
    ];
    return address + (about.length === 0 ? '' : ` (${about.join(', ')})`);
  });
}

/** Nothing names the person. */
export function isFree({
  document,
  remainingMentions,
}: Pick<OffboardReport, 'document' | 'remainingMentions'>): boolean {
  const { owns, receives, applied, edits, blocked } = document;
  return [owns, receives, applied, edits, blocked, remainingMentions].every(({ length }) => length === 0);
}

function closing({ document, to, noneLeft, remainingMentions, writes }: OffboardReport): string {
  const { email, owns, receives, applied, edits, blocked, nobody, unread = [] } = document;
  if (nobody !== undefined) return [nobody.message, nobody.hint].join(' ');
  if (isFree({ document, remainingMentions })) return `${email} owns and receives nothing.`;
  const files = countOf(new Set(edits.map(({ file }) => file)).size, 'file');
  const done = `${countOf(edits.length, 'edit')} in ${files}`;
  const blockedWords =
    blocked.length === 0
      ? []
      : [`${countOf(blocked.length, 'place')} must stay as ${blocked.length === 1 ? 'it is' : 'they are'}.`];
  // The reasons of the others say what helps.
  const successor = noneLeft.length > 0 && to === undefined ? ['A successor takes them: --to EMAIL.'] : [];
  const edited =
    edits.length === 0 ? [] : [writes ? `Made ${done}. Next: ${command('plan')}.` : `With --write: ${done}.`];
  const groups = [...new Set(receives.flatMap(({ via }) => (via.kind === 'group' ? (via.name ?? '') : [])))];
  const inGroups =
    groups.length === 0
      ? []
      : [
          `Remove them in Omni from ${nameSome(groups.map((name) => `the group ${name}`))}: no file says who is in a group.`,
        ];
  const none = edits.length === 0 && blocked.length === 0 ? ['There is nothing to edit.'] : [];
  const had = new Set(applied.flatMap(({ address, neighbour }) => (neighbour === undefined ? address : []))).size;
  const ofState = had === 0 ? [] : [`The state has the address until an apply changes ${countOf(had, 'resource')}.`];
  const behind = owns.filter(({ ignored }) => ignored).length;
  const ofIgnore =
    behind === 0
      ? []
      : [
          `${countOf(behind, 'schedule')} that \`ignore\` leaves to others ${behind === 1 ? 'belongs' : 'belong'} to ${email}.`,
        ];
  const unknown = unread.length === 0 ? [] : [`${unread.join(' ')} What they have of ${email} is not known.`];
  return [...edited, ...none, ...blockedWords, ...successor, ...ofState, ...inGroups, ...ofIgnore, ...unknown].join(
    ' ',
  );
}

/** Each begins a new line. */
function ownedRows({ owned, to }: Pick<OffboardReport, 'owned' | 'to'>, page: Page): Doc {
  if (owned === undefined) return ['not known, because Omni was not asked (--offline)'];
  const { schedules, memberId } = owned;
  if (memberId === undefined) return ['nothing: no member of the organization has this address'];
  if (schedules.length === 0) return ['nothing'];
  const managed = schedules.filter((each) => each.managed).length;
  const counted = countList([
    [managed, 'tracked'],
    [schedules.length - managed, 'untracked'],
  ]);
  const notTransferred = schedules.flatMap(({ instead, ...each }) =>
    instead === undefined ? [] : [{ about: [ownedName(each)], message: instead }],
  );
  return [
    counted,
    ...(page.showsAll ? schedules.map(ownedName) : []),
    ...transferWords(owned, to),
    ...refusalsDoc(notTransferred, (about) => [fewOf(about, page)], page),
  ];
}

/** Dashboards stay with their creator, and are not looked at here. */
function dashboardRows({ owned }: Pick<OffboardReport, 'owned'>): Doc {
  if (owned?.memberId === undefined) return [];
  return ['not looked at; this lists those that they created:', command('list documents', '--creator', owned.memberId)];
}

function transferWords({ schedules, whyNoOwner, applies }: OwnedReport, to: string | undefined): readonly string[] {
  const count = schedules.filter((each) => each.instead === undefined).length;
  if (count === 0 || applies) return [];
  if (whyNoOwner !== undefined) return [whyNoOwner];
  const requests = countOf(count, 'request');
  if (to === undefined) return [`with --to EMAIL and --apply: transferred, ${requests}`];
  return [`with --apply: transferred to ${to}, ${requests}`];
}

/** Its address here, or its name in Omni. */
function ownedName({ address, name = '', id }: Pick<OwnedHere, 'address' | 'name' | 'id'>): string {
  return address ?? `"${name}" (${id})`;
}

/** Lists all of them, for the person who confirms and for later readers. Ends with a newline. */
export function renderToTransfer(schedules: readonly OwnedHere[], from: string, to: string, page: Page): string {
  const head = `${countOf(schedules.length, 'schedule')} of ${from} will belong to ${to}:`;
  return printText([head, ...schedules.map((each) => indented(2, ownedName(each)))], page);
}

/** The outcomes of the transfers. Ends with a newline. */
export function renderTransferred(results: readonly Transferred[], to: string, page: Page): string {
  const done = results.filter(({ status }) => status === 'transferred');
  const ended = (...statuses: readonly Transferred['status'][]) =>
    results.flatMap(({ status, message = '', hint, ...each }) =>
      statuses.includes(status) ? [{ about: [ownedName(each)], message, hint }] : [],
    );
  const notDone = results.length - done.length;
  const notDoneWords = notDone === 0 ? '' : ` ${countOf(notDone, 'schedule')} left: run the command again.`;
  return printText(
    [
      ...refusalsDoc(ended('failed', 'unknown'), (about) => [{ role: 'error', of: fewOf(about, page) }], page),
      ...refusalsDoc(ended('skipped'), (about) => [['Not sent: ', fewOf(about, page)]], page),
      `Transferred ${countOf(done.length, 'schedule')} to ${to}.${notDoneWords}`,
    ],
    page,
  );
}
