// The requests of a probe on a dashboard, and what their answers show. Each schedule runs first in the year 2099, is
// named in the leftovers before its POST, is read and paused next, and goes to a host that ends in `.invalid` or to one
// member. Apart from downloads, only POST, GET, PUT, pause, resume, recipients and DELETE of these schedules are sent.

import { quote } from '../../../declare/formats/quote.ts';
import type { Clock, Randomness } from '../../../model/outside.ts';
import { probeName, probeRun } from '../../../model/service/probe-schedules.ts';
import type { Principal, RemoteFilters } from '../../../model/service/remote.ts';
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../model/values/json.ts';
import { Failure, statusOf } from '../../../model/workspace/failure.ts';
import { serviceNow } from '../../../observe/service.ts';
import type { Api, CallOptions } from '../../../omni/api.ts';
import type { Leftovers } from './leftovers.ts';
import type { CameBack, Observations, Reply } from './observations.ts';
import { maxDownloads, type TileToTry, tryDownloads } from './try-downloads.ts';

export interface ProbeTarget {
  /** Of the dashboard. */
  readonly identifier: string;
  /** Its filters as they are. */
  readonly filters: RemoteFilters['filters'];
  /** The address of an active member. */
  readonly to: string | undefined;
  /** With access to the dashboard. */
  readonly group: Principal | undefined;
  /** What is downloaded, where the dashboard has it. */
  readonly tile: TileToTry | undefined;
  readonly hasTile: boolean;
}

/** What it makes and sends where Omni answers as we expect, the requests that clean up included. */
export function scriptCost({ to, group, tile }: Pick<ProbeTarget, 'to' | 'group' | 'tile'>) {
  const made = to === undefined ? 4 : 5;
  const ofMail = to === undefined ? 0 : 5;
  const ofGroup = group === undefined ? 0 : 9;
  const downloads = maxDownloads(tile);
  // One of them is deleted on the way; the list finds the others.
  const cleaning = 1 + made - 1;
  return { made, downloads, requests: 2 * downloads + 27 + made + ofMail + ofGroup + cleaning };
}

