// Proves that edited files mean what they should. In every environment they declare the resources that were declared,
// at most under other addresses and with other values in the fields that may differ, and the plan shows nothing more.

import { sorted } from '../declare/comparable.ts';
import type { Loaded } from '../declare/load/load.ts';
import { overlayWorkspace } from '../declare/load/load-again.ts';
import type { Workspace } from '../declare/workspace.ts';
import { fieldsOf } from '../model/fields/fields.ts';
import type { Change, FieldDiff } from '../model/plan/plan.ts';
import type { Address, Kind } from '../model/values/address.ts';
import { groupBy, memoize, once } from '../model/values/collections.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, pick } from '../model/values/json.ts';
import { pointerSegments } from '../model/values/pointer.ts';
import { type Finding, severityOf } from '../model/workspace/diagnostic.ts';
import type { SealedResource } from '../model/workspace/resource.ts';
import { type PlanInputs, withDeclarations } from '../plan/inputs.ts';
import { planOf } from '../plan/proposal.ts';
import { isSetField } from '../report/fields/set-differences.ts';
import type { InEnvironment } from './in-environment.ts';

/** The differences that are allowed between the edited files and those that are there. */
export interface AllowedDifference {
  /** The new addresses by the old ones. */
  readonly to?: ReadonlyMap<Address, Address>;
  readonly fields?: ChangedFields;
  /** There may be warnings that were not there before. */
  readonly mayWarn?: true;
}

/** Fields that get other values. If Omni was looked at, no plan may still hold them. */
export interface ChangedFields {
  /** The fields of a resource in an environment; undefined for one that stays as it is. */
  of(address: Address, side: InEnvironment): ReadonlySet<string> | undefined;
  /**
   * The values of fields after the edit, as they are sent or as a sink has replaced them; `edited`: what the edited
   * files make of them. Absent if any value will do.
   */
  after?(fields: JsonObject, edited: JsonObject, kind: Kind): JsonObject;
}

/** An unwanted effect of edited files in an environment. It has at least one finding or address. */
export type Unexpected =
  | { readonly kind: 'invalid'; readonly side: InEnvironment; readonly findings: readonly Finding[] }
  | { readonly kind: 'declared' | 'planned'; readonly side: InEnvironment; readonly addresses: readonly Address[] };

export type ProvenTexts =
  | { readonly unexpected: Unexpected }
  /** The declarations of the edited files in each environment, in their order. */
  | { readonly after: readonly Loaded[] };

/** `texts`: the edited files, by path. */
export type Prover = (texts: ReadonlyMap<string, string>, allowed: AllowedDifference) => Promise<ProvenTexts>;

interface Before {
  readonly inputs: PlanInputs;
  readonly changes: () => readonly Change[];
}

/** Plans each environment as it is only once, when the first edit is proven. Throws Failure invalid-workspace where one has errors. */
export function proverEverywhere(workspace: Workspace, environments: readonly InEnvironment[]): Prover {
  const beforeOf = memoize(async (side: InEnvironment): Promise<Before> => {
    const inputs = await side.inputs();
    return { inputs, changes: once(() => changesOf(inputs, side)) };
  });
  return async (texts, allowed) => {
    const edited = overlayWorkspace(workspace, texts);
    const after: Loaded[] = [];
    for (const side of environments) {
      const loaded = await side.load(edited);
      const unexpected = await unexpectedIn(side, await beforeOf(side), loaded, allowed);
      if (unexpected !== undefined) return { unexpected };
      after.push(loaded);
    }
    return { after };
  };
}

async function unexpectedIn(
  side: InEnvironment,
  before: Before,
  loaded: Loaded,
  allowed: AllowedDifference,
): Promise<Unexpected | undefined> {
  const { to, fields } = allowed;
  const findings = worseFindings(before.inputs.loaded.findings, loaded.findings, allowed);
  if (findings.length > 0) return { kind: 'invalid', side, findings };
  const after = await withDeclarations(before.inputs, loaded);
  const moved = (address: Address) => to?.get(address) ?? address;
  const edited = new Map(after.desired.resources.map((resource) => [resource.address, resource]));
  const asAllowed = (resource: SealedResource) => {
    const names = fields?.of(resource.address, side);
    return names === undefined ? resource : withFields(resource, names, fields?.after, edited.get(resource.address));
  };
  const declared = differing(
    before.inputs.desired.resources.map((each) => [moved(each.address), declaredText(asAllowed(each))]),
    after.desired.resources.map((each) => [each.address, declaredText(each)]),
  );
  if (declared.length > 0) return { kind: 'declared', side, addresses: declared };
  // New values touch no entry in `moved` or `adopt`, so without a state the declarations say it all.
  if (fields !== undefined && !('state' in side)) return undefined;
  const plannedIn = (changes: readonly Change[], how: RemainingChange, name: (address: Address) => Address) =>
    changes
      .flatMap((change) => leftOf(change, fields?.of(change.address, side), how) ?? [])
      .filter((change) => !isMove(change))
      .map((change): PlannedText => [name(change.address), plannedText(change)]);
  const isSeen = side.observation !== undefined;
  const planned = differing(
    plannedIn(before.changes(), { isSeen }, moved),
    plannedIn(changesOf(after, side), { isSeen, isEdited: true }, (address) => address),
  );
  return planned.length === 0 ? undefined : { kind: 'planned', side, addresses: planned };
}

