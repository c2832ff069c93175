// A state that was lost must not become a second copy of everything. So before schedules are created, with operations
// full, what there is is listed, and one whose name stands on the same dashboard already, untracked, is refused.

import type { Change, PlanDocument } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { type ListedSchedule, mayBeNamed } from '../../model/service/remote.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Declared, DeclaredObject } from '../../model/workspace/resource.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import { textOfField } from '../service/text-of-field.ts';

export interface CreateGuard {
  readonly document: PlanDocument;
  readonly state: State | undefined;
  readonly declared: (address: string) => DeclaredObject | undefined;
}

/** Beyond so many dashboards the whole list takes fewer requests. */
const askedOneByOne = 5;

/**
 * The identifiers of the dashboards to ask about, secrets as such: one request each, or one for every hundred schedules
 * where undefined.
 */
export function dashboardsToList(guard: CreateGuard): readonly Declared[] | undefined {
  const byText = new Map(created(guard).map(({ identifier, asDeclared }) => [identifier, asDeclared]));
  return byText.size > askedOneByOne ? undefined : [...byText.values()];
}

export function createsSchedules(guard: CreateGuard): boolean {
  return created(guard).length > 0;
}

/** Throws Failure blocked, with the entries of `adopt` that take over what is there. */
export async function checkDuplicates(guard: CreateGuard, api: Api, options: CallOptions): Promise<void> {
  const wanted = created(guard);
  const dashboards = dashboardsToList(guard);
  const pages = dashboards?.map((identifier) => ({ identifier })) ?? [{}];
  const listed = (await Promise.all(pages.map((only) => api.listSchedules(only, options)))).flat();
  const { resources = {} } = guard.state ?? {};
  const { changes } = guard.document;
  // What counts as missing is made anew, unless it is there after all.
  const missing = new Set(
    changes.flatMap(({ address, previousAddress = address, reason }) => (reason === 'missing' ? previousAddress : [])),
  );
  const kept = Object.entries(resources).flatMap(([address, { id }]) => (missing.has(address) ? [] : id));
  const deleted = changes.flatMap(({ action, id }) => (action === 'delete' ? id : []));
  const known = new Set([...kept, ...deleted]);
  const untracked = listed.filter(({ id }) => !known.has(id));
  const free = new Map<string, ListedSchedule[]>();
  for (const row of untracked) {
    const key = JSON.stringify([row.identifier, row.name]);
    free.set(key, [...(free.get(key) ?? []), row]);
  }
  const found = wanted.flatMap(({ address, identifier, name }) => {
    const there = free.get(JSON.stringify([identifier, name]));
    return there === undefined ? [] : [{ address, there }];
  });
  if (found.length > 0) throw existing(found);
  const untold = untracked.filter((row) => wanted.some(({ identifier, name }) => mayBeNamed(row, identifier, name)));
  if (untold.length > 0) throw notTold(untold);
}

function created({ document, declared }: CreateGuard) {
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

function existing(found: readonly { address: string; there: readonly ListedSchedule[] }[]): Failure {
  const several = found.some(({ there }) => there.length > 1);
  const entries = found.flatMap(({ address, there }) =>
    there.map(({ id }, index) => `  ${index > 0 ? '# or: ' : ''}- { to: ${address}, id: ${id} }`),
  );
  const what = found.length === 1 ? 'A schedule' : `${found.length} schedules`;
  const has = found.length === 1 ? 'has' : 'have';
  return new Failure(
    'blocked',
    `${what} that would be created ${has} the name of one on the same dashboard that Almanac does not track: ${found.map(({ address }) => address).join(', ')}.`,
    {
      hint: [
        `Take over what is there${several ? ', one for each,' : ''} by adding this to a source file:`,
        '',
        'adopt:',
        ...entries,
        '',
        'If they are meant to exist beside each other, go on with --allow-duplicates. Nothing was created.',
        'What is taken over counts as declared here: what differs in Omni in a field that can not be read back goes unnoticed until it changes here.',
      ].join('\n'),
    },
  );
}

/** What the list leaves open is not guessed. */
function notTold(rows: readonly ListedSchedule[]): Failure {
  const ids = [...new Set(rows.map(({ id }) => id))].join(', ');
  return new Failure(
    'blocked',
    `Omni lists schedules without their name or their dashboard: ${ids}. Whether what would be created is there already can not be told.`,
    { hint: 'Look in Omni what they are. If they are others, go on with --allow-duplicates. Nothing was created.' },
  );
}