interface ScriptPorts {
  readonly api: Api;
  readonly call: CallOptions;
  readonly leftovers: Leftovers;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

interface ProbeSession extends ScriptPorts {
  readonly target: ProbeTarget;
  readonly observed: Observations;
}

/** Throws every failure but the refusal of one request; the leftovers name what it has made until then. */
export async function runScript(target: ProbeTarget, ports: ScriptPorts): Promise<Observations> {
  const probing: ProbeSession = { ...ports, target, observed: {} };
  // First, because they take long, and nothing is made yet.
  await tryTile(probing);
  const hook = await makeHook(probing);
  await trySftp(probing);
  const mail = await makeMail(probing);
  if (hook !== undefined) await readHook(hook, probing);
  if (hook !== undefined) await changeHook(hook, probing);
  if (mail !== undefined) await tryGroup(mail, probing);
  await tryRefusals(probing);
  if (hook !== undefined) await tryDelete(hook, probing);
  return probing.observed;
}

async function tryTile(probing: ProbeSession): Promise<void> {
  const { observed, target } = probing;
  const { tile, identifier, hasTile } = target;
  observed.hasFilter = ownFilter(target) !== undefined;
  observed.hasTile = hasTile;
  observed.hasSecondFilter = tile?.second !== undefined;
  if (tile !== undefined) await tryDownloads(identifier, tile, probing, observed);
}

/** A schedule that is there, as it was sent. */
interface ProbeSchedule {
  readonly id: string;
  readonly sent: JsonObject;
}

const host = 'almanac-probe.invalid';
const url = `https://${host}/`;
const first = { schedule: probeRun, timezone: 'UTC', format: 'csv' };
const otherZone = 'Europe/London';
const rowLimit = { overrideRowLimit: true, maxRowLimit: 10 };

/** A webhook that sets one filter, and the same request once more. */
async function makeHook(probing: ProbeSession): Promise<ProbeSchedule | undefined> {
  const { target, observed } = probing;
  const own = ownFilter(target);
  const filterConfig = own && { [own]: { ...(target.filters[own] as JsonObject), values: ['Almanac probe'] } };
  const fields = { destinationType: 'webhook', url, ...rowLimit, ...(filterConfig && { filterConfig }) };
  const { answer, made } = await make(fields, probing);
  observed.created = answer;
  if (made === undefined) return undefined;
  const twin = await make(made.sent, probing);
  observed.isTwinAnother = twin.made !== undefined && twin.made.id !== made.id;
  return made;
}

async function trySftp(probing: ProbeSession): Promise<void> {
  const { api, call, observed, randomness } = probing;
  const server = { address: host, port: 22, username: 'almanac-probe' };
  const passwordUnencrypted = randomness.uuid();
  const fields = { destinationType: 'sftp', ...server, path: '/almanac-probe', passwordUnencrypted };
  const bare = await make(fields, probing);
  observed.bareHost = bare.answer;
  observed.urlAddress = (await make({ ...fields, address: `sftp://${host}` }, probing)).answer;
  if (bare.made === undefined) return;
  const detail = await api.getSchedule(bare.made.id, call);
  const recipients = await api.getRecipients(bare.made.id, call);
  observed.server = shownOfAll(server, recipients.settings);
  observed.isPasswordShown = JSON.stringify([detail, recipients]).includes(passwordUnencrypted);
}

async function makeMail(probing: ProbeSession): Promise<ProbeSchedule | undefined> {
  const { api, call, observed, target } = probing;
  const { to } = target;
  if (to === undefined) return undefined;
  const { made } = await make({ destinationType: 'email', recipients: [to], subject: 'Almanac probe' }, probing);
  if (made === undefined) return undefined;
  const { emails = [], emailOnly } = await api.getRecipients(made.id, call);
  observed.receiver = shownOf([to.toLowerCase()], emails.length === 0 ? undefined : emails.map(lowerCase));
  observed.isReceiverMember = emailOnly === undefined;
  const row = (await rows(probing)).find(({ id }) => id === made.id);
  observed.recipientCount = row?.recipientCount;
  observed.detailedReceiver = shownOf([to.toLowerCase()], (await detailedEmails(made, probing))?.map(lowerCase));
  return made;
}

/** Undefined where the details do not say that these are all. */
async function detailedEmails(
  { id }: ProbeSchedule,
  { api, call }: ProbeSession,
): Promise<readonly string[] | undefined> {
  return (await api.getSchedule(id, call)).destinations[0]?.emails;
}

async function readHook({ id, sent }: ProbeSchedule, probing: ProbeSession): Promise<void> {
  const { api, call, clock, observed, target } = probing;
  const row = (await rows(probing)).find((each) => each.id === id);
  observed.isListed = row !== undefined && row.name === sent['name'];
  const detail = await api.getSchedule(id, call);
  if (row !== undefined) {
    observed.listedDashboard = shownOf(target.identifier, row.identifier || undefined);
    observed.listedCron = shownOf(sent['schedule'], row.schedule || undefined);
    const { timezone, format, destinationType } = sent;
    observed.listedFields = shownOfAll({ timezone, format, destinationType }, row);
    observed.isListedAsPaused = row.paused;
    observed.hasRun = row.lastCompletedAt !== undefined;
    observed.isOwnerAlike = row.ownerId !== undefined && row.ownerId === detail.ownerId;
  }
  observed.createdOff = Math.round((Date.parse(detail.createdAt) - serviceNow(clock, api)) / 1000);
  observed.format = shownOf(sent['format'], detail.destinations[0]?.format || undefined);
  observed.rowLimit = shownOf(rowLimit.maxRowLimit, detail.metadata['maxRowLimit']);
  const own = ownFilter(target);
  if (own !== undefined) observed.ownFilter = shownOf(ownValue(sent, own), detail.filterConfig?.[own]);
  const followed = Object.keys(target.filters).find((each) => each !== own);
  if (followed !== undefined)
    observed.followedFilter = shownOf(target.filters[followed], detail.filterConfig?.[followed]);
  observed.url = shownOf(url, (await api.getRecipients(id, call)).settings['url']);
}

async function changeHook({ id, sent }: ProbeSchedule, { api, call, observed, target }: ProbeSession): Promise<void> {
  observed.pausedAgain = await answerTo(api.pauseSchedule(id, call));
  observed.resumed = await answerTo(api.resumeSchedule(id, call));
  observed.resumedAgain = await answerTo(api.resumeSchedule(id, call));
  await answerTo(api.pauseSchedule(id, call));
  const { filterConfig: _, overrideRowLimit: __, maxRowLimit: ___, ...kept } = sent;
  observed.replaced = await answerTo(api.updateSchedule(id, { ...kept, timezone: otherZone }, call));
  const detail = await api.getSchedule(id, call);
  if (observed.replaced !== 'done') return;
  observed.zoneAfterPut = shownOf(otherZone, detail.timezone || undefined);
  observed.isPausedAfterPut = detail.paused;
  observed.rowLimitAfterPut = shownOf(rowLimit.maxRowLimit, detail.metadata['maxRowLimit']);
  const own = ownFilter(target);
  if (own !== undefined) observed.ownFilterAfterPut = shownOf(ownValue(sent, own), detail.filterConfig?.[own]);
}

async function tryGroup(made: ProbeSchedule, probing: ProbeSession): Promise<void> {
  const { id, sent } = made;
  const { api, call, observed, randomness, target } = probing;
  const { group } = target;
  if (group === undefined) return;
  const receiving = async () => {
    const { groups = [], emails = [] } = await api.getRecipients(id, call);
    return { ours: groups.filter((each) => each.id === group.id), emails };
  };
  observed.deadGroup = await answerTo(api.addRecipients(id, [randomness.uuid()], call));
  if ((await answerTo(api.addRecipients(id, [group.id], call))) !== 'done') return;
  observed.addedAgain = await answerTo(api.addRecipients(id, [group.id], call));
  const { ours } = await receiving();
  observed.groupTimes = ours.length;
  const member = target.to?.toLowerCase();
  observed.groupOthers = ours.flatMap(({ emails }) => emails).filter((each) => lowerCase(each) !== member).length;
  observed.recipientCountWithGroup = (await rows(probing)).find((row) => row.id === id)?.recipientCount;
  observed.isGroupHidden = (await detailedEmails(made, probing)) !== undefined;
  if ((await answerTo(api.updateSchedule(id, sent, call))) === 'done')
    observed.groupTimesAfterPut = (await receiving()).ours.length;
  if (observed.groupTimesAfterPut === 0) await answerTo(api.addRecipients(id, [group.id], call));
  observed.lastAddress = await answerTo(api.removeRecipients(id, { emails: [target.to ?? ''] }, call));
}

/** Where one of them is taken, it is deleted with the others. */
async function tryRefusals(probing: ProbeSession): Promise<void> {
  const { observed } = probing;
  const hook = { destinationType: 'webhook', url };
  const taken = async (fields: JsonObject) => (await make({ ...hook, ...fields }, probing)).answer;
  observed.unknownFilter = await taken({ filterConfig: { 'almanac-probe': { type: 'string', values: ['x'] } } });
  observed.unknownTile = await taken({ queryIdentifierMapKey: 'almanac-probe' });
  observed.halfCondition = await taken({ conditionType: 'RESULTS_PRESENT' });
  observed.fitPage = await taken({ format: 'pdf', paperFormat: 'fit_page', expandTablesToShowAllRows: true });
}

async function tryDelete({ id, sent }: ProbeSchedule, probing: ProbeSession): Promise<void> {
  const { api, call, leftovers, observed } = probing;
  if ((await answerTo(api.deleteSchedule(id, call))) !== 'done') return;
  await leftovers.deleted(String(sent['name']), id);
  observed.read = await answerTo(api.getSchedule(id, call));
  observed.deletedAgain = await answerTo(api.deleteSchedule(id, call));
  observed.isStillListed = (await rows(probing)).some((row) => row.id === id);
}

/** As often, and with this pause in milliseconds, a new schedule is asked for that Omni does not know yet. */
const maxTries = 5;
const betweenTries = 3000;

/**
 * Creates it, and pauses it once Omni has shown that it has the name that was sent: an answer may hold the id of another
 * schedule. A `name` among the fields is one that the probe has given already.
 */
async function make(
  fields: JsonObject,
  probing: ProbeSession,
): Promise<{ readonly answer: Reply; readonly made?: ProbeSchedule }> {
  const { api, call, clock, leftovers, observed, randomness, target } = probing;
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
    if (observed.pausedAtOnce === undefined || paused !== 'done') observed.pausedAtOnce = paused;
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

/** The id, or the status of the refusal. `refused`: it certainly made nothing. */
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

/** Throws what is not about one request: without rights, or without an answer, nothing more can be learnt. */
function refusal(error: unknown): number {
  const status = statusOf(error);
  if (error instanceof Failure && error.code === 'api-rejected' && status !== undefined) return status;
  throw error;
}

function rows({ api, call, target: { identifier } }: ProbeSession): ReturnType<Api['listSchedules']> {
  return api.listSchedules({ identifier }, call);
}

/** The first filter of texts, which a schedule may set. */
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

/** Of several fields, the worst. */
function shownOfAll(sent: Readonly<Record<string, Json | undefined>>, shown: JsonObject): CameBack {
  const each = Object.entries(sent).map(([name, value]) => shownOf(value, shown[name]));
  return each.find((one) => one === 'otherwise') ?? each.find((one) => one === 'absent') ?? 'as-sent';
}

const lowerCase = (text: string): string => text.toLowerCase();
