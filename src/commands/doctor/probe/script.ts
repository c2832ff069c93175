// The requests of a probe on a dashboard, and what their answers show. Each schedule runs first in the year 2099, is
// named in the leftovers before its POST, is read and paused next, and goes to a host that ends in `.invalid` or to one
// member. Apart from downloads, only POST, GET, PUT, pause, resume, recipients and DELETE of these schedules are sent.

import type { Clock, Randomness } from '../../../model/outside.ts';
import { type Principal, probeName, probeRun, type RemoteFilters } from '../../../model/service/remote.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { countOf, quote } from '../../../model/values/words.ts';
import { Failure, statusOf } from '../../../model/workspace/failure.ts';
import { serviceNow } from '../../../observe/service.ts';
import type { Api, CallOptions } from '../../../omni/api.ts';
import type { Leftovers } from './leftovers.ts';
import { type CameBack, type Reply, type StatementId, shownWords, Verdicts } from './statements.ts';
import { maxDownloads, ofTile, type TileToTry, tryDownloads } from './try-downloads.ts';

export interface ProbeTarget {
  readonly identifier: string;
  readonly filters: RemoteFilters['filters'];
  /** The address of an active member. */
  readonly to: string | undefined;
  /** A group with access to the dashboard. */
  readonly group: Principal | undefined;
  /** The tile to download, if the dashboard has one. */
  readonly tile: TileToTry | undefined;
  readonly hasTile: boolean;
}

/** The schedules and requests of a probe if Omni answers as expected, including those that clean up. */
export function scriptCost({ to, group, tile }: Pick<ProbeTarget, 'to' | 'group' | 'tile'>) {
  const made = to === undefined ? 4 : 5;
  const ofMail = to === undefined ? 0 : 5;
  const ofGroup = group === undefined ? 0 : 9;
  const downloads = maxDownloads(tile);
  // One of them is deleted on the way; the list finds the others.
  const cleaning = 1 + made - 1;
  return { made, downloads, requests: 2 * downloads + 27 + made + ofMail + ofGroup + cleaning };
}

