// With operations full, what is on a dashboard is known before a schedule is made there (what-exists.ts). A lost state must
// not lead to a second copy of everything, so creating one is refused if an untracked schedule of that name is on the same
// dashboard. And what was there before cannot be what a lost POST has made, so the journal keeps the ids.

import { actions } from '../model/plan/action.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import type { Change } from '../model/plan/plan.ts';
import { type ListedSchedule, mayBeNamed, plainName } from '../model/service/remote.ts';
import { groupBy } from '../model/values/group-by.ts';
import { nameSome } from '../model/values/words.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import { plainText } from '../state/fold-journal.ts';
import type { Proposal } from './propose/propose.ts';

/** Where the plan makes schedules. */
export function dashboardsOf(plan: Pick<Proposal, 'document'>): readonly string[] {
  return [...new Set(madeBy(plan).map(({ identifier }) => identifier))];
}

/** What the journal keeps of the list. What the state knows is there as well: its list may lag behind. */
export function existingOn(
  proposal: Proposal,
  listed: readonly ListedSchedule[],
): NonNullable<JournalHeader['existing']> {
  const { resources = {} } = proposal.basis.state ?? {};
  return Object.fromEntries(
    dashboardsOf(proposal).map((dashboard) => {
      const there = listed.filter(({ identifier }) => identifier === dashboard || identifier === '');
      const known = Object.values(resources).filter(({ attributes }) => attributes['identifier'] === dashboard);
      return [dashboard, [...new Set([...there, ...known].flatMap(({ id }) => id ?? []))].sort()];
    }),
  );
}

/** The refusals of what exists already, with the command that finds out which is which. */
export function duplicatesOf(proposal: Proposal, listed: readonly ListedSchedule[]): readonly Failure[] {
  const wanted = madeBy(proposal).filter(({ action }) => action === 'create');
  const { basis, document } = proposal;
  const { resources = {}, orphans = [] } = basis.state ?? {};
  const { changes } = document;
  // A missing resource would be created again, so it must not exist after all.
  const missing = new Set(
    changes.flatMap(({ address, previousAddress = address, reason }) => (reason === 'missing' ? previousAddress : [])),
  );
  const kept = Object.entries(resources).flatMap(([address, { id }]) => (missing.has(address) ? [] : id));
  // What this apply deletes or takes over is not there for another.
  const used = changes.flatMap(({ action, id }) => (action === 'delete' ? id : []));
  const adopted = proposal.steps.flatMap(({ adopts }) => adopts ?? []);
  const known = new Set([...kept, ...used, ...adopted]);
  const untracked = listed.filter(({ id }) => !known.has(id));
  const free = groupBy(untracked, ({ identifier, name }) => JSON.stringify([identifier, plainName(name)]));
  const found = wanted.flatMap(({ address, identifier, name }) => {
    const there = free.get(JSON.stringify([identifier, plainName(name)]));
    return there === undefined ? [] : [{ address, there }];
  });
  if (found.length > 0) {
    const ids = new Set(found.flatMap(({ there }) => there.map(({ id }) => id)));
    const again = Object.values(resources).flatMap(({ id }) => (id !== undefined && ids.has(id) ? id : []));
    const left = orphans.flatMap(({ id }) => (ids.has(id) ? id : []));
    return [
      existing(
        found.map(({ address }) => address),
        { again, left },
        basis.config,
      ),
    ];
  }
  const unclear = untracked.filter((row) => wanted.some(({ identifier, name }) => mayBeNamed(row, identifier, name)));
  return unclear.length > 0 ? [unclearRows(unclear)] : [];
}

/** The schedules that are created, for the first time or in place of another. */
function madeBy({ document }: Pick<Proposal, 'document'>) {
  const isMade = ({ kind, action, requests }: Change) =>
    kind === 'schedule' && actions[action].findable && requests > 0;
  return document.changes.filter(isMade).map(({ address, action, after }) => ({
    address,
    action,
    identifier: plainText(after ?? {}, 'identifier'),
    name: plainText(after ?? {}, 'name'),
  }));
}

/** What the state knows of what is there already: `again` was looked for in vain, and `left` is an orphan. */
interface KnownIds {
  readonly again: readonly string[];
  readonly left: readonly string[];
}

function existing(
  addresses: readonly string[],
  { again, left }: KnownIds,
  { environments }: Pick<Config, 'environments'>,
): Failure {
  const isOne = addresses.length === 1;
  const message = `${isOne ? 'A schedule' : `${addresses.length} schedules`} that would be created ${isOne ? 'has' : 'have'} the name of one on the same dashboard that Almanac does not track: ${nameSome(addresses)}.`;
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
function unclearRows(rows: readonly ListedSchedule[]): Failure {
  const ids = [...new Set(rows.map(({ id }) => id))].join(', ');
  const message = `Omni lists schedules without their name or their dashboard: ${ids}. They may be the ones that would be created.`;
  return new Failure('blocked', message, {
    hint: 'Check them in Omni. If they are unrelated, rerun with --allow-duplicates. Nothing was created.',
  });
}
