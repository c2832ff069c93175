// The document of an import: what it wrote, what it paired with declarations, and what it left out.

import type { Drafts } from './draft-sources.ts';
import type { ImportDocument } from './import-document.ts';
import type { PlannedImport } from './import-run.ts';
import { recipientCountOf } from './pair-declared.ts';
import type { NextPlan } from './write-sources.ts';

export function documentOf(
  { sources, imported, skipped, variables, following, shared }: Drafts,
  importing: PlannedImport,
  next: NextPlan | undefined,
): ImportDocument {
  const { plan, pairing, targets, schema, service, config, options } = importing;
  const isInsideUnknown = options.filters !== 'all' && config.safety.internalDomains.length === 0;
  const { pairs, unpaired, routines, notLookedFor } = pairing;
  const paired = [...pairs, ...routines];
  const files = sources.map(({ path, resources }) => ({ path, resources: Object.values(resources).flat().length }));
  const adoptFile = paired.length === 0 || options.writeState ? undefined : targets.adopt;
  const written = [...files.map(({ path }) => path), ...(adoptFile === undefined ? [] : [adoptFile])];
  const rows = unpaired.reduce((sum, group) => sum + group.rows.length, pairs.length);
  return {
    formatVersion: 1,
    files,
    schema: files.length === 0 ? undefined : schema,
    adoptFile,
    beside: written.flatMap((path) => {
      const there = targets.existingFiles.get(path);
      return there === undefined ? [] : [{ path, there }];
    }),
    imported,
    paired: paired.map(({ declared: { address }, row }) => ({
      address,
      id: row.id,
      name: row.name,
      identifier: 'identifier' in row ? row.identifier : '',
    })),
    unpaired: unpairedIn(importing),
    notLookedFor,
    skipped,
    following,
    undecided: isInsideUnknown && shared > 0 ? shared : undefined,
    variables,
    tracked: plan.tracked.length - rows + plan.routines.tracked - pairing.elsewhere,
    ...(pairing.elsewhere === 0 ? {} : { trackedByOthers: pairing.elsewhere }),
    next: next?.summary,
    requests: service.sent(),
  };
}

/** Both sides as they look in the list. */
function unpairedIn({ pairing, loaded }: PlannedImport): ImportDocument['unpaired'] {
  const resources = new Map(loaded.desired.resources.map((resource) => [resource.address, resource]));
  return pairing.unpaired.map(({ identifier, name, declared, rows }) => ({
    identifier,
    name,
    declared: declared.map((each) => {
      const { schedule, timezone, format, destinationType } = resources.get(each.address)?.attributes ?? {};
      return {
        address: each.address,
        schedule: String(schedule),
        timezone: String(timezone),
        format: String(format),
        destinationType: String(destinationType),
        recipientCount: destinationType === 'email' ? recipientCountOf(each) : undefined,
      };
    }),
    listed: rows.map(({ id, schedule, timezone, format, destinationType, recipientCount }) => ({
      id,
      schedule,
      timezone,
      format,
      destinationType,
      recipientCount,
    })),
  }));
}
