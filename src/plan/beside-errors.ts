// Tells whether a plan may be made although other files have errors.

import type { Loaded } from '../declare/load/load.ts';
import { isRemark } from '../model/fields/fields.ts';
import { namedOf } from '../model/fields/identity.ts';
import type { Change, FieldDiff } from '../model/plan/plan.ts';
import { type Address, groupOf, sections } from '../model/values/address.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { type Finding, severityOf } from '../model/workspace/diagnostic.ts';
import { filesIn } from '../model/workspace/origins.ts';
import { audienceSection, type Desired, type Resource } from '../model/workspace/resource.ts';
import type { PlanInputs } from './inputs.ts';
import { governed } from './sinks.ts';

export const besideErrorsWords =
  'Other files have errors. Only what is taken away from the targets goes, because no file that gives them a value has one.';

/** The declarations without those that have an error themselves: their values may have any form. */
export function withoutFaulty({ desired, findings, unheard }: Loaded): Desired {
  const faulty = new Set(errorsIn(findings, unheard).flatMap(addressesOf));
  return { ...desired, resources: desired.resources.filter(({ address }) => !faulty.has(address)) };
}

/**
 * True if the changes of some targets only take something away, and no error is in almanac.yaml or in a file that gives one of
 * them a value. What the files no longer declare is taken away only where no error may hide a declaration.
 */
export function takesBesideErrors(
  changes: readonly Change[],
  targets: readonly Address[] | undefined,
  inputs: Pick<PlanInputs, 'loaded' | 'desired' | 'state'>,
): boolean {
  if (targets === undefined || changes.length === 0 || !changes.every(takesAway)) return false;
  const { config, desired, findings, unheard } = inputs.loaded;
  const errors = errorsIn(findings, unheard);
  const chosen = new Set(targets.flatMap((address) => [address, groupOf(address)]));
  const declared = [...desired.resources, ...(desired.absent ?? [])].filter(({ address }) => chosen.has(address));
  const files = new Set([config?.file, ...declared.flatMap(filesOf)]);
  const concernsThem = (finding: Finding) =>
    finding.place === undefined ||
    addressesOf(finding).some((address) => chosen.has(address)) ||
    [finding.place, ...(finding.related ?? []).map(({ place }) => place)].some(({ file }) => files.has(file));
  if (errors.some(concernsThem)) return false;
  const isDeclared = new Set([...desired.resources, ...(desired.absent ?? [])].map(({ address }) => address));
  const isAllDeclared = unheard === undefined && errors.every((finding) => hidesNothing(finding, isDeclared));
  return changes.every(
    (change) => change.action !== 'delete' || (isAllDeclared && !mayBeCalledOtherwise(change, inputs)),
  );
}

function errorsIn(findings: readonly Finding[], unheard: readonly Finding[] = []): readonly Finding[] {
  return [...findings, ...unheard].filter((finding) => severityOf(finding) === 'error');
}

function addressesOf({ address, concerns = [] }: Finding): readonly Address[] {
  return address === undefined ? concerns : [address, ...concerns];
}

/** The files that give a declaration a value. */
function filesOf({ origin, item, origins }: Pick<Resource, 'origin' | 'item' | 'origins'>): readonly string[] {
  const ofItem = item === undefined ? [] : [item.origin.file, item.loop.origin.file];
  return [origin.file, ...ofItem, ...filesIn(origins)];
}

/** True for a deletion, and for an update that takes off receivers or pauses, and sends nothing else that is new. */
function takesAway({ action, reason, blocked, previousAddress, diff }: Change): boolean {
  if (blocked !== undefined || previousAddress !== undefined) return false;
  if (action === 'delete') return reason !== 'replaced';
  return action === 'update' && reason === 'changed' && diff.every((each) => isRemark(each.path) || isTaken(each));
}

function isTaken({ path, op, after }: FieldDiff): boolean {
  const [field = '', ...entry] = pointerSegments(path);
  if (field === 'paused') return after === true;
  return op === 'remove' && governed.includes(field) && /^\d+$/.test(entry.at(-1) ?? '');
}

/** True if an error is in something that is known to be declared, or in an audience. */
function hidesNothing({ code, place, address = '' }: Finding, isDeclared: ReadonlySet<Address>): boolean {
  if (place === undefined || !('pointer' in place) || code === 'unreadable-reference') return false;
  const [section = ''] = pointerSegments(place.pointer);
  return section === audienceSection || (sections.some((each) => each === section) && isDeclared.has(address));
}

/** True if a new declaration that has an error is called the same: without it, this may be found to be that one. */
function mayBeCalledOtherwise(
  { kind, before }: Change,
  { loaded, desired, state }: Pick<PlanInputs, 'loaded' | 'desired' | 'state'>,
): boolean {
  const sound = new Set(desired.resources.map(({ address }) => address));
  const name = namedOf(kind, before ?? {})?.name;
  return loaded.desired.resources.some(
    (each) =>
      !sound.has(each.address) &&
      state?.resources[each.address] === undefined &&
      each.kind === kind &&
      each.attributes['name'] === name,
  );
}
