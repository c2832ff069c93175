// What must be unique in a workspace: an address and a dashboard. As a warning, also the name of a schedule on its
// dashboard, because recipients see nothing else of a schedule.

import { kinds } from '../../model/values/address.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { Secret } from '../../model/values/secret.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { fileOf, placeOfField } from '../../model/workspace/field-place.ts';
import type { Loop, Resource } from '../../model/workspace/resource.ts';
import { mayMeet } from '../environments.ts';
import { acceptancesOf } from '../judge-findings.ts';

/** The address of every declaration after the first that has it. */
export function uniqueAddresses(resources: readonly Resource[], loops: readonly Loop[] = []): readonly Finding[] {
  return repeated(declarations(resources, loops), ({ address }) => address).map(({ again, first }) => ({
    code: 'duplicate-address',
    message: `The ${kinds[again.kind].words} \`${again.address}\` is already declared at ${first.origin.file}:${first.line}; only one of the two can take effect.`,
    hint: 'Rename one of them, or remove it.',
    address: again.address,
    place: placeOf(again.origin, 'key'),
  }));
}

/** A loop is one declaration, whatever it makes. */
function declarations(resources: readonly Resource[], loops: readonly Loop[]): readonly (Resource | Loop)[] {
  if (loops.length === 0) return resources;
  return [...new Set([...resources.map((resource) => resource.item?.loop ?? resource), ...loops])];
}

export function uniqueDashboards(resources: readonly Resource[]): readonly Finding[] {
  const dashboards = firstOfEach(resources.filter(({ kind }) => kind === 'dashboard'));
  return repeated(dashboards, ({ attributes }) => textOrSecret(attributes['identifier']), mayMeet).map(
    ({ again, first }) => ({
      code: 'dashboard-declared-twice',
      message: `The dashboard \`${again.attributes['identifier']}\` is declared by \`${first.address}\` already, at ${fileOf(first)}:${first.line}; they would overwrite each other.`,
      hint: 'Put all filters of a dashboard into one declaration.',
      address: again.address,
      concerns: first.address,
      ...placesOf(again, 'identifier'),
    }),
  );
}

export function uniqueSchedules(resources: readonly Resource[]): readonly Finding[] {
  const schedules = firstOfEach(resources.filter(({ kind }) => kind === 'schedule'));
  const isAccepted = (schedule: Resource) => {
    if (schedule.attributes['accept'] === undefined) return false;
    const accepted = acceptancesOf(schedule);
    return accepted.has('duplicate-schedule') || accepted.has('for-each-same-name');
  };
  // All but one of those that share a name need the acceptance, whatever the order of files.
  const ordered = schedules.some(isAccepted)
    ? [...schedules.filter((each) => !isAccepted(each)), ...schedules.filter(isAccepted)]
    : schedules;
  const name = ({ attributes }: Resource) => text(attributes['name']);
  const dashboard = ({ attributes }: Resource) => text(attributes['identifier']);
  return repeated(ordered, name, mayMeet, dashboard).map(({ again, first }) => ({
    ...wordsAboutSame(again, first),
    address: again.address,
    concerns: first.address,
    ...placesOf(again, 'name'),
  }));
}

function wordsAboutSame(again: Resource, first: Resource): Pick<Finding, 'code' | 'message' | 'hint'> {
  const same = 'has the same name on the same dashboard. Omni allows it, but recipients cannot tell the two apart.';
  if (again.item !== undefined && again.item.loop === first.item?.loop)
    return {
      code: 'for-each-same-name',
      message: `\`${first.address}\` ${same}`,
      hint: 'Put a value of the item into `name`, such as `${each.key}`, or write `accept: { for-each-same-name: REASON }`.',
    };
  return {
    code: 'duplicate-schedule',
    message: `\`${first.address}\` at ${fileOf(first)}:${first.line} ${same}`,
    hint: 'Rename one of them, or write `accept: { duplicate-schedule: REASON }`.',
  };
}

function placesOf(resource: Resource, field: string): Pick<Finding, 'place' | 'related'> {
  const { place, related } = placeOfField(resource, pointerTo(field));
  return { place, related };
}

/** Leaves out resources that were already reported for a duplicate address. */
function firstOfEach(resources: readonly Resource[]): readonly Resource[] {
  const met = new Set<string>();
  return resources.filter(({ address }) => {
    const isFirst = !met.has(address);
    met.add(address);
    return isFirst;
  });
}

/** Secrets are compared by content, so that two variables with the same value are found; messages show a mask. */
function textOrSecret(value: unknown): string | undefined {
  return value instanceof Secret ? value.reveal() : text(value);
}

/** Only plain strings: secrets are not compared. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Each with the first before it of the same identity in the same group. `conflict`: whether two of them can be in each
 * other's way.
 */
function repeated<R>(
  resources: readonly R[],
  identity: (resource: R) => string | undefined,
  conflict: (a: R, b: R) => boolean = () => true,
  group: (resource: R) => string | undefined = () => '',
) {
  const kept = new Map<string, readonly R[]>();
  const found: { readonly again: R; readonly first: R }[] = [];
  for (const again of resources) {
    const [name, id] = [group(again), identity(again)];
    if (name === undefined || id === undefined) continue;
    const key = `${name.length} ${name}${id}`;
    const same = kept.get(key) ?? [];
    const first = same.find((other) => conflict(other, again));
    if (first === undefined) kept.set(key, [...same, again]);
    else found.push({ again, first });
  }
  return found;
}
