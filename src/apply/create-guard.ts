// With operations full, what is on a dashboard is known before a schedule is made there (what-exists.ts). A lost state must
// not lead to a second copy of everything, so creating one is refused if an untracked schedule of that name is on the same
// dashboard. And what was there before cannot be what a lost POST has made, so the journal keeps the ids.

import { identities, isInList, listKeyOf, onWordsOf, recordedName } from '../model/fields/identity.ts';
import { type Action, actions } from '../model/plan/action.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import type { Listed } from '../model/plan/observation.ts';
import type { Change } from '../model/plan/plan.ts';
import { type ListedRow, mayBeNamed, type Named, plainName } from '../model/service/remote.ts';
import { type Address, type Kind, kindOf, kinds } from '../model/values/address.ts';
import { groupBy } from '../model/values/group-by.ts';
import { nameSome } from '../model/values/words.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Proposal } from '../plan/proposal.ts';
import { plainText } from '../state/fold-journal.ts';
import type { Makers } from './makers.ts';

interface MadeIn {
  /** All that the list will show of what the plan makes. */
  readonly addresses: readonly Address[];
}

/** What the plan makes: one in each list that will show it. */
export function madeIn(plan: Pick<Proposal, 'document'>, makers: Makers): readonly (Made & MadeIn)[] {
  const lists = groupBy(madeOf(plan, makers), ({ kind, key }) => JSON.stringify([kind, key]));
  return [...lists.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ ...first, addresses: all.map(({ address }) => address) }];
  });
}

/** What the journal keeps of the lists. What the state knows is there as well: its list may lag behind. */
export function existingIn(proposal: Proposal, listed: Listed, makers: Makers): NonNullable<JournalHeader['existing']> {
  const { resources = {} } = proposal.inputs.state ?? {};
  return Object.fromEntries(
    madeIn(proposal, makers).map(({ kind, key }) => {
      const there = (listed[kind] ?? []).filter((row) => isInList(kind, row, key));
      const known = Object.entries(resources).filter(
        ([address, resource]) => kindOf(address) === kind && listKeyOf(kind, recordedName(kind, resource)) === key,
      );
      const ids = [...there.map(({ id }) => id), ...known.flatMap(([, { id }]) => id ?? [])];
      return [key, [...new Set(ids)].sort()];
    }),
  );
}

/** The refusals of what exists already, with the command that finds out which is which. */
export function duplicatesOf(proposal: Proposal, listed: Listed, makers: Makers): readonly Failure[] {
  // What replaces another of the same name is no second one, unless it is for another owner, who may have one.
  const created = madeOf(proposal, makers).filter(
    ({ action, kind }) => action === 'create' || identities[kind].isOwners,
  );
  const { resources = {} } = proposal.inputs.state ?? {};
  const { changes } = proposal.document;
  // A missing resource would be created again, so it must not exist after all.
  const missing = new Set(
    changes.flatMap(({ address, previousAddress = address, reason }) => (reason === 'missing' ? previousAddress : [])),
  );
  const kept = Object.entries(resources).flatMap(([address, { id }]) => (missing.has(address) ? [] : id));
  // What this apply deletes or takes over is not there for another.
  const used = changes.flatMap(({ action, id }) => (action === 'delete' ? id : []));
  const adopted = proposal.steps.flatMap(({ adopts }) => adopts ?? []);
  const known = new Set([...kept, ...used, ...adopted]);
  return [...groupBy(created, ({ kind }) => kind)].flatMap(([kind, wanted]) => {
    const untracked = (listed[kind] ?? []).filter(({ id }) => !known.has(id));
    return duplicatesIn(kind, wanted, untracked, proposal.inputs);
  });
}

