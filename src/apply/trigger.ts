// Delivers at once what somebody asks for: which resources are delivered now, which are refused or left out, and
// why. Each delivery is an effect: its intent is durable before the request, its outcome follows, and one whose outcome is
// unknown is never repeated by itself. It concerns no plan: what is left open blocks only the next trigger of that address.

import { judgeFindings } from '../declare/acceptances.ts';
import type { Loaded } from '../declare/load/load.ts';
import { invalidWorkspace } from '../declare/load/refuse-errors.ts';
import { rowsInOmni } from '../declare/rows/rows-in-omni.ts';
import { rowWords } from '../declare/rows/rows-of-others.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import { identities } from '../model/fields/identity.ts';
import { shownNames } from '../model/fields/receiver.ts';
import type { Clock } from '../model/outside.ts';
import type { ListedRows, Observation } from '../model/plan/observation.ts';
import { openByAddress } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import { groupsIn } from '../model/plan/user-groups.ts';
import { hasFailed, type ListedSchedule } from '../model/service/remote.ts';
import { type Address, countKinds, type Kind, kindAt } from '../model/values/address.ts';
import { command } from '../model/values/command.ts';
import type { JsonObject } from '../model/values/json.ts';
import { sensitive } from '../model/values/secret.ts';
import { nameSome } from '../model/values/words.ts';
import type { Config } from '../model/workspace/config.ts';
import { hasErrors } from '../model/workspace/diagnostic.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { type Desired, isPaused, type SealedResource } from '../model/workspace/resource.ts';
import { look } from '../observe/look.ts';
import { guardedService, type Service, serviceNow } from '../observe/service.ts';
import type { Api } from '../omni/api.ts';
import { withoutFaulty } from '../plan/beside-errors.ts';
import { withObserved } from '../plan/drift.ts';
import { fingerprintSecrets, keyingOf } from '../plan/fingerprints.ts';
import { notShown } from '../plan/not-shown.ts';
import { selectApplied } from '../plan/select.ts';
import { checkSameOrganization, requireState, settledState } from '../state/current-state.ts';
import { maskedText } from '../state/fold-journal.ts';
import type { LockedStore } from '../state/state-store.ts';
import { lockWait, withLock } from '../state/with-lock.ts';
import { appliedKinds } from './applied-kinds.ts';
import type { ApplyPorts } from './apply-request.ts';
import { deliveredClaims, neededRows } from './claims.ts';
import { Effects, type Halt, runInterrupted } from './effects.ts';
import { journalHeader } from './journal-header.ts';
import { idRefusals, type RowsById, rowsIn } from './judge-claims.ts';
import { differenceWords, keepOrUndo } from './leave.ts';
import { rowsAsRecorded } from './other-dashboards.ts';
import { readLists } from './read-lists.ts';
import { refuseUnlessThroughSink } from './through-sink.ts';
import type { TriggeredSchedule } from './trigger-document.ts';

export interface TriggerRequest {
  readonly loaded: Loaded;
  /** Paused resources are left out if no address names them, because Omni refuses to deliver them. */
  readonly selectors: readonly string[];
  /** True in CI: the selectors take no key in place of an address. */
  readonly onlyWhole: boolean;
  /** Milliseconds; a schedule that completed within them is left out. */
  readonly ifStale?: number | undefined;
  /** The most deliveries of one run. */
  readonly max: number;
  /** All rows of the kinds that this run has listed before. */
  readonly listed?: ListedRows | undefined;
}

/** The result of a resource that is known by its address. */
type TriggerResult = Omit<TriggeredSchedule, 'id' | 'name'>;

/** A resource that is to be delivered. */
export interface TriggerTarget {
  readonly address: Address;
  readonly kind: Kind;
  readonly id: string;
  /** The membership id for which the request acts; only for resources that only their owner sees. */
  readonly madeBy: string | undefined;
  /** The identifier of its dashboard or its model. */
  readonly identifier: string;
  readonly name: string;
  readonly destinationType: string;
  /** The receivers in Omni: people, groups and channels, or the host or bucket. Those in `extra` are the applied ones. */
  readonly to: readonly string[];
  /** The changes by others that no plan has shown, except for those of the delivery time. */
  readonly changed: readonly string[];
}

