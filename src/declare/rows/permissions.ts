// The table of permissions in `safety.rows.allow`: which receiver may see which rows. Each line is one permission. A
// receiver is an address, a domain (that one alone), a user group, a Slack id, a host or a bucket; of the last two also
// a path in it, where the longest line counts alone, and of an SFTP server a user of it. A line past its day still says
// whose a receiver was, so that it is judged as ended and not as nobody's. `yes` in the column `everybody` says that a
// domain is intended although it belongs to no company.

import { groupById, groupIdIn } from '../../model/fields/ids.ts';
import type { Receiver, ReceiverKind } from '../../model/fields/receiver.ts';
import { groupBy, memoize, once } from '../../model/values/collections.ts';
import { yearAfter } from '../../model/values/day.ts';
import { addressKey, domainKey, domainOf } from '../../model/values/domains.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import type { Place, Span } from '../../model/workspace/diagnostic.ts';
import { parseTable, type TableRow } from '../../yaml/parse-table.ts';
import { secretPartsOf } from '../rules/secrets.ts';

/** Means every row. */
export const everyRow = '*';

/** The rows that all lines of one receiver let it see. The same object for receivers that the same lines name. */
export interface ReceiverPermissions {
  /** Tells if it may see a value today, or every row for `*`; gives the line by which it did until a day that is over. */
  readonly answer: (value: string) => 'may' | 'may-not' | EndedLine;
  /** Includes lines past their day. */
  readonly lines: readonly Permission[];
  /** The line that ended last, where none counts any longer. */
  readonly over: EndedLine | undefined;
}

/** A line past its day. */
export interface EndedLine {
  /** In the form that people write: `North Pine,cfo@northpine.example`. */
  readonly text: string;
  /** `tenants.csv:12`. */
  readonly at: string;
  readonly place: Place;
  readonly until: string;
  /** The whole line, with another day. */
  readonly renewed: string;
}

/** The reason why the owner of a place is not known, although lines name it. */
export type PlaceDoubt =
  /** They allow several values, and the user decides where a path of the server begins. */
  | 'user'
  /** They name the URL without its query. */
  | 'query'
  /** Its folder and its file name may be joined without a slash, and other lines name that place. */
  | { readonly places: readonly [string, string] };

export interface Permissions {
  /** The path of the table, relative to the workspace. */
  readonly file: string;
  /** Undefined if no line names the receiver. */
  readonly allowedTo: (receiver: Receiver) => ReceiverPermissions | undefined;
  /** Undefined if there is no doubt about the owner. */
  readonly doubtAbout: (receiver: Receiver) => PlaceDoubt | undefined;
  /** True if a line names its host or bucket, if only with another path. */
  readonly namesPlaceOf: (receiver: Receiver) => boolean;
  /** True if a line names a domain, or an address of it: nobody may then call it inside. */
  readonly namesDomain: (domain: string) => boolean;
  /** The line that lets a receiver see a value, with all columns of the table, as people write it. */
  readonly lineFor: (receiver: Receiver, value: string) => string;
  /** True if that line names the receiver as reports do, and no place in it. */
  readonly isWhole: (receiver: Receiver) => boolean;
  readonly hasEnded: boolean;
  /** The receivers that may be whole domains, each at its first line; without those that are meant for everybody. */
  readonly domains: readonly NamedDomain[];
  /** The columns of the table beside the value and the receiver. */
  readonly otherColumns: readonly string[];
  /** The lines that count and let a receiver see a value, or whatever it gets, in the order of the table. */
  readonly linesAllowing: (receiver: Receiver, value: string) => readonly PermissionLine[];
  /** True if another table has its columns and all of its lines, in whatever form. */
  readonly isCopiedIn: (text: string) => boolean;
  /** Each line that counts. */
  readonly permissions: () => readonly Permission[];
  /** Every value of the table, without `*`: a line that has ended still says that the value is somebody's. */
  readonly values: () => ReadonlySet<string>;
  /** Every line, also one past its day. */
  readonly lines: () => readonly Permission[];
}

interface NamedDomain {
  readonly domain: string;
  readonly place: Place;
  /** The number of further lines that name it. */
  readonly more: number;
}