function duplicatesIn(
  kind: Kind,
  wanted: readonly Made[],
  untracked: readonly ListedRow[],
  { state, config }: Pick<Proposal['inputs'], 'state' | 'config'>,
): readonly Failure[] {
  const { resources = {}, orphans = [] } = state ?? {};
  const isNear = (row: ListedRow, { key }: Made) => isInList(kind, row, key);
  const free = groupBy(untracked, ({ identifier, name }) => JSON.stringify([identifier, plainName(name)]));
  const found = wanted.flatMap((made) => {
    const alike = free.get(JSON.stringify([made.identifier, plainName(made.name)])) ?? [];
    const there = alike.filter((row) => isNear(row, made));
    return there.length === 0 ? [] : [{ address: made.address, there }];
  });
  if (found.length > 0) {
    const ids = new Set(found.flatMap(({ there }) => there.map(({ id }) => id)));
    const again = Object.values(resources).flatMap(({ id }) => (id !== undefined && ids.has(id) ? id : []));
    const left = orphans.flatMap(({ id }) => (ids.has(id) ? id : []));
    const addresses = found.map(({ address }) => address);
    return [existing(kind, addresses, { again, left }, config)];
  }
  const unclear = untracked.filter((row) =>
    wanted.some((made) => isNear(row, made) && mayBeNamed(row, made.identifier, made.name)),
  );
  return unclear.length > 0 ? [unclearRows(kind, unclear)] : [];
}

interface Made extends Named {
  readonly kind: Kind;
  readonly address: Address;
  readonly action: Action;
  readonly identifier: string;
  readonly name: string;
  /** Of the list that will show it. */
  readonly key: string;
}

/** What is created of the kinds that a list shows, for the first time or in place of another. */
function madeOf({ document }: Pick<Proposal, 'document'>, makers: Makers): readonly Made[] {
  return document.changes.flatMap(({ kind, address, action, requests, after }: Change) => {
    const { listedBy } = identities[kind];
    if (listedBy === undefined || !actions[action].findable || requests === 0) return [];
    const attributes = after ?? {};
    const named = {
      identifier: plainText(attributes, listedBy.on),
      name: plainText(attributes, listedBy.name),
      madeBy: makers.get(address),
    };
    const key = listKeyOf(kind, named);
    return key === undefined ? [] : [{ kind, address, action, ...named, key }];
  });
}

/** What the state knows of what is there already: `again` was looked for in vain, and `left` is an orphan. */
interface KnownIds {
  readonly again: readonly string[];
  readonly left: readonly string[];
}

function existing(
  kind: Kind,
  addresses: readonly string[],
  { again, left }: KnownIds,
  { environments }: Pick<Config, 'environments'>,
): Failure {
  const isOne = addresses.length === 1;
  const { words } = kinds[kind];
  const message = `${isOne ? `A ${words}` : `${addresses.length} ${words}s`} that would be created ${isOne ? 'has' : 'have'} the name of one on the same ${onWordsOf(kind)} that Almanac does not track: ${nameSome(addresses)}.`;
  // An entry of `adopt` is for every environment.
  const command = environments.length === 0 ? 'almanac import' : 'almanac import --write-state';
  return new Failure('blocked', message, {
    addresses,
    hint: [
      "If this is the first apply of another environment of the same organization, these are that environment's reports: rerun with --allow-duplicates, which creates your own.",
      `If the state was lost, \`${command}\` finds what is declared, so that it is tracked again.`,
      ...again.map((id) => `Omni lists ${id} again, which it did not find a moment ago: rerun for that one.`),
      ...left.map(
        (id) => `${id} is an orphan, so take it off the list first: \`almanac state orphans --clear ${id}\`.`,
      ),
      'Nothing was created.',
    ].join('\n'),
  });
}

/** Almanac does not guess what the list leaves open. */
function unclearRows(kind: Kind, rows: readonly ListedRow[]): Failure {
  const ids = [...new Set(rows.map(({ id }) => id))].join(', ');
  const message = `Omni lists ${kinds[kind].words}s without their name or their ${onWordsOf(kind)}: ${ids}. They may be the ones that would be created.`;
  return new Failure('blocked', message, {
    hint: 'Check them in Omni. If they are unrelated, rerun with --allow-duplicates. Nothing was created.',
  });
}