type ChosenTarget = Omit<TriggerTarget, 'to' | 'changed'>;

interface TargetChoice {
  /** The resources that were asked for; a loop stands for its instances. */
  readonly all: readonly ChosenTarget[];
  readonly targets: readonly ChosenTarget[];
  readonly left: readonly TriggerResult[];
  readonly rows: RowsById;
}

export interface TriggerPorts extends Omit<ApplyPorts, 'environment' | 'confirm'> {
  /** True if somebody reads to whom it goes, and answers. */
  readonly isAsked: boolean;
  /** Asks the person. Throws Failure refused if the answer is no. */
  readonly confirm: (targets: readonly TriggerTarget[]) => Promise<void>;
}

/** Returns results in the order of the selectors. Throws what refuses all of them; then nothing was sent. */
export function trigger(request: TriggerRequest, ports: TriggerPorts): Promise<readonly TriggeredSchedule[]> {
  const { loaded } = request;
  const config = usableConfig(loaded);
  const { baseUrl, timeout } = config.api;
  const { store, clock } = ports;
  return withLock(store, lockWait('trigger', 0, ports), async (locked) => {
    const service = guardedService(ports.service, locked, timeout);
    const state = requireState(await settledState(locked, ports), store.name);
    checkSameOrganization(state, baseUrl, store.name);
    // An unreachable service is reported before anybody is asked.
    const lookPorts = { api: await service.api(), service, clock };
    const chosen = await chooseTriggers(request, state, lookPorts);
    const { all } = chosen;
    const looked = await lookAtTargets({ loaded, config }, chosen, state, lookPorts);
    const checkedTargets = looked.map((each) =>
      'status' in each || ports.isAsked || each.changed.length === 0 ? each : leftAsChanged(each),
    );
    const targets = checkedTargets.flatMap((each) => ('status' in each ? [] : each));
    const leftResults = [...chosen.left, ...checkedTargets.flatMap((each) => ('status' in each ? each : []))];
    if (targets.length > 0) await ports.confirm(targets);
    const sent = targets.length > 0 ? await sendAll(targets, state, lookPorts, locked, ports) : [];
    const results = new Map([...leftResults, ...sent].map(({ address, ...result }) => [address, result]));
    return all.flatMap(({ address, id, name }) => {
      const result = results.get(address);
      return result === undefined ? [] : [{ address, id, name, ...result }];
    });
  });
}

/** Delivers one after the other. Writes the state first, then throws what ended the run early. */
async function sendAll(
  targets: readonly TriggerTarget[],
  state: State,
  lookPorts: LookPorts,
  locked: LockedStore,
  ports: TriggerPorts,
): Promise<readonly TriggerResult[]> {
  const { secretKey, salt, baseUrl } = state;
  const header = journalHeader({ state, salt, keying: { secretKey } }, baseUrl, ports);
  const effects = await Effects.begin(header, locked, ports, 'deliveries');
  const results: TriggerResult[] = [];
  for (const target of targets) results.push(await sendOne(target, lookPorts, effects));
  try {
    await effects.end(effects.folded(state));
  } catch (error) {
    const sent = results.filter(({ status }) => status === 'sent').map(({ address }) => address);
    const message = `Omni was asked to deliver this before the run ended early: ${sent.join(', ')}.`;
    if (sent.length > 0) ports.reporter.emit({ type: 'note', message });
    throw error;
  }
  return results;
}

async function sendOne(
  target: TriggerTarget,
  { api, service: { call } }: LookPorts,
  effects: Effects,
): Promise<TriggerResult> {
  const { address, kind, identifier, name } = target;
  const fields = { kind: 'trigger', address, action: 'trigger', identifier, name } as const;
  const intent = effects.stop === undefined ? await effects.open(fields) : undefined;
  if (intent === undefined) return { address, ...skipped(effects.stop ?? runInterrupted) };
  const sent = await effects.whole(address, call, (options) =>
    effects.send(intent, async () => {
      await appliedKinds[kind].trigger?.(target, api, options);
      return undefined;
    }),
  );
  switch (sent.status) {
    case 'applied':
      return { address, status: 'sent' };
    case 'skipped':
      return { address, ...skipped(sent.halt) };
    case 'failed':
      return { address, status: 'failed', message: sent.error.message, hint: sent.error.hint };
    case 'unknown':
      return {
        address,
        status: 'unknown',
        message: sent.error?.message ?? '',
        hint: `${resolveHint(address)}: until then it is not triggered again.`,
      };
  }
}

