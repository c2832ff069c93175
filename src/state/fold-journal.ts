// Folds a journal into the state it began with. Pure, and the same at the end of an apply as for a later run that finds
// the journal of a dead one: an intent with an outcome is recorded, one without is unresolved.
//
// Moves are journalled together, before any request, and count all or none: half of a chain would overwrite an id. So their
// outcomes follow all their intents, and a missing outcome means that the journal broke off among them.

import { runsOtherwise } from '../cron/canonical-cron.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import { listKeyOf, namedOf } from '../model/fields/identity.ts';
import { type Action, actions } from '../model/plan/action.ts';
import type { Journal, JournalHeader, JournalIntent, JournalOutcome } from '../model/plan/journal.ts';
import { mayBeFound, openChanges, sentToTracked } from '../model/plan/open-change.ts';
import type { Orphan, State, StateResource, Unresolved } from '../model/plan/state.ts';
import { type Address, type Kind, kindAt, kinds } from '../model/values/address.ts';
import { equalJson, type JsonObject } from '../model/values/json.ts';
import { mapSealed, type SealedSecret, sealedSecret } from '../model/values/secret.ts';
import { isFolded } from './journal-of-state.ts';

/**
 * The state after the journal, with its serial raised by one; the very same state, or none, where nothing changed. Throws
 * Failure state-conflict where the two do not belong together. `isPushed` as in `isFolded`.
 */
export function foldJournal(
  state: State | undefined,
  journal: Journal | undefined,
  name: string,
  isPushed = false,
): State | undefined {
  if (journal === undefined || isFolded(journal, state, name, isPushed)) return state;
  const base = state === undefined ? emptyState(journal) : rekeyed(state, journal);
  const outcomes = new Map<number, JournalOutcome>();
  const intents: JournalIntent[] = [];
  for (const line of journal.lines) {
    if (line.type === 'intent') intents.push(line);
    else outcomes.set(line.seq, line);
  }
  const fold = beginFold(base, journal);
  const moves = intents.filter(({ kind }) => kind === 'move');
  const isMoved = moves.length > 0 && moves.every(({ seq }) => outcomes.has(seq));
  if (isMoved) moveAll(fold, moves);
  const changing = intents.filter((intent) => changesState(intent, outcomes.get(intent.seq)));
  for (const intent of changing) foldLine(fold, intent, outcomes.get(intent.seq));
  if (!isMoved && changing.length === 0) return state;
  const { checkout, names, owners } = journal.header;
  return {
    ...base,
    ...(checkout === undefined ? {} : { checkout }),
    ...(names === undefined ? {} : { names: { ...base.names, ...names } }),
    ...(owners === undefined ? {} : { owners: { ...base.owners, ...owners } }),
    toolVersion: journal.header.toolVersion,
    serial: base.serial + 1,
    resources: Object.fromEntries(fold.resources),
    orphans: [...fold.orphans.values()],
    unresolved: [...fold.unresolved.values(), ...fold.triggers.values()],
  };
}

/** Fingerprints of another key than the journal's are dropped: one state has fingerprints of one key. */
function rekeyed(state: State, { header }: Journal): State {
  if (state.secretKey === header.secretKey) return state;
  const { secretKey: _, ...rest } = state;
  const dropped = ({ text }: SealedSecret) => sealedSecret(null, text);
  const unsealed = (attributes: JsonObject) => mapSealed(attributes, dropped) as JsonObject;
  const without = <T extends Pick<Unresolved, 'attributes' | 'earlier'>>(holder: T): T => ({
    ...holder,
    ...(holder.attributes && { attributes: unsealed(holder.attributes) }),
    ...(holder.earlier && { earlier: holder.earlier.map(unsealed) }),
  });
  const resources = Object.entries(state.resources).map(([address, resource]) => [address, without(resource)] as const);
  return {
    ...rest,
    secretKey: header.secretKey,
    resources: Object.fromEntries(resources),
    unresolved: state.unresolved.map(without),
  };
}

function emptyState({ header }: Journal): State {
  const { lineage, baseUrl, salt, secretKey, toolVersion } = header;
  return {
    version: header.version,
    lineage,
    serial: 0,
    toolVersion,
    baseUrl,
    salt,
    secretKey,
    resources: {},
    orphans: [],
    unresolved: [],
  };
}

interface Fold {
  readonly resources: Map<Address, StateResource>;
  /** The orphans by id. */
  readonly orphans: Map<string, Orphan>;
  readonly unresolved: Map<Address, Unresolved>;
  /** Beside them: a trigger and a change of the same resource may both be open. */
  readonly triggers: Map<Address, Unresolved>;
  /** Every id that was known at any time: none is given twice. */
  readonly ids: Set<string>;
  /** The lists by key, as in the journal's header. */
  readonly existing: ReadonlyMap<string, readonly string[]>;
}

