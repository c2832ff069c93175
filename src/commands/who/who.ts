// `almanac who [WHOM...]`: who receives what, from the declarations and the state. Sends nothing to Omni without
// --online.

import { loadCronWords } from '../../cron/describe-cron.ts';
import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import { nameIn, noNames } from '../../model/plan/names.ts';
import type { ListedSchedule } from '../../model/service/remote.ts';
import { isOrganizationKey } from '../../model/service/token-kinds.ts';
import { groupBy } from '../../model/values/collections.ts';
import { memoize } from '../../model/values/memoize.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { declaredAttributes, type Resource } from '../../model/workspace/resource.ts';
import { isPeopleRefusal } from '../../observe/owners/owners.ts';
import type { Api, CallOptions } from '../../omni/api.ts';
import type { ListedDelivery, Membership, Recipient } from '../../people/recipients-document.ts';
import { readUnmanaged, type UnmanagedRequest } from '../../people/unmanaged-recipients.ts';
import { type WhoReceives, type WhoRequest, whoReceives } from '../../people/who-receives.ts';
import { type Unread, unreadDoc, viaWords } from '../../people/who-words.ts';
import { appliedTo } from '../../plan/applied.ts';
import { isSelector } from '../../plan/select.ts';
import { type Doc, indented, part, strong } from '../../report/doc.ts';
import { linesOf, printText } from '../../report/print-text.ts';
import { type CsvColumns, csvText } from '../../report/table/csv-text.ts';
import { isTableWhole, type TableColumn, tableLines } from '../../report/table/table-lines.ts';
import { renderJson } from '../../report/text/render-json.ts';
import type { Page } from '../../report/text/theme.ts';
import { fileAndLine } from '../../report/text/words.ts';
import { progressReporter } from '../base/progress.ts';
import { readApplied } from '../base/read-applied.ts';
import type { Run, Session } from '../base/run.ts';
import type { WhoOptions } from './who-command.ts';
import type { WhoDocument } from './who-document.ts';
import { printRows } from './who-rows.ts';

export async function who(run: Run, options: WhoOptions, words: readonly string[]): Promise<number> {
  const { online = false, limit, resume } = options;
  if (!online && (limit !== undefined || resume))
    throw new Failure('usage', '--limit and --resume belong to --online.', { hint: 'Add --online.' });
  const patterns = words.filter((word) => !isSelector(word));
  const selectors = words.filter(isSelector);
  if (online && selectors.length > 0)
    throw new Failure('usage', `${selectors[0]} chooses among what is declared; --online adds what is not.`, {
      hint: 'Leave out one of them. Nothing was sent.',
    });
  // As from `almanac who "$EMAIL"` where the variable is not set.
  if (patterns.includes(''))
    throw new Failure('usage', 'A pattern is empty.', { hint: 'Leave it out to list everybody.' });
  // Also where a row is an error: the table may be what is missing.
  if (options.rows) {
    const { loaded } = await run.load();
    refuseWithoutEnvironment(loaded.missingEnvironment);
    printRows(run, options, words, loaded);
    return 0;
  }
  const session = await run.declared(online ? 'nothing was sent' : 'nothing was listed');
  const { loaded } = session;
  const asked = { loaded, patterns, selectors, external: options.external === true };
  if (online) {
    await askOnline(run, options, session, asked);
    return 0;
  }
  const applied = await readApplied(run, session);
  const nameOf = nameIn(session.shown(applied.state?.names));
  await print(run, options, whoReceives({ ...asked, applied, nameOf }), 0);
  if (patterns.length > 0 && loaded.desired.resources.some(namesGroups))
    run.say('Who is in a user group was not asked: --online reads it.', run.stderr);
  return 0;
}

function namesGroups(resource: Resource): boolean {
  return deliveryOf(resource.kind, declaredAttributes(resource)).to.some(({ kind }) => kind === 'group');
}

async function print(
  run: Run,
  options: WhoOptions,
  { recipients, unmatched }: WhoReceives,
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
  for (const { pattern, hint } of unmatched) run.say(`Nobody is ${pattern}.${nobodyHint(pattern, hint)}`, run.stderr);
}

function nobodyHint(pattern: string, hint: string | undefined): string {
  if (hint !== undefined) return ` ${hint}`;
  return /[@*]/.test(pattern) ? '' : ` Names are matched as a whole: try '*${pattern}*'.`;
}

/**
 * Who receives what, a line for each delivery: a table for a terminal, or blocks where it is too narrow for a table, and
 * CSV for a spreadsheet.
 */
interface Line extends ListedDelivery, Pick<Recipient, 'recipient' | 'kind' | 'membership'> {
  /** What Omni calls a group that is known by its id. */
  readonly group?: string | undefined;
}

/** Ends with a newline. */
function renderWhoTable(
  recipients: readonly Recipient[],
  cronWords: (expression: string) => string,
  page: Page,
): string {
  if (recipients.length === 0) return 'Nobody.\n';
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
  const others = new Set(lines.flatMap(({ managed, id }) => (managed ? [] : [id]))).size;
  const what = [
    ...(receiving === 0 && others > 0 ? [] : [countOf(receiving, 'resource')]),
    ...(others === 0 ? [] : [`${countOf(others, 'schedule')} that Almanac does not manage`]),
  ];
  const words = `${countOf(recipients.length, 'recipient')} of ${what.join(' and ')}.`;
  return `${[...shown, '', words].join('\n')}\n`;
}

