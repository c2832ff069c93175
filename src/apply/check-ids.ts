// An id is checked before it is used (operations full): whoever may write the state could have given a declared schedule the
// id of another one. What Omni lists under the id must have the dashboard and the name that the state has, or that an open
// change has sent. Where this run has looked at a schedule, its update is planned as drift instead, so that a review shows it.

import { invalidWorkspace } from '../declare/load/load.ts';
import { identities, namedOf, onWordsOf, recordedName } from '../model/fields/identity.ts';
import type { Listed } from '../model/plan/observation.ts';
import { openChanges } from '../model/plan/open-change.ts';
import type { State } from '../model/plan/state.ts';
import { isAnother, isElsewhere, type ListedRow, type Named } from '../model/service/remote.ts';
import { type Address, type Kind, kindAt, kindsInOrder } from '../model/values/address.ts';
import { groupBy } from '../model/values/group-by.ts';
import { shortText } from '../model/values/words.ts';
import type { Finding } from '../model/workspace/diagnostic.ts';
import { Failure, refuseAll } from '../model/workspace/failure.ts';
import { textOf } from '../observe/kinds.ts';
import { adoptedElsewhere } from '../observe/observe.ts';
import { nothingElsewhere } from '../plan/block.ts';
import type { Step } from '../plan/plan.ts';
import type { Proposal } from '../plan/proposal.ts';
import { madeIn } from './create-guard.ts';
import type { Makers } from './makers.ts';
import type { ToList } from './what-exists.ts';

/** A resource that a request names by its id. */
interface UsedId {
  readonly kind: Kind;
  /** As the state has it. */
  readonly address: Address;
  readonly id: string;
  /** `orphan`: the deletion of what a replacement has left. */
  readonly use: 'change' | 'delete' | 'orphan' | 'deliver';
  readonly recorded: Named;
  /** As the plan leaves it. */
  readonly declared?: Named;
  /** As requests have sent it of which nobody knows whether they arrived. */
  readonly sent?: readonly Named[];
}

type NamedRow = Pick<ListedRow, 'identifier' | 'name'>;

/** By id. */
export type Rows = ReadonlyMap<string, ListedRow>;

/** The ids that requests of a plan name, in the order of its changes. */
function usedIds({ steps, inputs: { state } }: Pick<Proposal, 'steps' | 'inputs'>): readonly UsedId[] {
  return steps.flatMap((step) => usedBy(step, state) ?? []);
}

function usedBy({ change, calls, adopts, after }: Step, state: State | undefined): UsedId | undefined {
  const { kind, id, reason, address: now, previousAddress: address = now } = change;
  if (id === undefined || adopts !== undefined || identities[kind].listedBy === undefined) return undefined;
  const isUsed = calls.some(({ send }) => send !== 'post');
  if (!isUsed) return undefined;
  if (reason === 'replaced') {
    const orphan = state?.orphans.find((each) => each.id === id);
    return { kind, address, id, use: 'orphan', recorded: orphan ?? {}, sent: orphan?.sentAs ?? [] };
  }
  const isDeleted = calls.some(({ send }) => send === 'delete');
  const open = openChanges(state).find((entry) => entry.address === address);
  const recorded = recordedName(kind, state?.resources[address] ?? {});
  const last = open?.attributes === undefined ? open : recordedName(kind, open);
  const sent = last === undefined ? [] : [last, ...(open?.sentAs ?? [])].filter(isNamed);
  return {
    kind,
    address,
    id,
    use: isDeleted ? 'delete' : 'change',
    recorded,
    declared: namedOf(kind, after ?? {}),
    sent,
  };
}

function isNamed({ name }: Named): boolean {
  return name !== undefined;
}

/**
 * A review shows that a change is open and not what it sent. So in a reviewed apply, what was sent answers for an id only on
 * a dashboard that is recorded or declared.
 */
function asReviewed(used: UsedId): UsedId {
  const dashboards = [used.recorded, used.declared].map((each) => each?.identifier);
  const isNear = ({ identifier }: Named) => identifier !== undefined && dashboards.includes(identifier);
  return { ...used, sent: used.sent?.filter(isNear) };
}

/** What is to be delivered at once. */
export function deliveredIds(addresses: readonly Address[], { resources }: State): readonly UsedId[] {
  return addresses.flatMap((address) => {
    const resource = resources[address];
    const kind = kindAt(address);
    if (resource?.id === undefined) return [];
    return [{ kind, address, id: resource.id, use: 'deliver', recorded: recordedName(kind, resource) }];
  });
}

/** What a plan must know: of what its requests name by id, and of what it adopts, nothing where this run has looked already. */
export function toList(plan: Proposal, makers: Makers): readonly ToList[] {
  const { steps, document, seen } = plan;
  if (document.operations !== 'full') return [];
  const adopted = steps.flatMap(({ change: { kind, address }, adopts: id, after = {} }): readonly UsedId[] =>
    id === undefined
      ? []
      : [
          {
            kind,
            address,
            id,
            use: 'change',
            recorded: recordedName(kind, { attributes: after, madeBy: makers.get(address) }),
          },
        ],
  );
  const isOpen = ({ kind }: UsedId) => seen?.listed[kind] === undefined;
  return listsOf([...usedIds(plan), ...adopted].filter(isOpen), madeIn(plan, makers));
}

