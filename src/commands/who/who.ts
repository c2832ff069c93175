// `almanac who [WHOM...]`: who receives which report, from the declarations and the state. Sends nothing to Omni
// without --online.

import { loadCronWords } from '../../cron/describe-cron.ts';
import { judgeFindings } from '../../declare/acceptances.ts';
import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { placeFindings } from '../../declare/load/place-findings.ts';
import { rowsOfNeighbours } from '../../deliveries/deliveries.ts';
import {
  judgeTracked,
  judgeUntracked,
  type RowsInOmniPorts,
  readRowsInOmni,
} from '../../deliveries/read-rows-in-omni.ts';
import { readUnmanaged, type UnmanagedRequest } from '../../deliveries/unmanaged-recipients.ts';
import { nobodyOnline, sameMailboxWords, type Unread, unreadDoc, viaWords } from '../../deliveries/who-words.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import { nameIn, noNames } from '../../model/plan/names.ts';
import type { Neighbours } from '../../model/plan/neighbours.ts';
import { isOrganizationKey, type ListedSchedule, type RemoteUser } from '../../model/service/remote.ts';
import { groupBy, memoize, once } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import type { Refusal } from '../../model/values/refusal.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { isAddress, mayNotAskForPeople, memberAt } from '../../observe/owners/owners.ts';
import { requireFullOperations, type Service } from '../../observe/service.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import { appliedTo } from '../../plan/applied.ts';
import { isSelector } from '../../plan/select.ts';
import { untrackedRows } from '../../plan/untracked.ts';
import { type Doc, indented, part, strong } from '../../report/doc.ts';
import { linesOf, printText } from '../../report/print-text.ts';
import { type CsvColumns, csvText } from '../../report/table/csv-text.ts';
import { isTableWhole, type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import { renderJson } from '../../report/text/render-json.ts';
import type { Page } from '../../report/text/theme.ts';
import { fileAndLine } from '../../report/text/words.ts';
import { readNeighbours } from '../base/neighbours.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import { progressReporter } from '../base/progress.ts';
import { exitCodeOf } from '../base/publishing.ts';
import { readApplied } from '../base/read-applied.ts';
import type { Run, Session } from '../base/run.ts';
import type { WhoOptions } from './who-command.ts';
import type { ListedDelivery, Membership, Recipient, WhoDocument } from './who-document.ts';
import { splitWords, type WhoReceives, type WhoRequest, whoReceives } from './who-receives.ts';
import { checkRowsAsked, printRows, type RowSources, soundForRows } from './who-rows.ts';

export async function who(run: Run, options: WhoOptions, words: readonly string[]): Promise<number> {
  const { online = false, limit, resume } = options;
  if (!online && (limit !== undefined || resume))
    throw new Failure('usage', '--limit and --resume belong to --online.', { hint: 'Add --online.' });
  // As from `almanac who "$EMAIL"` if the variable is not set.
  if (words.includes(''))
    throw new Failure('usage', 'A pattern is empty.', { hint: 'Leave it out to list everybody.' });
  if (options.forAudit && !(options.rows && options.format === 'csv'))
    throw new Failure('usage', '--for-audit belongs to --rows --format csv.', { hint: 'Add both.' });
  if (options.rows) return whoRows(run, options, words);
  const session = await run.declared(online ? 'nothing was sent' : 'nothing was listed');
  const { loaded } = session;
  const applied = online
    ? await appliedTo(loaded, await run.readState(await run.store(session), loaded.config), run)
    : await readApplied(run, session);
  const { patterns, selectors } = splitWords(words, { loaded, applied });
  const [selector] = selectors;
  if (online && selector !== undefined)
    throw new Failure('usage', `${selector} chooses among what is declared; --online adds what is not.`, {
      hint: `Leave out one of them${isSelector(selector) ? '' : `, or write \`'${selector}*'\` for recipients`}. Nothing was sent.`,
    });
  const choice = { loaded, applied, patterns, selectors, external: options.external === true };
  if (online) {
    await askOnline(run, options, session, choice);
    return 0;
  }
  const nameOf = nameIn(session.shown(applied.state?.names));
  await print(run, options, whoReceives({ ...choice, nameOf }), 0);
  if (patterns.length > 0 && loaded.desired.resources.some(namesGroups))
    run.say('Who is in a user group was not asked: --online reads it.', run.stderr);
  return 0;
}

/** Continues if a row is an error, because the table may be missing. */
async function whoRows(run: Run, options: WhoOptions, words: readonly string[]): Promise<number> {
  if (options.limit !== undefined || options.resume || options.external)
    throw new Failure('usage', '--limit, --resume and --external do not go with --rows.', {
      hint: 'Leave them out: --rows reads everything that it needs, and marks who is internal.',
    });
  const session = await run.load();
  refuseWithoutEnvironment(session.loaded.missingEnvironment);
  const loaded = soundForRows(session.loaded, options);
  const applied = await appliedTo(loaded, await run.readState(await run.store(session), loaded.config), run);
  const known = { loaded, applied };
  checkRowsAsked(options, words, known);
  if (!options.online) {
    printRows(run, options, words, known, session.shown);
    return 0;
  }
  requireFullOperations(loaded.config, 'who receives its schedules');
  const reporter = progressReporter(run, session.shown);
  const { inOmni, findings, probes } = await run.asking({ loaded, reporter, nothing: 'changed' }, async (service) =>
    rowsOnline({ ...known, neighbours: await readNeighbours(run, session) }, { service, reporter, signal: run.signal }),
  );
  printRows(run, options, words, { ...known, inOmni }, session.shown);
  const diagnostics = session.shown(await placeFindings(judgeFindings(findings, loaded), loaded));
  const page = run.page(run.stderr);
  const of = { listedBy: command('who', ...words, '--rows', '--online', '-v') };
  run.stderr.write(diagnosticsText(diagnostics, loaded, page, of));
  run.stderr.write(
    printText(
      unreadDoc({ notRead: 0, probes, refused: session.shown(inOmni.refused), knowsMembers: true }, page),
      page,
    ),
  );
  return exitCodeOf({
    isWrong: diagnostics.some(({ severity }) => severity === 'error'),
    isOpen: inOmni.refused.length > 0,
  });
}

/** Omni's versions of applied and untracked schedules, with their faults by the table of permissions. */
async function rowsOnline(
  { loaded, applied, neighbours }: RowSources & { readonly neighbours: Neighbours },
  ports: RowsInOmniPorts,
) {
  const { service } = ports;
  const listed = await (await service.api()).listSchedules({}, service.call);
  const { rows, probes } = untrackedRows(listed, applied.state, loaded.desired, {
    ignore: loaded.config.ignore,
    neighbours,
  });
  const tracked = listed.filter(({ id }) => applied.addressOf(id) !== undefined);
  const inOmni = await readRowsInOmni([...tracked, ...rows], ports);
  const { rows: judged } = loaded;
  const findings = inOmni.schedules.flatMap((each): readonly Finding[] => {
    const address = applied.addressOf(each.row.id);
    if (judged === undefined) return [];
    return address === undefined
      ? judgeUntracked(each, judged)
      : judgeTracked(each, address, judged).map((words) => ({ ...words, address }));
  });
  return { inOmni, findings, probes };
}

function namesGroups(resource: Resource): boolean {
  return deliveryOf(resource.kind, declaredAttributes(resource)).to.some(({ kind }) => kind === 'group');
}

async function print(
  run: Run,
  options: WhoOptions,
  { recipients, unmatched, also }: WhoReceives,
  notRead: number,
): Promise<void> {
  const { stdout } = run;
  switch (options.format) {
    case 'json': {
      const document: WhoDocument = {
        formatVersion: 1,
        recipients,
        ...(notRead === 0 ? {} : { notRead }),
      };
      stdout.data(renderJson(document));
      break;
    }
    case 'csv':
      stdout.data(csvText(csvColumns, deliveriesTo(recipients)));
      break;
    case 'table': {
      const words = memoize(await loadCronWords(run.clock.now()));
      stdout.write(renderWhoTable(recipients, words, run.page()));
    }
  }
  for (const { message, hint = '' } of unmatched) run.say(`${message} ${hint}`.trim(), run.stderr);
  for (const { email, spellings } of also)
    run.say(`also: ${nameSome(spellings)}. ${sameMailboxWords(email)}`, run.stderr);
}

type WhoChoice = Pick<WhoRequest, 'loaded' | 'applied' | 'patterns' | 'selectors' | 'external'>;

/**
 * `almanac who --online`: asks Omni for facts that the declarations lack, and reports on stderr the cost and the gaps.
 * Answers are kept until the report is printed.
 */
async function askOnline(run: Run, options: WhoOptions, session: Session, choice: WhoChoice): Promise<void> {
  const progress = await run.progress(session, 'recipients');
  const reporter = progressReporter(run, session.shown);
  const { limit, resume = false } = options;
  try {
    const neighbours = await readNeighbours(run, session);
    const found = await run.asking({ loaded: session.loaded, reporter, nothing: 'changed' }, (service) =>
      whoOnline({
        ...choice,
        state: choice.applied.state,
        neighbours,
        service,
        progress,
        limit,
        resume,
        reporter,
        signal: run.signal,
      }),
    );
    reporter.end();
    const { finish, ...known } = found;
    const shown = session.shown(known);
    const { notRead, refused } = shown;
    await print(run, options, shown, notRead + refused.length);
    sayUnread(run, shown);
    await finish();
  } finally {
    reporter.end();
    await progress.close();
  }
}

function sayUnread(run: Run, found: Unread): void {
  const page = run.page(run.stderr);
  run.stderr.write(printText(unreadDoc(found, page), page));
}

type WhoOnlineRequest = Omit<WhoRequest, 'unmanaged' | 'ofNeighbours' | 'nameOf'> &
  Omit<UnmanagedRequest, 'mayReceive'>;

/**
 * Includes the schedules that Almanac does not manage, and the membership of each address. `knowsMembers` is false if
 * the token may not ask for that. Throws as `whoReceives` and `readUnmanaged` do; the former before anything is sent.
 */
async function whoOnline(request: WhoOnlineRequest) {
  whoReceives({ ...request, nameOf: noNames });
  const read = await readUnmanaged({ ...request, mayReceive: (row) => mayReceive(row, request) });
  const { listed, schedules, notRead, refused, probes, finish } = read;
  const { recipients, unmatched, also } = whoReceives({
    ...request,
    unmanaged: schedules,
    ofNeighbours: rowsOfNeighbours(request.neighbours, (id) => listed.some((row) => row.id === id)),
    nameOf: nameIn(request.state?.names, request.service.names()),
  });
  const receivers = schedules.flatMap((each) => each.receivers);
  const only = new Set(receivers.flatMap(({ recipient, emailOnly }) => (emailOnly ? [recipient] : [])));
  const emails = recipients.flatMap(({ kind, recipient }) => (kind === 'email' ? [recipient] : []));
  try {
    const memberships = await membershipsOf(emails, only, request.service);
    const withMembership = (each: Recipient): Recipient => {
      const { recipient, kind, deliveries } = each;
      const membership = kind === 'email' ? memberships?.get(recipient) : undefined;
      return membership === undefined ? each : { recipient, kind, membership, deliveries };
    };
    const knowsMembers = memberships !== undefined;
    const { service } = request;
    const members = once(async () => (await service.api()).listUsers({}, service.call));
    const nobody = knowsMembers
      ? await Promise.all(unmatched.map((each) => amongMembers(each, service, members)))
      : unmatched;
    const unread = { notRead, refused, probes, knowsMembers };
    return { recipients: recipients.map(withMembership), unmatched: nobody, also, ...unread, finish };
  } catch (error) {
    throw read.explain(error);
  }
}

/** Says of a member's address that it receives nothing. `members` lists all members. */
async function amongMembers(
  unmatched: Refusal<string>,
  service: Service,
  members: () => Promise<readonly RemoteUser[]>,
): Promise<Refusal<string>> {
  const [name = ''] = unmatched.about;
  if (!isAddress(name) || name.includes('*')) return unmatched;
  const member = await memberAt(name, await service.api(), service.call);
  return member === undefined
    ? nobodyOnline(name, unmatched.hint, members)
    : { about: [name], message: `${name} is a member of the organization, and receives nothing.` };
}

/** Only receivers by e-mail have an `@` in their names, and neither Slack nor a bucket has a domain. */
function mayReceive({ destinationType }: ListedSchedule, { patterns, external }: WhoOnlineRequest): boolean {
  if (destinationType === '' || destinationType === 'email') return true;
  if (external && (destinationType === 'slack' || destinationType === 's3')) return false;
  return patterns.length === 0 || patterns.some((pattern) => !pattern.includes('@'));
}

// The memberships of e-mail addresses in the organization. Only an organization key may ask, and it is asked for as
// little as possible.

interface PeoplePorts {
  token(): string;
  api(): Promise<Pick<Api, 'listUsers' | 'listEmailOnlyUsers'>>;
  readonly call: CallOptions;
}

/** Keyed by address in lower case. */
type Memberships = ReadonlyMap<string, Membership>;

/**
 * The membership of each address: a member, who may be deactivated, somebody of whom the organization knows nothing but
 * the address, or none of these. All addresses are in lower case. `emailOnly` are those of whom the service has said
 * already that it knows only the address. Undefined if the token may not ask: only an organization key may. It is
 * assumed that SCIM lists nobody without an account: the vendor's pages do not say so.
 */
export async function membershipsOf(
  emails: readonly string[],
  emailOnly: ReadonlySet<string>,
  service: PeoplePorts,
): Promise<Memberships | undefined> {
  if (!isOrganizationKey(service.token())) return undefined;
  const found = new Map<string, Membership>();
  const api = await service.api();
  try {
    const toLookUp = emails.filter((email) => !emailOnly.has(email));
    for (const { email, active } of await listed(toLookUp, (only) => api.listUsers(only, service.call))) {
      const address = email.toLowerCase();
      // Somebody who came back may have an active account beside one that is not.
      if (active || !found.has(address)) found.set(address, active ? 'member' : 'deactivated');
    }
    const strangers = toLookUp.filter((email) => !found.has(email));
    const known = await listed(strangers, (only) => api.listEmailOnlyUsers(only, service.call));
    for (const email of [...known.map((each) => each.toLowerCase()), ...emailOnly]) found.set(email, 'email-only');
  } catch (error) {
    if (!mayNotAskForPeople(error)) throw error;
    return undefined;
  }
  return new Map(emails.map((email) => [email, found.get(email) ?? 'unknown']));
}

/** Up to this many are asked for one by one, because a list may have many pages, which are not counted before. */
const fewAddresses = 5;

async function listed<T>(
  emails: readonly string[],
  ask: (only: { readonly email?: string }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (emails.length > fewAddresses) return ask({});
  return (await Promise.all(emails.map((email) => ask({ email })))).flat();
}

// Recipients and their deliveries, a line for each delivery. It is a table for a terminal, or blocks if that is too
// narrow, and CSV for a spreadsheet.

interface Line extends ListedDelivery, Pick<Recipient, 'recipient' | 'kind' | 'membership'> {
  /** Omni's name of a group that is known by its id. */
  readonly group?: string | undefined;
}

/** Ends with a newline. */
function renderWhoTable(
  recipients: readonly Recipient[],
  cronWords: (expression: string) => string,
  page: Page,
): string {
  if (recipients.length === 0) return 'No recipients.\n';
  const lines = deliveriesTo(recipients);
  const account: TableColumn<Line> = { title: 'ACCOUNT', cell: ({ membership }) => accountWords(membership) };
  const columns: readonly TableColumn<Line>[] = [
    { title: 'RECIPIENT', cell: recipientName },
    ...(lines.some(({ membership }) => membership !== undefined) ? [account] : []),
    { title: 'RECEIVES', cell: receivedName },
    { title: 'WHAT AND WHEN', cell: (line) => whatWords(line, cronWords), least: 16 },
    { title: 'BECAUSE OF', cell: becauseOf },
  ];
  const shown = isTableWhole(page, columns, lines)
    ? tableLines(page, columns, lines)
    : linesOf(blocksOf(lines, cronWords), page);
  const receiving = new Set(lines.flatMap(({ address }) => address ?? [])).size;
  const others = new Set(lines.flatMap(({ managed, id, trackedBy }) => (managed || trackedBy ? [] : [id]))).size;
  const theirs = new Set(lines.flatMap(({ trackedBy }) => (trackedBy ? JSON.stringify(trackedBy) : []))).size;
  const what = [
    ...(receiving === 0 && others + theirs > 0 ? [] : [countOf(receiving, 'resource')]),
    ...(others === 0 ? [] : [`${countOf(others, 'schedule')} that Almanac does not manage`]),
    ...(theirs === 0 ? [] : [`${theirs} that neighbours track`]),
  ];
  const words = `${countOf(recipients.length, 'recipient')} of ${what.join(' and ')}.`;
  return `${[...shown, '', words].join('\n')}\n`;
}

/** The recipient, and below it each delivery with its description and place. */
function blocksOf(lines: readonly Line[], cronWords: (expression: string) => string): Doc {
  const byRecipient = groupBy(lines, ({ recipient, kind }) => JSON.stringify([recipient, kind]));
  return [...byRecipient.values()].map((each) => {
    const [first] = each as [Line];
    const account = accountWords(first.membership);
    return part(
      strong(recipientName(first) + (account === '' ? '' : ` (${account})`)),
      ...each.flatMap((line) => [
        indented(2, receivedName(line)),
        indented(4, whatWords(line, cronWords), becauseOf(line)),
      ]),
    );
  });
}

/** A group may have an id for a name. */
function recipientName({ kind, recipient, group }: Line): string {
  if (kind !== 'group') return recipient;
  return group === undefined ? `group ${recipient}` : `group ${recipient} (${group})`;
}

function receivedName({ address, name, id }: Line): string {
  return address ?? name ?? id ?? '';
}

const csvColumns: CsvColumns<Line> = {
  recipient: ({ recipient }) => recipient,
  kind: ({ kind }) => kind,
  groupName: ({ group }) => group,
  address: ({ address }) => address,
  id: ({ id }) => id,
  name: ({ name }) => name,
  identifier: ({ identifier }) => identifier,
  dashboardName: ({ dashboardName }) => dashboardName,
  format: ({ format }) => format,
  schedule: ({ schedule }) => schedule,
  timezone: ({ timezone }) => timezone,
  paused: ({ paused }) => paused,
  kept: ({ kept = [] }) => kept.join(' '),
  managed: ({ managed }) => managed,
  sink: ({ sink }) => sink,
  via: ({ via, trackedBy }) => trackedWords(trackedBy) ?? (viaWords(via) || via.kind),
  file: ({ file }) => file,
  line: ({ line }) => line,
  membership: ({ membership }) => membership,
};

function deliveriesTo(recipients: readonly Recipient[]): readonly Line[] {
  return recipients.flatMap(({ recipient, kind, name: group, membership, deliveries }) =>
    deliveries.map((delivery) => ({ ...delivery, recipient, kind, group, membership })),
  );
}

function accountWords(membership: Membership | undefined): string {
  if (membership === undefined) return '';
  return membership === 'email-only' ? 'e-mail only' : membership;
}

/** `csv, at 09:00 on Monday Europe/London`. */
function whatWords(
  { format, schedule, timezone, paused, kept = [], sink }: Line,
  cronWords: (expression: string) => string,
): string {
  const when = schedule === undefined ? '' : [cronWords(schedule), timezone ?? ''].join(' ').trim();
  const asApplied = kept.length === 0 ? '' : `kept as applied last: ${kept.join(', ')}`;
  const instead = sink === undefined ? '' : `to the sink of ${sink} instead`;
  return [format ?? '', when, paused ? 'paused' : '', asApplied, instead].filter((part) => part !== '').join(', ');
}

function becauseOf({ via, file, line, managed, trackedBy }: Line): string {
  const place = file === undefined ? 'in Omni' : fileAndLine({ file, line });
  const isInState = via.kind === 'applied' || via.kind === 'unresolved';
  const untracked = trackedWords(trackedBy) ?? 'untracked';
  return [isInState ? '' : managed ? place : untracked, viaWords(via)].filter((part) => part !== '').join(', ');
}

function trackedWords(trackedBy: Line['trackedBy']): string | undefined {
  return trackedBy && `tracked by ${trackedBy.who}, as ${trackedBy.address}`;
}