/** The recipient, and below it each delivery with what it is and where it is written. */
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

/** A group may be called by an id. */
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
  via: ({ via }) => viaWords(via) || via.kind,
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

function becauseOf({ via, file, line, managed }: Line): string {
  const place = file === undefined ? 'in Omni' : fileAndLine({ file, line });
  const isInState = via.kind === 'applied' || via.kind === 'unresolved';
  return [isInState ? '' : managed ? place : 'untracked', viaWords(via)].filter((part) => part !== '').join(', ');
}

type WhoChoice = Pick<WhoRequest, 'loaded' | 'patterns' | 'selectors' | 'external'>;

/**
 * `almanac who --online`: asks Omni for what the declarations do not know, and says on the error stream what it takes and
 * what stays unknown. What was read is kept until it is printed.
 */
async function askOnline(run: Run, options: WhoOptions, session: Session, asked: WhoChoice): Promise<void> {
  const state = await run.readState(await run.store(session), session.loaded.config);
  const applied = await appliedTo(session.loaded, state, run);
  const progress = await run.progress(session, 'recipients');
  const reporter = progressReporter(run, session.shown);
  const { limit, resume = false } = options;
  try {
    const found = await run.asking({ loaded: session.loaded, reporter, nothing: 'changed' }, (service) =>
      whoOnline({ ...asked, applied, state, service, progress, limit, resume, reporter, signal: run.signal }),
    );
    reporter.end();
    const { recipients, unmatched, left, refused, knowsMembers } = found;
    const shown = session.shown({ recipients, unmatched, left, refused, knowsMembers });
    await print(run, options, shown, left + refused.length);
    sayUnread(run, shown);
    await found.finish();
  } finally {
    reporter.end();
    await progress.close();
  }
}

function sayUnread(run: Run, found: Unread): void {
  const page = run.page(run.stderr);
  run.stderr.write(printText(unreadDoc(found, page), page));
}

type WhoOnlineRequest = Omit<WhoRequest, 'unmanaged' | 'nameOf'> & Omit<UnmanagedRequest, 'mayReceive'>;

/**
 * With the schedules that Almanac does not manage, and with what each address is to the organization. `knowsMembers`: false
 * where the token may not ask for that. Throws what `whoReceives` and `readUnmanaged` throw; the former before anything is
 * sent.
 */
async function whoOnline(request: WhoOnlineRequest) {
  whoReceives({ ...request, nameOf: noNames });
  const read = await readUnmanaged({ ...request, mayReceive: (row) => mayReceive(row, request) });
  const { schedules, left, refused, finish } = read;
  const { recipients, unmatched } = whoReceives({
    ...request,
    unmanaged: schedules,
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
    return { recipients: recipients.map(withMembership), unmatched, left, refused, finish, knowsMembers };
  } catch (error) {
    throw read.explain(error);
  }
}

/** Only what an e-mail reaches has an `@` in its name, and neither Slack nor a bucket has a domain. */
function mayReceive({ destinationType }: ListedSchedule, { patterns, external }: WhoOnlineRequest): boolean {
  if (destinationType === '' || destinationType === 'email') return true;
  if (external && (destinationType === 'slack' || destinationType === 's3')) return false;
  return patterns.length === 0 || patterns.some((pattern) => !pattern.includes('@'));
}

interface PeoplePorts {
  token(): string;
  api(): Promise<Pick<Api, 'listUsers' | 'listEmailOnlyUsers'>>;
  readonly call: CallOptions;
}

/** By address in lower case. */
type Memberships = ReadonlyMap<string, Membership>;

/**
 * What e-mail addresses are to the organization: its members, who may be deactivated, people of whom it knows nothing but
 * the address, or none of these. All addresses are in lower case. `emailOnly`: those of whom the service has said already
 * that it knows only the address. Undefined where the token may not ask: only an organization key may. It is assumed that
 * SCIM lists nobody who has no account: the vendor's pages do not say so.
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
    const others = emails.filter((email) => !emailOnly.has(email));
    for (const { email, active } of await listed(others, (only) => api.listUsers(only, service.call))) {
      const address = email.toLowerCase();
      // Somebody who came back may have an account that is active beside another that is not.
      if (active || !found.has(address)) found.set(address, active ? 'member' : 'deactivated');
    }
    const strangers = others.filter((email) => !found.has(email));
    const known = await listed(strangers, (only) => api.listEmailOnlyUsers(only, service.call));
    for (const email of [...known.map((each) => each.toLowerCase()), ...emailOnly]) found.set(email, 'email-only');
  } catch (error) {
    if (!isPeopleRefusal(error)) throw error;
    return undefined;
  }
  return new Map(emails.map((email) => [email, found.get(email) ?? 'unknown']));
}

/** Up to this many are asked for one by one: a list may have many pages, and nobody knows how many before the first. */
const fewAddresses = 5;

async function listed<T>(
  emails: readonly string[],
  ask: (only: { readonly email?: string }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (emails.length > fewAddresses) return ask({});
  return (await Promise.all(emails.map((email) => ask({ email })))).flat();
}