function beginFold(state: State, { header }: Journal): Fold {
  return {
    resources: new Map(
      Object.entries(state.resources).map(([address, resource]) => [address, withEntityId(resource, header)]),
    ),
    orphans: new Map(state.orphans.map((orphan) => [orphan.id, orphan])),
    unresolved: new Map(openChanges(state).map((entry) => [entry.address, entry])),
    triggers: new Map(
      state.unresolved.filter(({ action }) => action === 'trigger').map((entry) => [entry.address, entry]),
    ),
    ids: new Set([...Object.values(state.resources), ...state.orphans].flatMap(({ id }) => id ?? [])),
    existing: new Map(Object.entries(header.existing ?? {})),
  };
}

function withEntityId(resource: StateResource, { entityIds = {} }: JournalHeader): StateResource {
  const { id = '' } = resource;
  return Object.hasOwn(entityIds, id) ? { ...resource, entityId: entityIds[id] } : resource;
}

/** An open request of a resource moves with it. */
function moveAll({ resources, unresolved, triggers }: Fold, moves: readonly JournalIntent[]): void {
  const taken = moves.map(
    ({ previousAddress: from = '' }) => [resources.get(from), unresolved.get(from), triggers.get(from)] as const,
  );
  for (const { previousAddress = '' } of moves) {
    resources.delete(previousAddress);
    unresolved.delete(previousAddress);
    triggers.delete(previousAddress);
  }
  moves.forEach(({ address, at }, index) => {
    const [resource, open, trigger] = taken[index] ?? [];
    if (resource) resources.set(address, { ...resource, updatedAt: at });
    if (open) unresolved.set(address, { ...open, address });
    if (trigger) triggers.set(address, { ...trigger, address });
  });
}

/** A failed change, and one of the state alone that was not reached, changes nothing. */
function changesState(intent: JournalIntent, outcome: JournalOutcome | undefined): boolean {
  const status = outcome?.status;
  switch (intent.kind) {
    // A delivery leaves nothing behind, unless it may have been made.
    case 'trigger':
      return status !== 'applied' && status !== 'failed';
    // A replaced schedule stays listed as an orphan until it is certainly gone.
    case 'end':
      return status === 'applied';
    case 'request':
      return status !== 'failed';
    case 'adopt':
    case 'forget':
    case 'release':
    case 'record':
    case 'refresh':
    case 'read-back':
      return status !== undefined && status !== 'failed';
    // All of them together.
    case 'move':
      return false;
  }
}

function foldLine(fold: Fold, intent: JournalIntent, outcome: JournalOutcome | undefined): void {
  const { kind } = intent;
  if (kind === 'read-back') {
    const resource = fold.resources.get(intent.address);
    if (resource) fold.resources.set(intent.address, { ...resource, notReadBack: intent.notReadBack });
    return;
  }
  if (kind === 'trigger') {
    fold.triggers.set(intent.address, unresolvedOf(fold, intent));
    return;
  }
  if (outcome === undefined || outcome.status === 'unknown' || isTaken(fold, intent, outcome)) {
    fold.unresolved.set(intent.address, unresolvedOf(fold, intent));
    return;
  }
  if (isTrackedElsewhere(fold, intent, outcome)) return;
  if (outcome.id !== undefined) fold.ids.add(outcome.id);
  if (kind === 'end') {
    fold.orphans.delete(intent.replaced ?? '');
    return;
  }
  const open = fold.unresolved.get(intent.address);
  if (kind !== 'refresh') fold.unresolved.delete(intent.address);
  const prior = fold.resources.get(intent.address);
  switch (intent.action) {
    case 'forget':
      fold.resources.delete(intent.address);
      fold.triggers.delete(intent.address);
      if (kind !== 'release') leave(fold, orphansLeftBy(intent.address, prior, outcome.at, open));
      return;
    case 'delete':
      fold.resources.delete(intent.address);
      fold.triggers.delete(intent.address);
      return;
    case 'adopt':
      if (outcome.id !== undefined) fold.orphans.delete(outcome.id);
      break;
    case 'replace':
      leave(fold, orphansLeftBy(intent.address, prior, outcome.at, open, intent.replaced));
      break;
    default:
  }
  fold.resources.set(intent.address, resourceAfter(intent, outcome, prior, open));
}

/** An answer with an id that is known already says nothing about what was made: it counts as lost. */
function isTaken({ ids }: Fold, { action }: JournalIntent, { id }: JournalOutcome): boolean {
  return id !== undefined && actions[action as Action].posts === true && ids.has(id);
}

/** No id is ever tracked at two addresses: the next command could not read such a state. */
function isTrackedElsewhere({ ids, resources }: Fold, { address }: JournalIntent, { id }: JournalOutcome): boolean {
  // Where it is tracked already, it is tracked nowhere else.
  if (id === undefined || !ids.has(id) || resources.get(address)?.id === id) return false;
  return [...resources].some(([other, resource]) => other !== address && resource.id === id);
}

function leave({ orphans }: Fold, newOrphans: readonly Orphan[]): void {
  for (const orphan of newOrphans) orphans.set(orphan.id, orphan);
}