/** A line of the table, for people. */
export interface PermissionLine {
  /** Counted from 1. */
  readonly line: number;
  /** Keyed by the name of another column. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface Permission {
  readonly row: TableRow;
  readonly shows: string;
  readonly receiver: string;
  /** In the form that people write, with the cells that are read: `North Pine,cfo@northpine.example`. */
  readonly text: string;
  readonly until: string | undefined;
  readonly isOver: boolean;
  /** The place of the receiver; left out if it is meant for everybody. */
  readonly at?: Span | undefined;
}

/** Other mistakes allow nothing, and the check then names whoever receives something. */
export function receiverFault(text: string): string | undefined {
  if (text !== text.trim()) return 'it has spaces around it';
  if (text.includes('*')) return '`*` stands for rows, and not for receivers';
  if (text.includes('://')) return 'a host is written without a scheme';
  if (text.startsWith('#')) return 'a Slack channel is written by its id, such as `C0123456789`';
  if (isSeveralAddresses(text)) return 'a line has one, so write a line for each';
  return text.startsWith('@') ? 'a domain is written without `@`' : undefined;
}

/** True if something separates two addresses of a text. */
export function isSeveralAddresses(text: string): boolean {
  return text
    .split('@')
    .slice(1, -1)
    .some((between) => /[;,|\s]/.test(between));
}

const nobody: readonly Permission[] = [];

export interface PermissionFile {
  readonly file: string;
  /** The names of its columns. */
  readonly names: readonly string[];
  readonly today: string;
}

export function permissionsOf(written: PermissionFile, lines: readonly Permission[]): Permissions {
  const { file, names, today } = written;
  const { naming, doubtAbout, domains, byRoot } = searchIn(lines);
  const allowedBy = memoize((named: readonly Permission[]) => allowedIn(named, written));
  const textFor = (receiver: Receiver) => {
    const known = byRoot.get(rootOf(receiver.shown));
    const isPlaced = (known !== undefined && isDivided(known)) || queryOf(receiver) !== '';
    const isExact = isPlaced || doubtAbout(receiver) !== undefined;
    return isExact ? receiverText(receiver) : receiver.shown;
  };
  const current = lines.filter((line) => !line.isOver);
  const otherColumns = names.flatMap((name, index) =>
    name === 'shows' || name === 'receiver' ? [] : [{ name, index }],
  );
  return {
    file,
    domains: domainsIn(file, current),
    hasEnded: current.length < lines.length,
    otherColumns: otherColumns.map(({ name }) => name),
    linesAllowing: (receiver, value) => {
      const found = receiver.isHidden ? nobody : naming(receiver);
      const allowing = found.filter((line) => !line.isOver && (line.shows === value || line.shows === everyRow));
      return allowing.map(({ row: { line, cells } }) => ({
        line,
        cells: new Map(otherColumns.map(({ name, index }) => [name, cells[index]?.text ?? ''])),
      }));
    },
    permissions: () => current,
    values: once(() => new Set(lines.flatMap(({ shows }) => (shows === everyRow ? [] : shows)))),
    lines: () => lines,
    allowedTo: (receiver) => {
      const found = receiver.isHidden ? nobody : naming(receiver);
      return found.length === 0 ? undefined : allowedBy(found);
    },
    doubtAbout,
    isCopiedIn: (text) => isCopy(text, current),
    namesDomain: (domain) => domains().has(domain),
    namesPlaceOf: ({ kind, shown }) => placeKinds.includes(kind) && byRoot.has(rootOf(shown)),
    lineFor: (receiver, value) => {
      const cells = { shows: value, receiver: textFor(receiver), until: yearAfter(today) };
      return lineOf(...names.map((name) => (Object.hasOwn(cells, name) ? cells[name as keyof typeof cells] : '')));
    },
    isWhole: (receiver) => textFor(receiver) === receiver.shown,
  };
}