/** The lists that show what is used and, whole, those of `made`. */
export function listsOf(used: readonly UsedId[], made: ReturnType<typeof madeIn> = []): readonly ToList[] {
  return kindsInOrder.flatMap((kind) => {
    const whole = made.filter((each) => each.kind === kind);
    const ids = used.filter((each) => each.kind === kind).map(({ id, recorded: named }) => ({ id, named }));
    return whole.length + ids.length === 0 ? [] : [{ kind, whole, ids }];
  });
}

/** `listed`: with the rows of all that is expected. */
export function rowsIn(listed: Listed): Rows {
  return new Map(kindsInOrder.flatMap((kind) => (listed[kind] ?? []).map((row) => [row.id, row] as const)));
}

/**
 * Throws Failure blocked, and invalid-workspace for entries of `adopt`. `isReviewed`: the digest of an update holds what a look
 * found, that of a deletion does not.
 */
export function checkIds(proposal: Proposal, rows: Rows, isReviewed: boolean): void {
  const { document, seen } = proposal;
  if (document.operations !== 'full') return;
  const isSeen = ({ address, use }: UsedId) =>
    seen?.observed.get(address)?.found === true && !(isReviewed && use === 'delete');
  checkAdopted(proposal, rows);
  const used = usedIds(proposal);
  refuseAll(idRefusals(isReviewed ? used.map(asReviewed) : used, rows, isSeen));
}

/** Why ids must not be used: all of them, by the way out. `isSeen`: the plan shows how what is tracked there differs. */
export function idRefusals(
  used: readonly UsedId[],
  rows: Rows,
  isSeen: (used: UsedId) => boolean = () => false,
): readonly Failure[] {
  const others = used.flatMap((each): readonly Other[] => {
    const row = rows.get(each.id);
    if (row === undefined) return [];
    const why = whyOther(each, row, isSeen(each));
    return why === undefined ? [] : [{ ...each, row, why }];
  });
  return [...groupBy(others, ({ why }) => why)].map(([why, same]) => refusalOf(same, waysOut[why](same)));
}

interface Other extends UsedId {
  readonly row: NamedRow;
  readonly why: keyof typeof waysOut;
}

function whyOther(used: UsedId, row: NamedRow, isSeen: boolean): Other['why'] | undefined {
  const { use, sent = [] } = used;
  const known = [answering(used), ...sent];
  const isUnlike = (named: Named) => textOf(named.name) === undefined || isAway(row, named) || isAnother(row, named);
  if (!known.every(isUnlike)) return undefined;
  if (use === 'orphan') return 'orphan';
  if (use !== 'change' && known.every((named) => isAway(row, named))) return 'elsewhere';
  return isSeen ? undefined : 'changed';
}

/** A dashboard or a name that the state lacks, or that is sealed there, answers as it is declared, and else not at all. */
function answering({ recorded, declared = {} }: UsedId): Named {
  return {
    identifier: textOf(recorded.identifier) ?? declared.identifier,
    name: textOf(recorded.name) ?? declared.name,
  };
}

function isAway(row: NamedRow, named: Named): boolean {
  return textOf(named.identifier) === undefined || isElsewhere(row, named);
}

const waysOut = {
  changed: (others: readonly Other[]) =>
    `If somebody renamed or moved it in Omni, \`almanac apply --refresh-only --target ${others.map(({ address }) => address).join(' ')}\` takes what Omni has into the state, and the next plan shows what an apply then changes. If nobody did, somebody edited the state: go back to an earlier one.`,
  elsewhere: (others: readonly Other[]) => nothingElsewhere(others.map(({ address }) => address)),
  orphan: (others: readonly Other[]) =>
    `Almanac deletes nothing that is not what the state says. Check it in Omni, and take it off the list: ${others.map(({ id }) => `\`almanac state orphans --clear ${id}\``).join(', ')}.`,
};

function refusalOf(others: readonly Other[], wayOut: string): Failure {
  const ids = others.length === 1 ? 'an id' : `${others.length} ids`;
  const lines = others.map(
    ({ kind, address, id, recorded, row }) =>
      `${address} (${id}): the state has ${inWords(kind, recorded)}, Omni lists ${inWords(kind, row)}.`,
  );
  const message = [`The state and Omni disagree about ${ids}.`, ...lines].join('\n');
  return new Failure('blocked', message, { hint: `${wayOut} Nothing was sent.` });
}

/** `"Weekly sales" on the dashboard 12db1a0a` */
function inWords(kind: Kind, { identifier, name }: Named): string {
  const on = onWordsOf(kind);
  const title = textOf(name);
  const quoted = title === undefined ? 'a name that is not known' : JSON.stringify(shortText(title));
  const known = textOf(identifier);
  return `${quoted} on ${known === undefined ? `a ${on} that is not known` : `the ${on} ${known}`}`;
}

/** An entry of `adopt` may name a schedule of another dashboard than is declared. */
function checkAdopted({ inputs: { loaded }, steps }: Proposal, rows: Rows): void {
  const findings = steps.flatMap(({ change: { kind, address }, adopts = '', after = {} }): readonly Finding[] => {
    const row = rows.get(adopts);
    if (row === undefined || !isElsewhere(row, namedOf(kind, after) ?? {})) return [];
    const entry = loaded.desired.adoptions.find(({ to, id }) => to === address && id === adopts);
    return entry === undefined ? [] : [adoptedElsewhere(entry, row)];
  });
  if (findings.length > 0) throw invalidWorkspace('An adopt entry has a wrong id; nothing was sent.', findings, loaded);
}
