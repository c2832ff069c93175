// What must be unique in a workspace: an address and a dashboard. As a warning, also the name of a schedule on its
// dashboard, because recipients see nothing else of a schedule.

import { kindWords } from '../../model/values/address.ts';
import { Secret } from '../../model/values/secret.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { placeOf } from '../../model/workspace/source-file.ts';
import { acceptancesOf } from '../checks/judge-findings.ts';
import { mayMeet } from '../environments/presence.ts';

/** The address of every resource after the first that has it. */
export function uniqueAddresses(resources: readonly Resource[]): readonly Finding[] {
  return repeated(resources, ({ address }) => address).map(({ again, first }) => ({
    code: 'duplicate-address',
    message: `The ${kindWords[again.kind]} \`${again.address}\` is already declared at ${first.origin.file}:${first.line}; only one of the two can take effect.`,
    hint: 'Rename one of them, or remove it.',
    address: again.address,
    place: placeOf(again.origin, 'key'),
  }));
}

export function uniqueDashboards(resources: readonly Resource[]): readonly Finding[] {
  const dashboards = firstOfEach(resources).filter(({ kind }) => kind === 'dashboard');
  return repeated(dashboards, ({ attributes }) => textOrSecret(attributes['identifier']), mayMeet).map(
    ({ again, first }) => ({
      code: 'dashboard-declared-twice',
      message: `The dashboard \`${again.attributes['identifier']}\` is declared by \`${first.address}\` already, at ${first.origin.file}:${first.line}; they would overwrite each other.`,
      hint: 'Put all filters of a dashboard into one declaration.',
      address: again.address,
      place: placeOf(again.origin, 'value', 'identifier'),
    }),
  );
}

export function uniqueSchedules(resources: readonly Resource[]): readonly Finding[] {
  const schedules = firstOfEach(resources).filter(({ kind }) => kind === 'schedule');
  const isAccepted = (schedule: Resource) => acceptancesOf(schedule).has('duplicate-schedule');
  // All but one of those that share a name need the acceptance, whatever the order of files.
  const ordered = [...schedules.filter((each) => !isAccepted(each)), ...schedules.filter(isAccepted)];
  const identity = ({ attributes }: Resource) => {
    const [identifier, name] = [text(attributes['identifier']), text(attributes['name'])];
    return identifier === undefined || name === undefined ? undefined : JSON.stringify([identifier, name]);
  };
  return repeated(ordered, identity, mayMeet).map(({ again, first }) => ({
    code: 'duplicate-schedule',
    message: `\`${first.address}\` at ${first.origin.file}:${first.line} has the same name on the same dashboard. Omni allows it, but recipients cannot tell the two apart.`,
    hint: 'Rename one of them, or write `accept: { duplicate-schedule: REASON }`.',
    address: again.address,
    concerns: first.address,
    place: placeOf(again.origin, 'value', 'name'),
  }));
}

/** Leaves out resources that were already reported for a duplicate address. */
function firstOfEach(resources: readonly Resource[]): readonly Resource[] {
  const first = new Map<string, Resource>();
  for (const resource of resources) if (!first.has(resource.address)) first.set(resource.address, resource);
  return [...first.values()];
}

/** Secrets are compared by content, so that two variables with the same value are found; messages show a mask. */
function textOrSecret(value: unknown): string | undefined {
  return value instanceof Secret ? value.reveal() : text(value);
}

/** Only plain strings: secrets are not compared. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Each with the first before it of the same identity. `conflict`: whether two of them can be in each other's way. */
function repeated(
  resources: readonly Resource[],
  identity: (resource: Resource) => string | undefined,
  conflict: (a: Resource, b: Resource) => boolean = () => true,
) {
  const seen = new Map<string, Resource[]>();
  return resources.flatMap((again) => {
    const id = identity(again);
    if (id === undefined) return [];
    const before = seen.get(id);
    if (before === undefined) seen.set(id, [again]);
    const first = before?.find((other) => conflict(other, again));
    if (first === undefined) before?.push(again);
    return first === undefined ? [] : [{ again, first }];
  });
}