/** Finds the lines of a receiver. */
function searchIn(lines: readonly Permission[]) {
  const byName = groupBy(lines, ({ receiver }) => nameOf(receiver));
  const byAddress = groupBy(lines, ({ receiver }) => addressKey(receiver));
  const domains = once(() => new Set([...byAddress.keys()].map((each) => domainOf(each) ?? each)));
  const ofRoots = groupBy(lines, ({ receiver }) => rootOf(receiver));
  const byRoot = new Map([...ofRoots].map(([root, of]) => [root, groupBy(of, ({ receiver }) => pathIn(receiver))]));
  // One list for all receivers of the same address.
  const addressed = memoize((key: string) => key.split(' ').flatMap((each) => byAddress.get(each) ?? nobody));
  const naming = (receiver: Receiver): readonly Permission[] => {
    const { kind, shown, compared } = receiver;
    switch (kind) {
      case 'email': {
        const own = byAddress.get(compared) ?? nobody;
        const domain = domainOf(shown) ?? '';
        const ofDomain = (domain === compared ? undefined : byAddress.get(domain)) ?? nobody;
        if (own.length === 0 || ofDomain.length === 0) return own.length === 0 ? ofDomain : own;
        return addressed(`${compared} ${domain}`);
      }
      case 'group':
      case 'slack':
        return byName.get(nameOf(shown)) ?? nobody;
      default: {
        // An invalid host could not be read, so its target is not known.
        const byPath = shown.includes('/') ? undefined : (byRoot.get(userRoot(receiver)) ?? byRoot.get(rootOf(shown)));
        return byPath === undefined ? nobody : linesOfPlace(byPath, placePath(receiver), queryOf(receiver));
      }
    }
  };
  const doubtAbout = (receiver: Receiver): PlaceDoubt | undefined => {
    const { kind, shown, path = '', file = '' } = receiver;
    if (!placeKinds.includes(kind)) return undefined;
    const found = naming(receiver);
    if (kind === 'webhook') {
      const isNamed = found.some((line) => line.shows === everyRow || line.receiver.includes('?'));
      return isNamed || found.length === 0 || queryOf(receiver) === '' ? undefined : 'query';
    }
    if (kind === 'sftp') {
      const isOfUser = found.some((line) => line.receiver.includes('@'));
      return isOfUser || new Set(found.map(({ shows }) => shows)).size < 2 ? undefined : 'user';
    }
    const byPath = byRoot.get(rootOf(shown));
    if (byPath === undefined || path === '' || path.endsWith('/') || file === '') return undefined;
    const joined = trimmed(path + file);
    const otherLines = linesOfPlace(byPath, joined, '');
    return otherLines.length === 0 || otherLines === found ? undefined : { places: [placePath(receiver), joined] };
  };
  return { naming, doubtAbout, domains, byRoot };
}

function allowedIn(lines: readonly Permission[], table: PermissionFile): ReceiverPermissions {
  const current = new Set(lines.flatMap(({ shows, isOver }) => (isOver ? [] : shows)));
  const ended = new Map<string, EndedLine>();
  const past = lines.filter(({ isOver }) => isOver);
  for (const line of past.sort((a, b) => byCodeUnit(b.until ?? '', a.until ?? '')))
    if (!ended.has(line.shows)) ended.set(line.shows, endedLine(line, table));
  const [last] = ended.values();
  return {
    answer: (value) =>
      current.has(value) || current.has(everyRow) ? 'may' : (ended.get(value) ?? ended.get(everyRow) ?? 'may-not'),
    lines,
    over: current.size === 0 ? last : undefined,
  };
}

function endedLine(line: Permission, { file, names, today }: PermissionFile): EndedLine {
  const { until = '', row } = line;
  const renewed = new Map([['until', yearAfter(today)]]);
  return {
    text: shortLine(line),
    at: `${file}:${row.line}`,
    place: { file, span: { start: row.start, end: row.end } },
    until,
    renewed: lineOf(...names.map((name, index) => renewed.get(name) ?? row.cells[index]?.text ?? '')),
  };
}

/** Only the columns that decide who may see what. */
export function shortLine({ shows, receiver }: Permission): string {
  return lineOf(shows, receiver);
}

/** A receiver with a dot that is not an address or path. Which of these are domains of companies is not known here. */
function domainsIn(file: string, lines: readonly Permission[]): readonly NamedDomain[] {
  const named = lines.filter(({ receiver, at }) => at !== undefined && /^[^\s@/?]+\.[^\s@/?.]+\.?$/.test(receiver));
  const byDomain = groupBy(named, ({ receiver }) => receiver.toLowerCase().replace(/\.$/, ''));
  return [...byDomain].flatMap(([domain, [first, ...more]]) =>
    first.at === undefined ? [] : { domain, place: { file, span: first.at }, more: more.length },
  );
}

function isCopy(text: string, lines: readonly Permission[]): boolean {
  if (lines.length === 0 || !text.includes('shows') || !text.includes('receiver')) return false;
  const { header, rows, problem } = parseTable(text);
  const [shows = -1, receiver = -1] = ['shows', 'receiver'].map((name) =>
    header?.cells.findIndex((cell) => cell.text === name),
  );
  if (problem !== undefined || shows < 0 || receiver < 0) return false;
  const theirs = new Set(rows.map(({ cells }) => lineOf(cells[shows]?.text, cells[receiver]?.text)));
  return lines.every((line) => theirs.has(lineOf(line.shows, line.receiver)));
}

