// Compares the almanac.yaml of a pull request with that of its base branch. Reports differences in the address that
// gets the token, in the place of the state, and in what Almanac refuses, reports and leaves out. Almanac itself reads
// both files.

import { code, fence, folded } from '../comments/markdown.ts';
import { type KnownPlace, type PlaceQuestion, placeOf } from './place.ts';

/** A fact that reviewers must know, mostly with the value now and the value so far; `table` is shown in a fold. */
export interface Difference {
  readonly title: string;
  readonly now?: string;
  readonly soFar?: string;
  readonly table?: string;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  readonly options: readonly string[];
}

const notCompared = (why: string): Difference => ({
  title: `${why}, so almanac.yaml and the place of the state were not compared with the base branch`,
});

/**
 * `differences` are the facts that reviewers must know, empty if both branches agree. `options` are those of a plan
 * that judges by the base as well. `folder` holds the almanac.yaml of the base, and `unread` says why there is none;
 * both are '' if nothing is reviewed.
 */
export async function compareWithBase(
  run: PlaceQuestion,
  { folder, unread }: { readonly folder: string; readonly unread: string },
): Promise<Comparison> {
  if (unread !== '') return { differences: [notCompared(unread)], options: [] };
  if (folder === '') return { differences: [], options: [] };
  const base = await placeOf(folder, run);
  const head = await placeOf(run.folder.checkout, run);
  const alone = (difference: Difference): Comparison => ({ differences: [difference], options: [] });
  if (base.isUnread && base.lacksEnvironment)
    return alone(notCompared(`The base branch has no environment called ${run.environment}`));
  if (base.isUnread) return alone(notCompared('The base branch could not be read'));
  if (head.isUnread)
    return alone({
      title: 'This branch has an almanac.yaml with errors, which was not compared with that of the base branch',
    });
  const table = base.table?.path;
  return { differences: differencesOf(base, head), options: table === undefined ? [] : [`--base-table=${table}`] };
}

function differencesOf(base: KnownPlace, head: KnownPlace): readonly Difference[] {
  const sections = [
    ...differingRows(base, head),
    ...differingSection('safety', withoutTable(base.settings.safety), withoutTable(head.settings.safety)),
    ...differingSection('ignore', base.settings.ignore, head.settings.ignore),
    ...differingSection('checks', base.settings.checks, head.settings.checks),
  ];
  // The pull request brings almanac.yaml.
  if (!base.isConfigured) return sections;
  const address = {
    title: 'The base URL is not that of the base branch: the token goes to a different server',
    now: head.baseUrl ?? 'none',
    soFar: base.baseUrl ?? 'none',
  };
  const place = { title: 'The state is not kept where the base branch keeps it', now: head.place, soFar: base.place };
  // A file may have the name of a shared place.
  const isMoved = place.now !== place.soFar || (base.file === undefined) !== (head.file === undefined);
  return [...(address.now === address.soFar ? [] : [address]), ...(isMoved ? [place] : []), ...sections];
}

/** The facts that a reviewer must see before anything else, as Markdown. */
export function baseWords(differences: readonly Difference[]): string {
  if (differences.length === 0) return '';
  const lines = differences.flatMap(({ title, now, soFar }) => [
    `- **${title}**`,
    ...(now === undefined ? [] : [`  - ${code(now)}, so far ${code(soFar ?? '')}`]),
  ]);
  const tables = differences.flatMap(({ title, table }) => (table === undefined ? [] : [folded(title, fence(table))]));
  return [['[!CAUTION]', ...lines].map((line) => `> ${line}`).join('\n'), ...tables, ''].join('\n\n');
}

/** The same for a log. */
export function baseLines(differences: readonly Difference[]): readonly string[] {
  return differences.map(({ title, now, soFar, table = '' }) => {
    const said = `${title}${now === undefined ? '' : `: ${now}, so far ${soFar}`}.`;
    return table === '' ? said : `${said} ${table.split('\n').join('; ')}`;
  });
}

/**
 * Differences in whose rows are whose: another table, dashboards whose rows belong to nobody, receivers of every row,
 * and any other line. A line that is added here and used by the next pull request is a danger of neither plan.
 */