export interface ScriptPorts {
  readonly api: Api;
  readonly call: CallOptions;
  readonly leftovers: Leftovers;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

interface ProbeSession extends ScriptPorts {
  readonly target: ProbeTarget;
  readonly verdicts: Verdicts;
}

/** Throws every failure but the refusal of one request; the leftovers name the schedules made until then. */
export async function runScript(target: ProbeTarget, ports: ScriptPorts): Promise<Verdicts> {
  const probing: ProbeSession = { ...ports, target, verdicts: new Verdicts() };
  probing.verdicts.notTried(onlySeen, 'create-announces-nothing');
  // First, because downloads take long, and nothing is made yet.
  await tryTile(probing);
  const hook = await makeHook(probing);
  await trySftp(probing);
  const mail = await makeMail(probing);
  if (hook !== undefined) await readHook(hook, probing);
  if (hook !== undefined) await changeHook(hook, probing);
  if (mail !== undefined) await tryGroup(mail, probing);
  await tryRefusals(probing);
  if (hook !== undefined) await tryDelete(hook, probing);
  return probing.verdicts;
}

const onlySeen = 'Only people can see it: ask its owner and the member of --to whether Omni wrote to them.';
const noFilter = 'The dashboard has no filter of texts.';

async function tryTile(probing: ProbeSession): Promise<void> {
  const { verdicts, target } = probing;
  const { tile, identifier, hasTile } = target;
  if (ownFilter(target) === undefined) verdicts.notTried(noFilter, ...ofTile);
  if (!hasTile) verdicts.notTried('Omni names no tile of the dashboard.', ...ofTile);
  if (tile !== undefined) await tryDownloads(identifier, tile, probing, verdicts);
}

interface ProbeSchedule {
  readonly id: string;
  readonly sent: JsonObject;
}

const host = 'almanac-probe.invalid';
const url = `https://${host}/`;
const first = { schedule: probeRun, timezone: 'UTC', format: 'csv' };
const otherZone = 'Europe/London';
const rowLimit = { overrideRowLimit: true, maxRowLimit: 10 };

/** Makes a webhook that sets one filter, and sends the same request once more. */
async function makeHook(probing: ProbeSession): Promise<ProbeSchedule | undefined> {
  const { target, verdicts } = probing;
  const own = ownFilter(target);
  const filterConfig = own && { [own]: { ...(target.filters[own] as JsonObject), values: ['Almanac probe'] } };
  const fields = { destinationType: 'webhook', url, ...rowLimit, ...(filterConfig && { filterConfig }) };
  const { answer, made } = await make(fields, probing);
  verdicts.isDone('create-is-done', answer);
  if (made === undefined) return undefined;
  const twin = await make(made.sent, probing);
  const isAnother = twin.made !== undefined && twin.made.id !== made.id;
  verdicts.holds('post-makes-another', isAnother, 'It makes no second one.');
  return made;
}

async function trySftp(probing: ProbeSession): Promise<void> {
  const { api, call, verdicts, randomness } = probing;
  const server = { address: host, port: 22, username: 'almanac-probe' };
  const passwordUnencrypted = randomness.uuid();
  const fields = { destinationType: 'sftp', ...server, path: '/almanac-probe', passwordUnencrypted };
  const bare = await make(fields, probing);
  verdicts.isDone('sftp-takes-host', bare.answer);
  verdicts.isDone('sftp-takes-url', (await make({ ...fields, address: `sftp://${host}` }, probing)).answer);
  if (bare.made === undefined) return;
  const detail = await api.getSchedule(bare.made.id, call);
  const recipients = await api.getRecipients(bare.made.id, call);
  verdicts.comesBack('sftp-comes-back', shownOfAll(server, recipients.settings));
  const isShown = JSON.stringify([detail, recipients]).includes(passwordUnencrypted);
  verdicts.holds('password-stays-hidden', !isShown, 'It comes back.');
}

async function makeMail(probing: ProbeSession): Promise<ProbeSchedule | undefined> {
  const { api, call, verdicts, target } = probing;
  const { to } = target;
  if (to === undefined) return undefined;
  const { made } = await make({ destinationType: 'email', recipients: [to], subject: 'Almanac probe' }, probing);
  if (made === undefined) return undefined;
  const { emails = [], emailOnly } = await api.getRecipients(made.id, call);
  verdicts.comesBack(
    'receiver-comes-back',
    shownOf([to.toLowerCase()], emails.length === 0 ? undefined : emails.map(lowerCase)),
  );
  verdicts.holds('member-has-account', emailOnly === undefined, 'The member is listed as an address alone.');
  const count = await recipientCount(made, probing);
  if (count !== undefined) verdicts.holds('list-counts-addresses', count === 1, `It counts ${count}.`);
  const detailed = shownOf([to.toLowerCase()], (await detailedEmails(made, probing))?.map(lowerCase));
  verdicts.comesBack('details-name-receivers', detailed);
  if (detailed === 'absent') verdicts.notTried('The details do not have the addresses.', 'details-show-groups');
  return made;
}

async function recipientCount({ id }: ProbeSchedule, probing: ProbeSession): Promise<number | undefined> {
  return (await rows(probing)).find((row) => row.id === id)?.recipientCount;
}

/** Undefined if the details do not say that these are all. */
async function detailedEmails(
  { id }: ProbeSchedule,
  { api, call }: ProbeSession,
): Promise<readonly string[] | undefined> {
  return (await api.getSchedule(id, call)).destinations[0]?.emails;
}

async function readHook({ id, sent }: ProbeSchedule, probing: ProbeSession): Promise<void> {
  const { api, call, clock, verdicts, target } = probing;
  const row = (await rows(probing)).find((each) => each.id === id);
  verdicts.holds('list-has-new', row !== undefined && row.name === sent['name'], 'It is not in the list.');
  const detail = await api.getSchedule(id, call);
  if (row !== undefined) {
    verdicts.comesBack('list-names-dashboard', shownOf(target.identifier, row.identifier || undefined));
    verdicts.comesBack('list-keeps-cron', shownOf(sent['schedule'], row.schedule || undefined));
    const { timezone, format, destinationType } = sent;
    verdicts.comesBack('list-keeps-fields', shownOfAll({ timezone, format, destinationType }, row));
    verdicts.holds('list-says-paused', row.paused, 'The list does not say it.');
    verdicts.holds('nothing-delivered', row.lastCompletedAt === undefined, 'The list says that it has run.');
    const isAlike = row.ownerId !== undefined && row.ownerId === detail.ownerId;
    verdicts.holds('owner-is-alike', isAlike, 'They name two, or one of them names none.');
  }
  const off = Math.round((Date.parse(detail.createdAt) - serviceNow(clock, api)) / 1000);
  verdicts.holds('created-at-is-now', Math.abs(off) <= maxOff, `It is ${countOf(off, 'second')} from it.`);
  verdicts.comesBack('format-comes-back', shownOf(sent['format'], detail.destinations[0]?.format || undefined));
  const limit = shownOf(rowLimit.maxRowLimit, detail.metadata['maxRowLimit']);
  verdicts.comesBack('row-limit-comes-back', limit);
  if (limit === 'absent') verdicts.notTried('The details have no maxRowLimit.', 'put-resets-options');
  const own = ownFilter(target);
  if (own === undefined) verdicts.notTried(noFilter, 'filter-comes-back', 'put-resets-filters');
  else verdicts.comesBack('filter-comes-back', shownOf(ownValue(sent, own), detail.filterConfig?.[own]));
  const followed = Object.keys(target.filters).find((each) => each !== own);
  if (followed === undefined) verdicts.notTried('The dashboard has no second filter.', 'filter-follows-dashboard');
  else {
    const shown = shownOf(target.filters[followed], detail.filterConfig?.[followed]);
    verdicts.comesBack('filter-follows-dashboard', shown);
  }
  verdicts.comesBack('url-comes-back', shownOf(url, (await api.getRecipients(id, call)).settings['url']));
}

/** In seconds. */
const maxOff = 120;

async function changeHook({ id, sent }: ProbeSchedule, { api, call, verdicts, target }: ProbeSession): Promise<void> {
  verdicts.isRefused('pause-again-refused', await answerTo(api.pauseSchedule(id, call)), 400);
  verdicts.isDone('resume-is-done', await answerTo(api.resumeSchedule(id, call)));
  verdicts.isRefused('resume-again-refused', await answerTo(api.resumeSchedule(id, call)), 400);
  await answerTo(api.pauseSchedule(id, call));
  const { filterConfig: _, overrideRowLimit: __, maxRowLimit: ___, ...kept } = sent;
  const replaced = await answerTo(api.updateSchedule(id, { ...kept, timezone: otherZone }, call));
  verdicts.isDone('put-is-done', replaced);
  const detail = await api.getSchedule(id, call);
  if (replaced !== 'done') return;
  verdicts.comesBack('put-changes', shownOf(otherZone, detail.timezone || undefined));
  verdicts.holds('put-keeps-pause', detail.paused, 'It is no longer paused.');
  if (verdicts.isOpen('put-resets-options')) {
    const limit = shownOf(rowLimit.maxRowLimit, detail.metadata['maxRowLimit']);
    verdicts.holds('put-resets-options', limit === 'absent', shownWords[limit]);
  }
  const own = ownFilter(target);
  if (own === undefined) return;
  const filter = shownOf(ownValue(sent, own), detail.filterConfig?.[own]);
  verdicts.holds('put-resets-filters', filter !== 'as-sent', 'They stay.');
}

async function tryGroup(made: ProbeSchedule, probing: ProbeSession): Promise<void> {
  const { id, sent } = made;
  const { api, call, verdicts, randomness, target } = probing;
  const { group } = target;
  if (group === undefined) return;
  const receiving = async () => {
    const { groups = [], emails = [] } = await api.getRecipients(id, call);
    return { ours: groups.filter((each) => each.id === group.id), emails };
  };
  verdicts.isRefused('dead-group-refused', await answerTo(api.addRecipients(id, [randomness.uuid()], call)), 400, 404);
  if ((await answerTo(api.addRecipients(id, [group.id], call))) !== 'done') return;
  const again = await answerTo(api.addRecipients(id, [group.id], call));
  const { ours } = await receiving();
  const words =
    again === 'done' ? `It receives it ${ours.length} times.` : `The second time was refused with ${again}.`;
  verdicts.holds('group-is-added-once', again === 'done' && ours.length === 1, words);
  const member = target.to?.toLowerCase();
  const others = ours.flatMap(({ emails }) => emails).filter((each) => lowerCase(each) !== member).length;
  const count = await recipientCount(made, probing);
  if (others === 0) verdicts.notTried('The group has no member but that of --to.', 'list-counts-no-members');
  else if (count !== undefined) {
    const came = `It counts ${count} for one address and ${others} others in a group.`;
    verdicts.holds('list-counts-no-members', count === 1, came);
  }
  if (verdicts.isOpen('details-show-groups')) {
    const isHidden = (await detailedEmails(made, probing)) !== undefined;
    verdicts.holds('details-show-groups', !isHidden, 'They look as if no user group did.');
  }
  if ((await answerTo(api.updateSchedule(id, sent, call))) === 'done') {
    const isKept = (await receiving()).ours.length > 0;
    verdicts.holds('put-keeps-groups', isKept, 'The group no longer receives it.');
    if (!isKept) await answerTo(api.addRecipients(id, [group.id], call));
  }
  const last = await answerTo(api.removeRecipients(id, { emails: [target.to ?? ''] }, call));
  verdicts.isDone('last-address-may-go', last);
}

/** If Omni accepts one of them, it is deleted with the others. */
async function tryRefusals(probing: ProbeSession): Promise<void> {
  const { verdicts } = probing;
  const hook = { destinationType: 'webhook', url };
  const refused = async (id: StatementId, fields: JsonObject) =>
    verdicts.isRefused(id, (await make({ ...hook, ...fields }, probing)).answer, 400);
  await refused('unknown-filter-refused', { filterConfig: { 'almanac-probe': { type: 'string', values: ['x'] } } });
  await refused('unknown-tile-refused', { queryIdentifierMapKey: 'almanac-probe' });
  await refused('half-condition-refused', { conditionType: 'RESULTS_PRESENT' });
  await refused('fit-page-refused', { format: 'pdf', paperFormat: 'fit_page', expandTablesToShowAllRows: true });
}

async function tryDelete({ id, sent }: ProbeSchedule, probing: ProbeSession): Promise<void> {
  const { api, call, leftovers, verdicts } = probing;
  if ((await answerTo(api.deleteSchedule(id, call))) !== 'done') return;
  await leftovers.deleted(String(sent['name']), id);
  verdicts.isRefused('deleted-is-gone', await answerTo(api.getSchedule(id, call)), 404);
  verdicts.isRefused('delete-again-refused', await answerTo(api.deleteSchedule(id, call)), 404);
  const isListed = (await rows(probing)).some((row) => row.id === id);
  verdicts.holds('list-lacks-deleted', !isListed, 'It is still in the list.');
}

/** The number of reads of a new schedule that Omni does not know yet, and the pause between them in milliseconds. */
const maxTries = 5;
const betweenTries = 3000;

/**
 * Creates a schedule, and pauses it once Omni has shown that it has the name that was sent: an answer may hold the id
 * of another schedule. A `name` among the fields is one that the probe has used already.
 */
async function make(
  fields: JsonObject,
  probing: ProbeSession,
): Promise<{ readonly answer: Reply; readonly made?: ProbeSchedule }> {
  const { api, call, clock, leftovers, verdicts, randomness, target } = probing;
  const { identifier } = target;
  const { name: given = probeName(randomness.uuid()) } = fields;
  const name = String(given);
  const sent = { identifier, ...first, ...fields, name };
  await leftovers.sending(name, identifier);
  const created = await createdBy(api.createSchedule(sent, call), () => leftovers.refused(name));
  if (typeof created === 'number') return { answer: created };
  await leftovers.made(name, created);
  const check = async () => {
    const { name: found } = await api.getSchedule(created, call);
    if (found === name) return api.pauseSchedule(created, call);
    await leftovers.another(name, created);
    throw foreignSchedule(found, created);
  };
  for (let count = 1; ; count++) {
    const paused = await answerTo(check());
    if (paused !== 'done' || verdicts.isOpen('new-can-be-changed')) verdicts.isDone('new-can-be-changed', paused);
    if (paused === 'done') return { answer: 'done', made: { id: created, sent } };
    if (count === maxTries)
      throw new Failure('refused', `A new schedule cannot be read and paused: it was refused with ${paused}.`);
    await clock.sleep(betweenTries, call.signal);
  }
}

function foreignSchedule(name: string, id: string): Failure {
  return new Failure(
    'refused',
    `A POST was answered with the id of another schedule: ${quote(name)} (id ${id}). Nothing was sent about that one.`,
    { hint: 'Find out what answers between Almanac and Omni, such as a proxy, before you apply anything.' },
  );
}

/** The id, or the status of the refusal. `refused` means that it certainly made nothing. */
async function createdBy(
  creation: ReturnType<Api['createSchedule']>,
  refused: () => Promise<void>,
): Promise<string | number> {
  try {
    const { id } = await creation;
    if (id === undefined) throw new Error('a schedule without an id');
    return id;
  } catch (error) {
    if (error instanceof Failure && error.code !== 'api-answer-lost') await refused();
    return refusal(error);
  }
}

async function answerTo(request: Promise<unknown>): Promise<Reply> {
  try {
    await request;
    return 'done';
  } catch (error) {
    return refusal(error);
  }
}

/** Rethrows failures beyond one request: without rights, or without an answer, nothing more can be learnt. */
function refusal(error: unknown): number {
  const status = statusOf(error);
  if (error instanceof Failure && error.code === 'api-rejected' && status !== undefined) return status;
  throw error;
}

function rows({ api, call, target: { identifier } }: ProbeSession): ReturnType<Api['listSchedules']> {
  return api.listSchedules({ identifier }, call);
}

/** The first text filter, which a schedule may set. */
function ownFilter({ filters }: ProbeTarget): string | undefined {
  return Object.keys(filters).find((id) => isJsonObject(filters[id]) && filters[id]['type'] === 'string');
}

function ownValue({ filterConfig }: JsonObject, id: string): Json | undefined {
  return isJsonObject(filterConfig) ? filterConfig[id] : undefined;
}

function shownOf(sent: Json | undefined, shown: Json | undefined): CameBack {
  if (shown === undefined || shown === null) return 'absent';
  return equalJson(sent, shown) ? 'as-sent' : 'otherwise';
}

/** The worst result among several fields. */
function shownOfAll(sent: Readonly<Record<string, Json | undefined>>, shown: JsonObject): CameBack {
  const each = Object.entries(sent).map(([name, value]) => shownOf(value, shown[name]));
  return each.find((one) => one === 'otherwise') ?? each.find((one) => one === 'absent') ?? 'as-sent';
}

const lowerCase = (text: string): string => text.toLowerCase();
