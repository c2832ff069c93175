// With operations full, what is on a dashboard is known before a schedule is made there (what-exists.ts). A lost state must
// not lead to a second copy of everything, so creating one is refused if an untracked schedule of that name is on the same
// dashboard. And what was there before cannot be what a lost POST has made, so the journal keeps the ids.

import { actions } from '../model/plan/action.ts';
import type { JournalHeader } from '../model/plan/journal.ts';
import type { Change } from '../model/plan/plan.ts';
import { type ListedSchedule, mayBeNamed } from '../model/service/remote.ts';
import { groupBy } from '../model/values/group-by.ts';
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

/** The refusals of what exists already, with the entries of `adopt` that take it over. */
export function duplicatesOf(proposal: Proposal, listed: readonly ListedSchedule[]): readonly Failure[] {
  const wanted = madeBy(proposal).filter(({ action }) => action === 'create');
  const { resources = {} } = proposal.basis.state ?? {};
  const { changes } = proposal.document;
  // A missing resource would be created again, so it must not exist after all.
  const missing = new Set(
    changes.flatMap(({ address, previousAddress = address, reason }) => (reason === 'missing' ? previousAddress : [])),
  );
  const kept = Object.entries(resources).flatMap(([address, { id }]) => (missing.has(address) ? [] : id));
  const deleted = changes.flatMap(({ action, id }) => (action === 'delete' ? id : []));
  const known = new Set([...kept, ...deleted]);
  const untracked = listed.filter(({ id }) => !known.has(id));
  const free = groupBy(untracked, ({ identifier, name }) => JSON.stringify([identifier, name]));
  const found = wanted.flatMap(({ address, identifier, name }) => {
    const there = free.get(JSON.stringify([identifier, name]));
    return there === undefined ? [] : [{ address, there }];
  });
  const orphans = new Set(proposal.basis.state?.orphans.map(({ id }) => id));
  if (found.length > 0) return [existing(found, orphans)];
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

function existing(
  found: readonly { address: string; there: readonly ListedSchedule[] }[],
  orphans: ReadonlySet<string>,
): Failure {
  const left = found.flatMap(({ there }) => there.flatMap(({ id }) => (orphans.has(id) ? id : [])));
  const several = found.some(({ there }) => there.length > 1);
  const entries = found.flatMap(({ address, there }) =>
    there.map(({ id }, index) => `  ${index > 0 ? '# or: ' : ''}- { to: ${address}, id: ${id} }`),
  );
  const what = found.length === 1 ? 'A schedule' : `${found.length} schedules`;
  const has = found.length === 1 ? 'has' : 'have';
  const which = found.map(({ address }) => address).join(', ');
  const message = `${what} that would be created ${has} the name of one on the same dashboard that Almanac does not track: ${which}.`;
  return new Failure('blocked', message, {
    hint: [
      `Take over what is there${several ? ', one for each,' : ''} by adding this to a source file:`,
      '',
      'adopt:',
      ...entries,
      '',
      ...left.map((id) => `It is an orphan, so take it off the list first: \`almanac state orphans --clear ${id}\`.`),
      'If both should exist, rerun with --allow-duplicates. Nothing was created.',
      'Almanac assumes that what it takes over is as declared: a difference in a field that Omni does not return goes unnoticed until the declaration changes.',
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