/** The name of a group or a Slack receiver: upper and lower case make two names, and one id. */
function nameOf(text: string): string {
  const id = groupIdIn(text);
  return id === undefined ? text : groupById(id);
}

/** The kinds for which a line may also name a path. */
const placeKinds: readonly ReceiverKind[] = ['webhook', 'sftp', 's3'];

/** The host or the bucket, or the user of a host, whose case may matter. A final dot makes no difference to a host. */
function rootOf(text: string): string {
  const [, user = '', host = ''] = /^((?:[^/?]*@)?)([^/?]*)/.exec(text) ?? [];
  return user + domainKey(host).replace(/\.$/, '');
}

/** Includes the query of a URL. */
function pathIn(text: string): string {
  const [, path = '', query = ''] = /^[^/?]*([^?]*)(.*)$/s.exec(text) ?? [];
  return trimmed(path) + query;
}

/** Only for a server with a user; otherwise empty, which no line names. */
function userRoot({ kind, shown, user = '' }: Receiver): string {
  return kind !== 'sftp' || user === '' || /[/?]/.test(user) ? '' : rootOf(`${user}@${shown}`);
}

/** Removes a slash at either end. */
function trimmed(path: string): string {
  const start = path.startsWith('/') ? 1 : 0;
  return path.slice(start, path.length > start && path.endsWith('/') ? -1 : undefined);
}

/**
 * Finds the lines of one host or bucket for a place: those with its query, or of the longest path around it. That may
 * be no path at all.
 */
function linesOfPlace(
  byPath: ReadonlyMap<string, readonly Permission[]>,
  path: string,
  query: string,
): readonly Permission[] {
  // Where paths tell receivers apart, a path that may lead elsewhere belongs to nobody.
  if (isDivided(byPath) && !isPlain(path)) return nobody;
  const asked = query === '' ? undefined : byPath.get(path + query);
  if (asked !== undefined) return asked;
  for (let holding = path; holding !== ''; holding = holding.slice(0, Math.max(0, holding.lastIndexOf('/')))) {
    const lines = byPath.get(holding);
    if (lines !== undefined) return lines;
  }
  return byPath.get('') ?? nobody;
}

function isDivided(byPath: ReadonlyMap<string, unknown>): boolean {
  return byPath.size > 1 || !byPath.has('');
}

/** True if no part is empty or leads up, and no character is encoded. */
function isPlain(path: string): boolean {
  return path === '' || !/[%\\]|(?:^|\/)\.{0,2}(?:\/|$)/.test(path);
}

/** The place on the host or in the bucket, without slashes around it. */
function placePath({ kind, path = '', file = '' }: Receiver): string {
  if (kind === 'webhook') return trimmed(/^[^?#]*/.exec(path)?.[0] ?? '');
  // On a server, the target of a file is unknown if it begins at the root and has a folder before it: it has an empty
  // part.
  const name = kind === 'sftp' && path !== '' ? file : trimmed(file);
  return [trimmed(path), name].filter(Boolean).join('/');
}

/** The query of a URL, with its question mark. */
function queryOf({ kind, path = '' }: Receiver): string {
  return (kind === 'webhook' && /^[^?#]*(\?[^#]+)/.exec(path)?.[1]) || '';
}

/**
 * A receiver as the most exact line names it: a host or a bucket with its folder there, and a server with its user.
 * Secrets are left out.
 */
export function receiverText(receiver: Receiver): string {
  const { kind, shown, file = '' } = receiver;
  if (!placeKinds.includes(kind)) return shown;
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
  const place = placePath({ ...receiver, file: folder });
  const ofUser = userRoot(receiver);
  const root = ofUser === '' || receiverFault(ofUser) !== undefined ? shown : ofUser;
  const text = (place === '' ? root : `${root}/${place}`) + queryOf(receiver);
  const isSecret = kind === 'webhook' && secretPartsOf(`https://${text}`).length > 0;
  return !isPlain(place) || isSecret ? root : text;
}

/** In the form of the file. */
export function lineOf(...cells: readonly (string | undefined)[]): string {
  const written = cells.filter((text) => text !== undefined);
  return written.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',');
}
