// Turns the routines that were found into a source file. Their list shows routines whole, so no details are requested
// and no field stays unread.

import { routineFields } from '../../model/fields/routine-fields.ts';
import type { ListedRoutine } from '../../model/service/remote.ts';
import { isOrganizationKey } from '../../model/service/token-kinds.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { byCodeUnit, type Json } from '../../model/values/json.ts';
import type { FieldDraft, ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { escapeInterpolation } from '../../yaml/escape-interpolation.ts';
import { keyFrom, takeName } from '../base/kebab.ts';
import { byNature } from './choose-keys.ts';
import { faultOf } from './declare-schedule.ts';
import type { Drafts } from './draft-sources.ts';
import type { FoundRoutine } from './find-routines.ts';
import type { ImportedSchedule, SkippedSchedule } from './import-document.ts';
import type { PlannedImport } from './import-run.ts';

type RoutineDrafts = Pick<Drafts, 'sources' | 'imported' | 'madeBy' | 'skipped'>;

export async function draftRoutines(importing: PlannedImport): Promise<RoutineDrafts> {
  const { found, taken, maybeDeclared } = importing.plan.routines;
  const path = importing.targets.routines;
  const keys = new Set(taken);
  const drafts: ResourceDraft[] = [];
  const imported: ImportedSchedule[] = [];
  const madeBy = new Map<Address, string>();
  const skipped: SkippedSchedule[] = [];
  const isKey = isOrganizationKey(importing.service.token());
  const sorted = found.toSorted(({ row: a }, { row: b }) => byNature(a.name, b.name) || byCodeUnit(a.id, b.id));
  for (const each of sorted) {
    const { id, name } = each.row;
    const named = { id, name, identifier: '' };
    const draft = { ...draftOf(each), key: keyFrom(name, 'routine') };
    const reason =
      maybeDeclared.get(id) ??
      (isKey && each.owner === undefined ? ofNobody : undefined) ??
      (each.row.destination === undefined ? 'Omni does not say where it delivers.' : undefined) ??
      (await faultOf(sourceOf(path, [draft]), importing));
    if (reason !== undefined) {
      skipped.push({ ...named, reason });
      continue;
    }
    const key = takeName([draft.key], keys);
    drafts.push({ ...draft, key });
    const address = addressOf('routine', key);
    imported.push({ address, ...named });
    if (each.owner !== undefined) madeBy.set(address, each.owner.id);
  }
  if (drafts.length === 0) return { sources: [], imported, madeBy, skipped };
  const adoptions = importing.options.writeState ? [] : imported.map(({ address, id }) => ({ to: address, id }));
  return {
    sources: [{ ...sourceOf(path, drafts), schema: importing.schemaFor(path), adoptions }],
    imported,
    madeBy,
    skipped,
  };
}

function sourceOf(path: string, routines: readonly ResourceDraft[]): SourceDraft {
  return { path, comments: ['Routines, as almanac import read them.'], resources: { routines }, adoptions: [] };
}

/** Only its owner sees a routine, so every later request has to name that member. */
const ofNobody =
  'Omni does not say to an organization key whose it is: name its owner in --owners, or ask for all of them with --owners all.';

/** Without its key. */
function draftOf({ row, owner }: FoundRoutine): Omit<ResourceDraft, 'key'> {
  const { paused, stopped, destination = { type: '' } } = row;
  const values: Readonly<Record<string, Json | undefined>> = {
    ...row,
    destination: declaredDestination(destination),
    owner: owner?.email,
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

/** Declares only published fields, and no empty lists. */
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