function resourceAfter(
  intent: JournalIntent,
  outcome: JournalOutcome,
  prior: StateResource | undefined,
  open: Unresolved | undefined,
): StateResource {
  const keeps = intent.action === 'update';
  const outputs = outcome.outputs ?? (keeps ? prior?.outputs : undefined);
  return {
    id: outcome.id ?? (keeps ? prior?.id : undefined),
    attributes: intent.attributes ?? {},
    outputs: Object.keys(outputs ?? {}).length === 0 ? undefined : outputs,
    groups: someOf(outcome.groups ?? intent.groups ?? (keeps ? prior?.groups : undefined)),
    unread: someOf(intent.unread),
    throughSink: intent.throughSink,
    madeBy: (keeps ? prior?.madeBy : undefined) ?? intent.madeBy,
    entityId: intent.entityId ?? (keeps && isSameDashboard(intent, prior) ? prior?.entityId : undefined),
    undeclared: keeps ? prior?.undeclared : undefined,
    adopted: intent.action === 'adopt' || (keeps && prior?.adopted) || undefined,
    unsent: intent.action === 'adopt' || (keeps && prior?.unsent && !intent.sendsContent) || undefined,
    notReadBack: notReadBackAfter(intent, outcome, keeps ? (toReadBack(open) ?? prior?.notReadBack) : undefined),
    createdAt: (keeps ? prior?.createdAt : undefined) ?? outcome.at,
    retimedAt: keeps ? retimedAt(intent, prior, outcome.at) : undefined,
    updatedAt: outcome.at,
  };
}

/** `before` is what the state keeps if the request sends no filters. */
function notReadBackAfter(
  { sentFilters: sent }: JournalIntent,
  { readBack, at: since }: JournalOutcome,
  before: StateResource['notReadBack'],
): StateResource['notReadBack'] {
  if (sent === undefined) return before;
  return readBack || Object.keys(sent).length === 0 ? undefined : { sent, since };
}

/** What is to be read back of a request that turns out to be carried out. */
export function toReadBack(open: Unresolved | undefined): StateResource['notReadBack'] {
  const { sentFilters: sent = {}, since = '' } = open ?? {};
  return Object.keys(sent).length === 0 ? undefined : { sent, since };
}

/** The time of the last change to its due time, given that an update from `prior` has these attributes. */
export function retimedAt(
  { address, attributes = {} }: Pick<JournalIntent, 'address' | 'attributes'>,
  prior: StateResource | undefined,
  at: string,
): string | undefined {
  if (prior === undefined) return undefined;
  const [was, is] = [prior.attributes, attributes].map((each) => deliveryOf(kindAt(address), each));
  return was?.paused !== is?.paused || runsOtherwise(was?.when, is?.when) ? at : prior.retimedAt;
}

/** True unless the schedule was moved to another dashboard, whose id is not known. */
function isSameDashboard({ attributes }: JournalIntent, prior: StateResource | undefined): boolean {
  return attributes?.['identifier'] === prior?.attributes['identifier'];
}

function someOf<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

/**
 * The orphan that a schedule becomes when it keeps running while nothing tracks it; empty for other resources.
 * `open` is its open request from before; `replaced` is the id that a replacement deletes.
 */
export function orphansLeftBy(
  address: Address,
  prior: StateResource | undefined,
  since: string,
  open: Unresolved | undefined,
  replaced?: string,
): readonly Orphan[] {
  if (prior?.id === undefined || kinds[kindAt(address)].life !== 'recurring') return [];
  const { id, attributes, madeBy, entityId } = prior;
  const { identifier = '', name = '' } = plainNamed(kindAt(address), attributes) ?? {};
  const isReplaced = replaced === id || undefined;
  const sentAs = someOf(sentToTracked(open).flatMap((sent) => plainNamed(kindAt(address), sent) ?? []));
  return [{ id, address, identifier, name, since, replaced: isReplaced, sentAs, madeBy, entityId }];
}

/** The name that a list would show, with secrets masked. Returns undefined for a kind that no list shows. */
export function plainNamed(
  kind: Kind,
  attributes: JsonObject,
): { readonly identifier: string; readonly name: string } | undefined {
  const named = namedOf(kind, attributes);
  if (named === undefined) return undefined;
  return { identifier: maskedText({ ...named }, 'identifier'), name: maskedText({ ...named }, 'name') };
}

/** A text of the attributes; a secret is masked. */
export function maskedText(attributes: JsonObject, field: string): string {
  const value = attributes[field];
  return typeof value === 'string' ? value : '(sensitive)';
}

function unresolvedOf(fold: Fold, intent: JournalIntent): Unresolved {
  const { address, action, identifier, name, replaced, madeBy, entityId, attributes, at } = intent;
  const isFindable = action !== 'trigger' && mayBeFound({ address, action });
  const before = action === 'trigger' ? undefined : fold.unresolved.get(address);
  return {
    address,
    action,
    identifier,
    name,
    since: at,
    existing: isFindable ? fold.existing.get(listKeyOf(kindAt(address), { identifier, madeBy }) ?? '') : undefined,
    entityId: isFindable ? entityId : undefined,
    attributes,
    // Each once, and what is sent now by that alone.
    earlier: someOf(sentToTracked(before).filter((each) => !equalJson(each, attributes))),
    groups: someOf(intent.groups ?? before?.groups),
    sentFilters: intent.sentFilters ?? before?.sentFilters,
    replaced,
    madeBy,
  };
}
