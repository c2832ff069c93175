// Turns the routines that were found into a source file. Their list shows all of a routine, so nothing is asked for and
// nothing stays unread.

import { routineFields } from '../../model/fields/routine-fields.ts';
import type { ListedRoutine } from '../../model/service/remote.ts';
import { addressOf } from '../../model/values/address.ts';
import { byCodeUnit, type Json } from '../../model/values/json.ts';
import type { FieldDraft, ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../yaml/escape-interpolation.ts';
import type { ImportedSchedule, SkippedSchedule } from '../base/import-document.ts';
import { keyOf, takeName } from '../base/kebab.ts';
import { byNature } from './choose-keys.ts';
import { type CheckOptions, faultOf } from './declare-schedule.ts';
import type { FoundRoutine } from './find-routines.ts';
import type { RoutinePlan } from './plan-import.ts';

interface RoutineDrafts {
  /** None where nothing is to be declared. */
  readonly sources: readonly SourceDraft[];
  readonly imported: readonly ImportedSchedule[];
  readonly skipped: readonly SkippedSchedule[];
}

interface RoutineOptions extends CheckOptions {
  readonly schemaFor: (path: string) => string | undefined;
  /** Whether to write adopt entries. */
  readonly adopt: boolean;
}

export async function draftRoutines(
  { found, path, taken, alike }: RoutinePlan,
  options: RoutineOptions,
): Promise<RoutineDrafts> {
  const keys = new Set(taken);
  const drafts: ResourceDraft[] = [];
  const imported: ImportedSchedule[] = [];
  const skipped: SkippedSchedule[] = [];
  for (const each of [...found].sort(inOrder)) {
    const { id, name } = each.row;
    const named = { id, name, identifier: '' };
    const draft = { ...draftOf(each), key: keyOf(name, 'routine') };
    const reason =
      (options.adopt ? undefined : notInState) ??
      alike.get(id) ??
      whyNot(each.row) ??
      (await faultOf(sourceOf(path, [draft]), options));
    if (reason !== undefined) {
      skipped.push({ ...named, reason });
      continue;
    }
    const key = takeName([draft.key], keys);
    drafts.push({ ...draft, key });
    imported.push({ address: addressOf('routine', key), ...named });
  }
  if (drafts.length === 0) return { sources: [], imported, skipped };
  const adoptions = options.adopt ? imported.map(({ address, id }) => ({ to: address, id })) : [];
  return { sources: [{ ...sourceOf(path, drafts), schema: options.schemaFor(path), adoptions }], imported, skipped };
}

function inOrder({ row: a }: FoundRoutine, { row: b }: FoundRoutine): number {
  return byNature(a.name, b.name) || byCodeUnit(a.id, b.id);
}

function sourceOf(path: string, routines: readonly ResourceDraft[]): SourceDraft {
  return { path, comments: ['Routines, as almanac import read them.'], resources: { routines }, adoptions: [] };
}

/** A state records for whom a routine was made, which only an apply finds out. */
const notInState =
  'An import with --write-state tracks no routines: import them without it, and apply their `adopt` entries.';

function whyNot({ destination }: ListedRoutine): string | undefined {
  return destination === undefined ? 'Omni does not say where it delivers.' : undefined;
}

/** Without its key. */
function draftOf({ row, owner }: FoundRoutine): Omit<ResourceDraft, 'key'> {
  const { paused, stopped, destination = { type: '' } } = row;
  const values: Readonly<Record<string, Json | undefined>> = {
    ...row,
    destination: declaredDestination(destination),
    owner,
  };
  const fields = Object.keys(routineFields).flatMap((name): readonly FieldDraft[] => {
    const value = values[name] ?? undefined;
    return value === undefined || value === '' ? [] : [{ name, value: escapeInterpolation(value) }];
  });
  const comments = [
    ...(paused ? ['Paused by its owner in Omni.'] : []),
    ...(stopped === undefined ? [] : [`Stopped by Omni: ${stopped}.`]),
  ];
  return { comments, fields };
}

/** Only what was published, and no empty lists. */
function declaredDestination({
  type,
  recipientEmails = [],
  userGroupIds = [],
  recipientId,
  slackRecipientType,
}: NonNullable<ListedRoutine['destination']>): Json {
  const parts: Readonly<Record<string, Json | undefined>> =
    type === 'slack'
      ? { type, recipientId, slackRecipientType }
      : {
          type,
          recipientEmails: recipientEmails.length === 0 ? undefined : recipientEmails,
          userGroupIds: userGroupIds.length === 0 ? undefined : userGroupIds,
        };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