function differingRows(
  { settings: { safety: before }, table: was }: KnownPlace,
  { settings: { safety: after }, table: is }: KnownPlace,
): readonly Difference[] {
  const isUnread = was !== undefined && was.path === undefined;
  const moved =
    was !== undefined && is !== undefined && was.name !== is.name
      ? [difference('The table of permissions is not that of the base branch', [is.name], [was.name])]
      : [];
  const sharedSoFar = before?.rows?.shared ?? [];
  const shared = (after?.rows?.shared ?? []).filter((id) => !sharedSoFar.includes(id));
  const [old, now] = [was, is].map((each) => (isUnread ? [] : (each?.lines ?? []))) as [
    readonly string[],
    readonly string[],
  ];
  const [fresh, gone] = [now.filter((line) => !old.includes(line)), old.filter((line) => !now.includes(line))];
  const open = fresh.filter((line) => line.startsWith('*,'));
  const otherLines = fresh.filter((line) => !open.includes(line));
  const counts = `${counted(otherLines.length)} new in the table of permissions, and ${counted(gone.length)} gone`;
  return [
    ...(isUnread ? [{ title: unreadTable }] : []),
    ...moved,
    ...(shared.length > 0
      ? [difference('The rows of more dashboards or tiles belong to nobody', shared, sharedSoFar)]
      : []),
    ...(open.length > 0 ? [linesDifference(`${openWords(open.length)} every row`, open, [], old)] : []),
    ...(otherLines.length + gone.length > 0 ? [linesDifference(counts, otherLines, gone, old)] : []),
  ];
}

function openWords(count: number): string {
  return `${count} more ${count === 1 ? 'receiver' : 'receivers'} may see`;
}

/** The rest of a comment is for the plan, which divides itself; every omitted line is counted. */
const maxTable = 20_000;

/** Few lines appear in the title, and any number of them in a fold: the file's diff may not show them. */
function linesDifference(
  title: string,
  fresh: readonly string[],
  gone: readonly string[],
  old: readonly string[],
): Difference {
  const short = difference(title, fresh, gone);
  if (short.now !== undefined) return short;
  const known = new Set(old.map(domainIn));
  // A receiver who already sees one value and gets another one must not escape the reviewer.
  const isKnown = (line: string) => known.has(domainIn(line));
  const sorted = [...fresh.filter(isKnown), ...fresh.filter((line) => !isKnown(line))];
  const lines = [...sorted.map((line) => `+ ${shown(line)}`), ...gone.map((line) => `- ${shown(line)}`)];
  let size = 0;
  const fitting = lines.filter((line) => {
    size += line.length + 1;
    return size <= maxTable;
  });
  const rest = lines.length - fitting.length;
  return { title, table: [...fitting, ...(rest > 0 ? [`and ${rest} more: read the table`] : [])].join('\n') };
}

/** The receiver's domain in a line, or the whole receiver if there is no domain. */
function domainIn(line: string): string {
  const [, receiver = ''] = /^(?:"(?:[^"]|"")*"|[^,]*),(.*)$/su.exec(line) ?? [];
  return receiver.slice(receiver.lastIndexOf('@') + 1).toLowerCase();
}

/** Writes out characters that a browser hides or shows as a new line. */
function shown(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

/** Longer differences are shown another way, or read in the file's diff. */
function difference(title: string, fresh: readonly string[], gone: readonly string[], between = '; '): Difference {
  const [now, soFar] = [fresh.join(between) || 'none', gone.join(between) || 'none'];
  return now.length + soFar.length > maxShown ? { title } : { title, now, soFar };
}

const unreadTable = 'The table of permissions of the base branch could not be read, so it was not compared';

function counted(lines: number): string {
  return `${lines} ${lines === 1 ? 'line is' : 'lines are'}`;
}

/** The section without the settings that have lines of their own. */
function withoutTable(section: KnownPlace['settings']['safety']): object | undefined {
  if (section?.rows === undefined) return section;
  const { rows, ...rest } = section;
  return { ...rest, rows: { filters: rows.filters } };
}

/** A weakened section changes nothing in Omni, so nobody would look twice; the next pull request is judged by it. */
function differingSection(name: string, before: object | undefined, after: object | undefined): readonly Difference[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  const [gone, fresh] = [was.filter((part) => !is.includes(part)), is.filter((part) => !was.includes(part))];
  if (gone.length === 0 && fresh.length === 0) return [];
  const title = `The section ${name} of almanac.yaml is not that of the base branch`;
  return [difference(title, fresh, gone, ', ')];
}

/** Longer ones are read in the difference of almanac.yaml. */
const maxShown = 300;

function partsOf(section: object = {}): readonly string[] {
  if (Array.isArray(section)) return section.map((entry) => JSON.stringify(entry));
  return Object.entries(section).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}
