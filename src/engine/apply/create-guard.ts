// A lost state must not lead to a second copy of everything. So with operations full, before schedules are created, the
// existing ones are listed; creating one is refused if an untracked schedule of that name is on the same dashboard.

import type { Change } from '../../model/plan/plan.ts';
import { type ListedSchedule, mayBeNamed } from '../../model/service/remote.ts';
import { groupBy } from '../../model/values/group-by.ts';
import type { Declared } from '../../model/workspace/resource.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import type { Proposal } from '../propose/propose.ts';
import { textOfField } from '../service/text-of-field.ts';
import type { Refusal } from './refusal.ts';

/** Beyond this number of dashboards, the whole list takes fewer requests. */
const askedOneByOne = 5;

export function createsSchedules(proposal: Proposal): boolean {
  return created(proposal).length > 0;
}

/** How many requests the guard sends, as far as that is known before: the whole list may have several pages. */
export function requestsToList(proposal: Proposal): number {
  return dashboardsToList(proposal)?.length ?? 1;
}

/** The identifiers of the dashboards to list one by one, secrets as such; undefined for the whole list. */
function dashboardsToList(proposal: Proposal): readonly Declared[] | undefined {
  const byText = new Map(created(proposal).map(({ identifier, asDeclared }) => [identifier, asDeclared]));
  return byText.size > askedOneByOne ? undefined : [...byText.values()];
}

/** The refusals of what exists already, with the entries of `adopt` that take it over. */
export async function duplicatesOf(proposal: Proposal, api: Api, call: CallOptions): Promise<readonly Refusal[]> {
  const wanted = created(proposal);
  const dashboards = dashboardsToList(proposal);
  const pages = dashboards?.map((identifier) => ({ identifier })) ?? [{}];
  const listed = (await Promise.all(pages.map((only) => api.listSchedules(only, call)))).flat();
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

function created({ document, basis: { declared } }: Proposal) {
  const isCreate = ({ kind, action, requests }: Change) => kind === 'schedule' && action === 'create' && requests > 0;
  return document.changes.filter(isCreate).map(({ address }) => {
    const attributes = declared(address);
    return {
      address,
      identifier: textOfField(attributes, 'identifier') ?? '',
      asDeclared: attributes?.['identifier'] ?? '',
      name: textOfField(attributes, 'name') ?? '',
    };
  });
}

function existing(
  found: readonly { address: string; there: readonly ListedSchedule[] }[],
  orphans: ReadonlySet<string>,
): Refusal {
  const left = found.flatMap(({ there }) => there.flatMap(({ id }) => (orphans.has(id) ? id : [])));
  const several = found.some(({ there }) => there.length > 1);
  const entries = found.flatMap(({ address, there }) =>
    there.map(({ id }, index) => `  ${index > 0 ? '# or: ' : ''}- { to: ${address}, id: ${id} }`),
  );
  const what = found.length === 1 ? 'A schedule' : `${found.length} schedules`;
  const has = found.length === 1 ? 'has' : 'have';
  return {
    code: 'blocked',
    message: `${what} that would be created ${has} the name of one on the same dashboard that Almanac does not track: ${found.map(({ address }) => address).join(', ')}.`,
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
  };
}

/** Almanac does not guess what the list leaves open. */
function unclearRows(rows: readonly ListedSchedule[]): Refusal {
  const ids = [...new Set(rows.map(({ id }) => id))].join(', ');
  return {
    code: 'blocked',
    message: `Omni lists schedules without their name or their dashboard: ${ids}. They may be the ones that would be created.`,
    hint: 'Check them in Omni. If they are unrelated, rerun with --allow-duplicates. Nothing was created.',
  };
}