function skipped({ why }: Halt): Pick<TriggerResult, 'status' | 'message'> {
  return { status: 'skipped', message: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` };
}

/** Throws Failure usage for resources that the state lacks, and refused for those that may not be delivered at all. */
async function chooseTriggers(request: TriggerRequest, state: State, lookPorts: LookPorts): Promise<TargetChoice> {
  const { loaded, ifStale, max } = request;
  const order = selectedIn(request, state);
  const all = order.flatMap((address) => targetOf(address, state));
  refuseOutsideSink(loaded, state, order);
  const ended = checkRowsOf(loaded, order, (address) => state.resources[address]?.attributes, 'applied');
  const open = all.flatMap(({ address }) => blockedBy(state, address));
  const isOpen = new Set(open.map(({ address }) => address));
  const blocked = [...open, ...ended.filter(({ address }) => !isOpen.has(address))];
  const without = (left: readonly TriggerResult[], targets: readonly ChosenTarget[]) => {
    const isLeft = new Set(left.map(({ address }) => address));
    return targets.filter(({ address }) => !isLeft.has(address));
  };
  const free = without(blocked, all);
  if (ifStale === undefined) refuseMany(free, max);
  const rows = rowsIn(request.listed ?? (await readLists(neededRows(claimsOn(free, state), {}), lookPorts.service)));
  const rest = ifStale === undefined ? [] : leftTargets(free, ifStale, rows, lookPorts);
  const targets = without(rest, free);
  refuseMany(targets, max);
  return { all, targets, left: [...blocked, ...rest], rows };
}

function refuseMany(targets: readonly ChosenTarget[], max: number): void {
  const { length } = targets;
  if (length <= max) return;
  throw new Failure(
    'refused',
    `${countKinds(targets.map(({ kind }) => kind))} would be delivered, and --max is ${max}.`,
    {
      hint: `Name fewer, or allow them: --max ${length}. Nothing was sent.`,
    },
  );
}

function selectedIn({ loaded, selectors, onlyWhole }: TriggerRequest, state: State): readonly Address[] {
  const { addresses, isNamed } = selectApplied(selectors, { loaded, state, onlyWhole });
  const selected = [...addresses];
  const running = selected.filter((address) => isNamed(address) || !isPaused(state.resources[address]?.attributes));
  if (running.length > 0) return running;
  throw new Failure('usage', 'Everything that was selected is paused, and Omni delivers nothing that is paused.', {
    hint: 'Resume one of them, or select others. Nothing was sent.',
    addresses: selected,
  });
}

function targetOf(address: Address, { resources }: State): readonly ChosenTarget[] {
  const { id, attributes = {}, madeBy } = resources[address] ?? {};
  if (id === undefined) return [];
  const kind = kindAt(address);
  const { listedBy } = identities[kind];
  if (listedBy === undefined) return [];
  const text = (field: string) => maskedText(attributes, field);
  const [identifier, name] = [text(listedBy.on), text(listedBy.name)];
  const { way = sensitive } = deliveryOf(kind, attributes);
  return [{ address, kind, id, madeBy, identifier, name, destinationType: way }];
}

function claimsOn(targets: readonly ChosenTarget[], state: State) {
  return deliveredClaims(
    targets.map(({ address }) => address),
    state,
  );
}

/** Finds to whom each goes now, and what others changed, by the look that an apply has. Throws Failure blocked for an id of another. */
async function lookAtTargets(
  { loaded, config }: { readonly loaded: Loaded; readonly config: Config },
  { targets, rows }: TargetChoice,
  state: State,
  { service, clock }: LookPorts,
): Promise<readonly (TriggerTarget | TriggerResult)[]> {
  if (targets.length === 0) return [];
  const { salt } = state;
  const { comparable, fingerprint } = keyingOf({ state, salt, key: loaded.stateKey, resends: false });
  const observation = await look(
    {
      refresh: { depth: 'deep', only: false },
      desired: { resources: [], moves: [], adoptions: [], removals: [] },
      config,
      state: comparable(state),
      fingerprint,
      only: new Set(targets.map(({ address }) => address)),
      listed: { schedule: targets.flatMap(({ id }) => (rows.get(id) as ListedSchedule | undefined) ?? []) },
    },
    { service, clock },
  );
  refuseAll(idRefusals(claimsOn(targets, state), rowsAsRecorded(rows, observation?.formerly ?? new Map())));
  const sound = withoutFaulty(loaded);
  const chosen = new Set(targets.map(({ address }) => address));
  const resources = sound.resources.filter(({ address }) => chosen.has(address));
  const declared = await fingerprintSecrets({ ...sound, resources }, fingerprint, () => true);
  const looked = targets.map((target) => seenTarget(target, state, declared, observation));
  const attributes = new Map(
    looked.flatMap((each) => ('inOmni' in each ? [[each.address, each.inOmni] as const] : [])),
  );
  const inOmni = (address: Address) => attributes.get(address);
  const ended = checkRowsOf(loaded, [...attributes.keys()], inOmni, 'in-omni');
  const endedResults = new Map(ended.map((each) => [each.address, each]));
  return looked.map((each) => endedResults.get(each.address) ?? ('inOmni' in each ? each.target : each));
}

interface SeenTarget {
  readonly address: Address;
  readonly target: TriggerTarget;
  readonly inOmni: JsonObject;
}

function seenTarget(
  target: ChosenTarget,
  { resources }: State,
  declared: Desired<SealedResource>,
  observation: Observation | undefined,
): SeenTarget | TriggerResult {
  const { address, kind } = target;
  const prior = resources[address];
  const observed = observation?.observed.get(address);
  if (prior === undefined || !observed?.found || observed.doubt !== undefined) {
    const why = observation?.findings.find((finding) => finding.address === address);
    const message =
      observed?.found === false ? 'It is gone from Omni.' : (why?.message ?? 'Omni does not say what it is.');
    return { address, status: 'blocked', message, hint: why?.hint };
  }
  const desired = declared.resources.find((each) => each.address === address);
  const { effective, drift } = withObserved({ address, prior, desired }, observed);
  const { attributes: inOmni } = effective.prior ?? prior;
  const { changed } = notShown('delivery', { kind, changedByOthers: drift?.counted ?? [], recorded: prior });
  const { to, inExtra } = deliveryOf(
    kind,
    inOmni,
    groupsIn(() => observed.received?.groups ?? []),
  );
  const names = to.map((receiver) => shownNames(receiver)[0] ?? receiver.shown);
  return {
    address,
    inOmni,
    target: { ...target, to: [...names, ...inExtra.flatMap(shownNames)], changed: changed.map(differenceWords) },
  };
}

/** A changed delivery is blocked if nobody would see what goes to whom. */
function leftAsChanged({ address, changed }: TriggerTarget): TriggerResult {
  return {
    address,
    status: 'blocked',
    message: `Somebody changed it in Omni, and no plan has shown that: ${nameSome(changed)}.`,
    hint: `Trigger it in a terminal without --auto-approve, which shows the recipients first. ${keepOrUndo(address, '--refresh=deep')}`,
  };
}

function blockedBy(state: State, address: Address): readonly TriggerResult[] {
  const because = (message: string, hint: string): readonly TriggerResult[] => [
    { address, status: 'blocked', message, hint },
  ];
  if (openByAddress(state).has(address))
    return because(
      'The outcome of its last change is not known, so it is not known what it delivers, and to whom.',
      `${command('apply')} settles that change.`,
    );
  const open = state.unresolved.find((entry) => entry.action === 'trigger' && entry.address === address);
  if (open === undefined) return [];
  const lost = `It was triggered at ${open.since} and the answer was lost, so it may have been delivered.`;
  return because(lost, `${resolveHint(address)}.`);
}

interface LookPorts {
  readonly api: Api;
  readonly service: Service;
  readonly clock: Clock;
}

/**
 * The schedules that completed lately, by the clock of the service, and those of which that is unknown. A failed run does not count as
 * completed. `ifStale` in milliseconds.
 */
function leftTargets(
  targets: readonly ChosenTarget[],
  ifStale: number,
  rows: RowsById,
  { api, clock }: LookPorts,
): readonly TriggerResult[] {
  const since = serviceNow(clock, api) - ifStale;
  return targets.flatMap(({ address, id }): readonly TriggerResult[] => {
    const { lastCompletedAt, lastStatus, runsUntold } = rows.get(id) ?? {};
    const at = Date.parse(lastCompletedAt ?? '');
    if (runsUntold || (lastCompletedAt !== undefined && Number.isNaN(at)))
      return [{ address, status: 'skipped', message: 'Omni does not say in a readable form when it last completed.' }];
    const isFresh = at >= since && !hasFailed(lastStatus);
    return isFresh ? [{ address, status: 'fresh', message: `It completed at ${lastCompletedAt}.` }] : [];
  });
}

/** Throws Failure usage with operations core, which cannot trigger a schedule. */
function usableConfig(loaded: Loaded): Config {
  const { config, findings } = loaded;
  if (config === undefined) throw invalidWorkspace('The configuration has errors; nothing was sent.', findings, loaded);
  if (config.api.operations === 'full') return config;
  throw new Failure('usage', 'With operations core, a schedule that exists cannot be triggered.', {
    hint: `Set \`api: { operations: full }\` in almanac.yaml; \`${command('test', 'ADDRESS')}\` delivers what is declared with operations core as well. Nothing was sent.`,
  });
}

