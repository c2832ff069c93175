// The schedules that a probe has made and not deleted yet. `.almanac/probe.json` names each schedule before its POST,
// so a lost answer or a killed process loses none. Omni is searched for exactly these names, and nothing else is ever
// deleted.

import type { ProgressFile } from '../../../model/outside.ts';
import { hasProbeName } from '../../../model/service/remote.ts';
import { groupBy } from '../../../model/values/collections.ts';
import { command } from '../../../model/values/command.ts';
import { oneOf, openRecord, text } from '../../../model/values/schema.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { unlessGone } from '../../../observe/sending.ts';
import type { Api } from '../../../omni/api.ts';
import { readAs } from '../../../omni/read-by-schema.ts';

/** Relative to the root of the workspace. */
export const leftoversFile = '.almanac/probe.json';

/** A name, under which a probe may have made several schedules. */
export interface Leftover {
  readonly dashboard: string;
  readonly name: string;
  /** The schedules whose answer came. */
  readonly ids: ReadonlySet<string>;
  /** The number of requests that may have made one, and whose answer has not come. */
  readonly unanswered: number;
}

const lineSchema = openRecord({
  event: oneOf('sending', 'made', 'another', 'refused', 'deleted'),
  name: text,
  'baseUrl?': text,
  'dashboard?': text,
  'id?': text,
});

export interface Leftovers {
  /** Notes a name before its POST. */
  sending(name: string, dashboard: string): Promise<void>;
  made(name: string, id: string): Promise<void>;
  /** Notes that this id belongs to another schedule, so the id of the one that the POST made is not known. */
  another(name: string, id: string): Promise<void>;
  /** Notes that the POST certainly made nothing. */
  refused(name: string): Promise<void>;
  deleted(name: string, id: string): Promise<void>;
  /** Everything that may still be in Omni. */
  all(): readonly Leftover[];
  /** Deletes the file; without it, nothing is known about them. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Throws Failure refused if the file is not one of Almanac's, or its schedules are of another organization. */
export async function openLeftovers(file: ProgressFile, baseUrl: string): Promise<Leftovers> {
  const known = new Map<string, { dashboard: string; ids: Set<string>; unanswered: number }>();
  const note = (given: unknown): void => {
    const line = readAs(lineSchema, given);
    const { event, name = '', id = '', dashboard = '' } = line ?? {};
    const entry = known.get(name) ?? { dashboard, ids: new Set<string>(), unanswered: 0 };
    if (event === undefined || !hasProbeName({ name })) throw notOurs(file.name);
    known.set(name, entry);
    if (event === 'sending') entry.unanswered += 1;
    if (event === 'made') entry.ids.add(id);
    if (event === 'made' || event === 'refused') entry.unanswered -= 1;
    if (event === 'another' && entry.ids.delete(id)) entry.unanswered += 1;
    // No id was noted for a schedule whose answer was lost.
    if (event === 'deleted' && !entry.ids.delete(id)) entry.unanswered = Math.max(0, entry.unanswered - 1);
    if (line?.baseUrl !== undefined && line.baseUrl !== baseUrl)
      throw foreignLeftovers(file.name, line.baseUrl, baseUrl);
  };
  for (const line of (await file.read()) ?? []) note(line);
  const append = async (line: { readonly event: string; readonly name: string; readonly [field: string]: string }) => {
    await file.append(line);
    note(line);
  };
  return {
    sending: (name, dashboard) => append({ event: 'sending', name, dashboard, baseUrl }),
    made: (name, id) => append({ event: 'made', name, id }),
    another: (name, id) => append({ event: 'another', name, id }),
    refused: (name) => append({ event: 'refused', name }),
    deleted: (name, id) => append({ event: 'deleted', name, id }),
    all: () =>
      [...known].flatMap(([name, entry]) => (entry.unanswered + entry.ids.size > 0 ? [{ name, ...entry }] : [])),
    forget: () => file.remove(),
    close: () => file.close(),
  };
}

function notOurs(name: string): Failure {
  return new Failure('refused', `${name} cannot be read: Almanac did not write it.`, {
    hint: 'Remove it, and look in Omni for schedules whose name begins with `Almanac probe`.',
  });
}

function foreignLeftovers(name: string, theirs: string, ours: string): Failure {
  return new Failure('refused', `${name} names schedules of ${theirs}, and the base URL of this run is ${ours}.`, {
    hint: `Delete them there first: run \`${command('doctor', '--clean')}\` in the environment of that organization.`,
  });
}

/**
 * Deletes the leftovers, and returns how many schedules that were. A schedule that neither a list nor its id shows
 * stays among them. No call takes a run's signal: an interrupted probe's schedules are deleted all the same.
 */
export async function deleteLeftovers(leftovers: Leftovers, api: Api): Promise<number> {
  let count = 0;
  const remove = async (name: string, id: string) => {
    await unlessGone(api.deleteSchedule(id));
    await leftovers.deleted(name, id);
    count += 1;
  };
  for (const [dashboard, named] of groupBy(leftovers.all(), (each) => each.dashboard)) {
    const rows = await api.listSchedules({ identifier: dashboard });
    for (const { name, ids } of named) {
      const listed = rows.filter((row) => row.name === name).map(({ id }) => id);
      for (const id of listed) await remove(name, id);
      // The list may lag behind.
      for (const id of [...ids].filter((each) => !listed.includes(each)))
        if ((await unlessGone(api.getSchedule(id)))?.name === name) await remove(name, id);
    }
  }
  if (leftovers.all().length === 0) await leftovers.forget();
  return count;
}
