// The applied resources beside the declared ones. Reports on the declarations take from here the values that ignoreChanges keeps,
// and what Omni still does because a change is not applied.

import type { Loaded } from '../declare/load/load.ts';
import { allSent, openChanges } from '../model/plan/open-change.ts';
import type { State, StateResource } from '../model/plan/state.ts';
import { type Address, type Kind, kindAt, kinds } from '../model/values/address.ts';
import { once } from '../model/values/collections.ts';
import type { JsonObject } from '../model/values/json.ts';
import { maskAttributes } from '../model/values/secret.ts';
import type { Declared, DeclaredObject, Resource } from '../model/workspace/resource.ts';
import { makeInputs, type OfRun, type PlanInputs } from './inputs.ts';
import { ignoredValues, keptValues, withIgnored } from './kept.ts';
import { kindOfMatch, type Match } from './match.ts';

export interface AppliedState {
  /** Absent if nothing was applied, or the state cannot be read. */
  readonly state: State | undefined;
  /** The declared resources, with the values that ignoreChanges keeps in place of the declared ones. */
  readonly resources: readonly Resource[];
  /** The id in Omni of a resource that is declared and was applied. */
  readonly idOf: (address: Address) => string | undefined;
  /** The declared address of a resource that runs in Omni; its tracked address if it is no longer declared. */
  readonly addressOf: (id: string) => Address | undefined;
  /** The names of the fields that are kept, of which the declaration says something else. */
  readonly keptIn: (address: Address) => readonly string[];
  /** The resources that run repeatedly in Omni, according to the state. */
  readonly running: readonly AppliedResource[];
}

/** A resource as it was applied, with masked secrets. */
export interface AppliedResource extends Pick<StateResource, 'id' | 'groups' | 'madeBy'> {
  /** The declared address; the tracked one if the resource is no longer declared. */
  readonly address: Address;
  readonly kind: Kind;
  readonly attributes: JsonObject;
  /** The attributes after the next apply; undefined if the resource is no longer declared. */
  readonly declared: JsonObject | undefined;
  /** True if the attributes are those of a change whose outcome is unknown. */
  readonly isOpen: boolean;
}

/** Throws Failure invalid-workspace where there is a state and the declarations have errors. */
export async function appliedTo(
  loaded: Loaded,
  state: State | undefined,
  ofRun: Pick<OfRun, 'randomness' | 'toolVersion'>,
): Promise<AppliedState> {
  if (state === undefined) {
    const { resources } = loaded.desired;
    const unknown = () => undefined;
    return { state, resources, idOf: unknown, addressOf: unknown, keptIn: () => [], running: [] };
  }
  return appliedIn(await makeInputs(loaded, state, ofRun, { secrets: 'matching' }));
}

export function appliedIn({ loaded, desired, state, matching }: PlanInputs): AppliedState {
  const matches = new Map(matching.value.map((match) => [match.address, match]));
  const keptByAddress = new Map(
    matching.value.flatMap((match) => {
      const fields = keptFields(match);
      return fields.length === 0 ? [] : [[match.address, fields] as const];
    }),
  );
  const declared = new Map(desired.resources.map(({ address, attributes }) => [address, maskAttributes(attributes)]));
  const found = [
    // A test delivery that ran has no id.
    ...matching.value.flatMap((match) =>
      match.prior?.id === undefined
        ? []
        : [{ ...match.prior, address: match.address, kind: kindOfMatch(match), isOpen: false }],
    ),
    ...openChanges(state).flatMap((open) =>
      open.action === 'run'
        ? []
        : allSent(open).map((attributes) => ({
            ...{ ...open, attributes, id: undefined },
            ...{ kind: kindAt(open.address), isOpen: true },
          })),
    ),
  ];
  const running = found.flatMap(({ address, kind, id, attributes, groups, madeBy, isOpen }): AppliedResource[] => {
    if (attributes === undefined || kinds[kind].life !== 'recurring') return [];
    const masked = maskAttributes(attributes);
    return [{ address, kind, id, attributes: masked, declared: declared.get(address), groups, madeBy, isOpen }];
  });
  const addresses = once(() => new Map(running.map(({ id, address }) => [id, address])));
  return {
    state,
    resources: loaded.desired.resources.map((resource) =>
      keptByAddress.has(resource.address) ? withKept(resource, matches.get(resource.address)) : resource,
    ),
    idOf: (address) => matches.get(address)?.prior?.id,
    addressOf: (id) => addresses().get(id),
    keptIn: (address) => keptByAddress.get(address) ?? [],
    running,
  };
}

function keptFields({ desired, prior }: Match): readonly string[] {
  if (desired === undefined || prior === undefined) return [];
  const { kind, attributes } = desired;
  const values = keptValues({ kind, declared: attributes, applied: prior.attributes, found: prior.attributes });
  return values.map(({ field }) => field);
}

/** An ignored field cannot be a secret, so the recorded value is the value. */
function withKept(resource: Resource, { desired, prior }: Partial<Match> = {}): Resource {
  if (desired === undefined || prior === undefined) return resource;
  const ignored = ignoredValues(desired.kind, desired.attributes, prior.attributes);
  return { ...resource, attributes: withIgnored<Declared>(resource.attributes, ignored) as DeclaredObject };
}