function withFields(
  resource: SealedResource,
  names: ReadonlySet<string>,
  after: ChangedFields['after'] = (fields, edited) => ({ ...without(fields, names), ...pick(edited, names) }),
  edited?: SealedResource,
): SealedResource {
  const { kind, attributes, sink } = resource;
  return {
    ...resource,
    attributes: after(attributes, edited?.attributes ?? {}, kind),
    sink: sink && { ...sink, declared: after(sink.declared, edited?.sink?.declared ?? {}, kind) },
  };
}

function without(fields: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

interface RemainingChange {
  /** True if Omni was looked at. */
  readonly isSeen: boolean;
  /** True for the workspace with the edited files. */
  readonly isEdited?: true;
}

/** The change as it is without the fields that may differ; undefined where nothing is left of it. */
function leftOf(
  change: Change,
  names: ReadonlySet<string> | undefined,
  { isSeen, isEdited }: RemainingChange,
): Change | undefined {
  if (names === undefined) return change;
  const { kind, requests } = change;
  // An action that creates, runs or deletes is the same with and without these fields, only with other requests.
  const isUpdate = change.action === 'update' || change.action === 'replace';
  const isLeft = isSeen && isEdited && isUpdate;
  const diff = change.diff.filter((each) => !isOption(kind, each) && (isLeft || !names.has(fieldOf(each))));
  if (isUpdate && diff.length === 0 && !(isLeft && requests > 0)) return undefined;
  const action = isUpdate ? 'update' : change.action;
  return { ...change, action, diff, requests: 0, ...(isSeen ? { blocked: undefined } : {}) };
}

function fieldOf({ path }: FieldDiff): string {
  return pointerSegments(path)[0] ?? '';
}

/** An option of the request is in a diff only while a request is planned. */
function isOption(kind: Kind, diff: FieldDiff): boolean {
  return fieldsOf[kind][fieldOf(diff)]?.requestOption === true;
}

function isMove({ action }: Change): boolean {
  return action === 'move';
}

function changesOf(inputs: PlanInputs, { observation }: InEnvironment): readonly Change[] {
  return planOf(inputs, {}, observation).value.plan.changes;
}

/** The same warnings, in any place, are no worse: an instance has those of the declaration that it was. */
function worseFindings(
  before: readonly Finding[],
  after: readonly Finding[],
  { to, mayWarn }: AllowedDifference,
): readonly Finding[] {
  // A resource that a loop which is too long leaves undeclared is no mistake of its own.
  const inOrder = [...after].sort((a, b) => Number(b.code === 'for-each-many') - Number(a.code === 'for-each-many'));
  // A resource that stays at its address is wrong for itself.
  const keyOf = to === undefined ? ({ code, address }: Finding) => `${code} ${address ?? ''}` : codeOf;
  const counts = new Map([...groupBy(before, keyOf)].map(([key, { length }]) => [key, length]));
  return inOrder.filter((finding) => {
    const severity = severityOf(finding);
    if (severity !== 'warning') return severity === 'error';
    const left = counts.get(keyOf(finding)) ?? 0;
    counts.set(keyOf(finding), left - 1);
    return left <= 0 && mayWarn !== true;
  });
}

/** Two instances with one name on a dashboard have their own words for it. */
function codeOf({ code }: Finding): string {
  return code === 'for-each-same-name' ? 'duplicate-schedule' : code;
}

function declaredText({ kind, attributes, sink, in: environments }: SealedResource): string {
  const limits = {
    sink: sink === undefined ? null : inAnyOrder(kind, sink.declared),
    in: environments === undefined ? null : [...environments],
  };
  return canonicalJson({ kind, attributes: inAnyOrder(kind, attributes), ...limits });
}

/** Sorts sets, in which the order makes no difference. */
function inAnyOrder(kind: Kind, value: Json, path: readonly string[] = []): Json {
  if (Array.isArray(value)) return isSetField(kind, path) ? sorted(value) : value;
  if (!isJsonObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]): [string, Json] => [
    name,
    inAnyOrder(kind, part, [...path, name]),
  ]);
  return Object.fromEntries(parts);
}

/** The change without its reason: one that moves and changes is planned for another one. */
function plannedText({ kind, action, id, diff: fields, requests, blocked }: Change): string {
  // The words that say why name the address.
  const isBlocked = blocked !== undefined;
  const diff = fields.map(({ path, before = null, after = null, ...how }) => {
    const at = pointerSegments(path);
    return { path, ...how, before: inAnyOrder(kind, before, at), after: inAnyOrder(kind, after, at) };
  });
  return canonicalJson({ action, id: id ?? null, diff, requests, isBlocked });
}

type PlannedText = readonly [Address, string];

/** The addresses whose texts are not the same, in the order of their first occurrence. */
function differing(before: readonly PlannedText[], after: readonly PlannedText[]): readonly Address[] {
  const texts = (entries: readonly PlannedText[]) =>
    new Map(
      [...groupBy(entries, ([address]) => address)].map(([address, own]) => [
        address,
        own
          .map(([, text]) => text)
          .sort()
          .join('\n'),
      ]),
    );
  const [was, is] = [texts(before), texts(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((address) => was.get(address) !== is.get(address));
}