/**
 * Refuses, in an environment with sinks, resources that were not applied through them. Throws Failure refused, and
 * invalid-workspace if the declarations cannot say which those are.
 */
function refuseOutsideSink(loaded: Loaded, state: State, addresses: readonly string[]): void {
  const deliver = loaded.config?.deliver;
  if (deliver === undefined) return;
  if (hasErrors(loaded.findings))
    throw invalidWorkspace('The declarations have errors; nothing was sent.', loaded.findings, loaded);
  const declared = new Map(loaded.desired.resources.map((resource) => [resource.address, resource]));
  for (const address of addresses) {
    const resource = declared.get(address);
    if (resource === undefined) {
      throw new Failure(
        'refused',
        `${address} is no longer declared in ${deliver.environment}, so it is not known whether it delivers to the sink.`,
        {
          hint: `Run \`${command('apply', '--env', deliver.environment)}\` first. Nothing was sent.`,
          addresses: [address],
        },
      );
    }
    refuseUnlessThroughSink(resource, state, deliver);
  }
}

/**
 * Refuses deliveries that may show somebody the rows of others, as applied or in Omni, whatever is declared now. Throws Failure
 * invalid-workspace, also if the table of permissions cannot be read. Returns those that only expired lines allowed.
 */
function checkRowsOf(
  loaded: Loaded,
  addresses: readonly Address[],
  attributesOf: (address: Address) => JsonObject | undefined,
  as: 'applied' | 'in-omni',
): readonly TriggerResult[] {
  const ofTable = loaded.findings.filter(({ code }) => code === 'rows-table');
  const { rows } = loaded;
  const declared = new Map(loaded.desired.resources.map((resource) => [resource.address, resource]));
  const found = addresses.flatMap((address) => {
    const attributes = attributesOf(address);
    if (rows === undefined || attributes === undefined) return [];
    const kind = kindAt(address);
    const undo = `\`${command('apply', '--refresh=deep', '--target', address)}\``;
    const words =
      as === 'applied'
        ? rowWords(kind, attributes, `\`${address}\` as it was applied`, rows)
        : rowsInOmni(kind, attributes, `\`${address}\``, { declared: declared.get(address), undo }, rows);
    return words.map((each) => ({ ...each, address }));
  });
  const judged = [...ofTable, ...judgeFindings(found, loaded)];
  if (hasErrors(judged))
    throw invalidWorkspace('A delivery would show somebody the rows of others; nothing was sent.', judged, loaded);
  const ended = judged.filter(({ lapsed, severity }) => lapsed !== undefined && severity !== 'off');
  const byAddress = new Map(ended.toReversed().map((finding) => [finding.address ?? '', finding]));
  return [...byAddress].map(([address, { message, hint }]) => ({ address, status: 'blocked', message, hint }));
}

/** A hint without its full stop, so that its sentence can go on. */
function resolveHint(address: Address): string {
  return `Ask a recipient, or look at the deliveries in Omni. Then \`${command('state resolve', address, '--done')}\`, or \`--retry\` if it was not delivered`;
}
