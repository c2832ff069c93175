// Whether edited files mean what they should: in every environment they declare the resources that were declared, at most
// under other addresses and with the difference that is meant, and the plan against the state shows nothing more.

import { type Basis, makeBasis, rebased } from '../../../apply/propose/basis.ts';
import { planOf } from '../../../apply/propose/selection.ts';
import type { Loaded } from '../../../declare/load/load.ts';
import { fieldsOf } from '../../../model/fields/fields.ts';
import type { Randomness } from '../../../model/outside.ts';
import type { Change } from '../../../model/plan/plan.ts';
import type { State } from '../../../model/plan/state.ts';
import type { Address, Kind } from '../../../model/values/address.ts';
import { groupBy } from '../../../model/values/group-by.ts';
import { canonicalJson, type Json, type JsonObject } from '../../../model/values/json.ts';
import { pointerSegments } from '../../../model/values/pointer.ts';
import { type Finding, severityOf } from '../../../model/workspace/diagnostic.ts';
import type { SealedResource } from '../../../model/workspace/resource.ts';
import { sorted } from '../../../plan/comparable.ts';
import type { Fault } from './edit-files.ts';

/** The workspace in one environment. */
export interface Side {
  /** Undefined without --env. */
  readonly name: string | undefined;
  /** Undefined where nothing was applied; left out where it could not be read. */
  readonly state?: State | undefined;
}

export interface LoadedSide {
  readonly side: Side;
  readonly loaded: Loaded;
}

/** How the edited files may differ from those that are there. */
export interface Meant {
  /** `Folded`: begins the sentences that say what is wrong. */
  readonly done: string;
  /** `a move`: what a plan may hold. */
  readonly planned: string;
  /** The new addresses by the old ones. */
  readonly to?: ReadonlyMap<Address, Address>;
  readonly fields?: MeantFields;
  /** What to do about a finding that was not there before: a sentence behind its own. */
  readonly hintFor?: (finding: Finding) => string | undefined;
}

/** Fields that get other values. */
export interface MeantFields {
  readonly names: ReadonlySet<string>;
  /** What becomes of fields, as they are sent or as a sink has replaced them; `edited`: what the edited files make of them. */
  after(fields: JsonObject, edited: JsonObject): JsonObject;
}

/** What is wrong with the workspace with the edited files, in each environment; undefined if nothing is. */
export type EverywhereProver = (edited: readonly Loaded[], meant: Meant) => Promise<Fault | undefined>;

interface Before {
  readonly side: Side;
  readonly basis: Basis;
  readonly changes: readonly Change[];
}

/** Plans each environment as it is only once. Throws Failure invalid-workspace where one has errors. */
export async function proverEverywhere(
  sides: readonly LoadedSide[],
  randomness: Randomness,
): Promise<EverywhereProver> {
  const before: Before[] = [];
  for (const { side, loaded } of sides) {
    const basis = await makeBasis(loaded, side.state, randomness);
    before.push({ side, basis, changes: changesOf(basis) });
  }
  return async (edited, meant) => {
    for (const [index, loaded] of edited.entries()) {
      const each = before[index];
      const fault = each && (await faultOf(each, loaded, meant));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

async function faultOf(before: Before, loaded: Loaded, meant: Meant): Promise<Fault | undefined> {
  const { done, to, fields } = meant;
  const { side } = before;
  const where = side.name === undefined ? '' : ` in the environment ${side.name}`;
  // Edited values are wrong each for itself, and stay at their address.
  const keyOf = fields === undefined ? codeOf : ({ code, address }: Finding) => `${code} ${address ?? ''}`;
  const [worse, ...more] = worseFindings(before.basis.loaded.findings, loaded.findings, keyOf);
  if (worse !== undefined) {
    const wordsFor = (finding: Finding): string => {
      const hint = meant.hintFor?.(finding);
      return `${done}, it would not be valid${where}. ${finding.message}${hint === undefined ? '' : ` ${hint}`}`;
    };
    const guilty = [worse, ...(fields === undefined ? [] : more)].flatMap((each): readonly PlannedText[] =>
      each.address === undefined ? [] : [[each.address, wordsFor(each)]],
    );
    return { message: wordsFor(worse), blame: new Map(guilty.toReversed()) };
  }
  const after = await rebased(before.basis, loaded);
  const moved = (address: Address) => to?.get(address) ?? address;
  const edited = new Map(after.desired.resources.map((resource) => [resource.address, resource]));
  const asMeant = (resource: SealedResource) => fields && withFields(resource, fields, edited.get(resource.address));
  const declared = differing(
    before.basis.desired.resources.map((resource) => [
      moved(resource.address),
      declaredText(asMeant(resource) ?? resource),
    ]),
    after.desired.resources.map((resource) => [resource.address, declaredText(resource)]),
  );
  if (declared.length > 0) {
    const otherwise = fields === undefined ? 'as it was' : 'as it should be';
    return notProven(declared, (address) => `${done}, \`${address}\` would not be declared ${otherwise}${where}.`);
  }
  const plannedIn = (changes: readonly Change[], name: (address: Address) => Address) =>
    changes
      .flatMap((change) => withoutFields(change, fields?.names) ?? [])
      .filter((change) => !isMove(change))
      .map((change): PlannedText => [name(change.address), plannedText(change)]);
  const planned = differing(
    plannedIn(before.changes, moved),
    plannedIn(changesOf(after), (address) => address),
  );
  if (planned.length === 0) return undefined;
  const holdsMore = `would hold more than ${meant.planned}${where}`;
  return notProven(planned, (address) => `${done}, the plan for \`${address}\` ${holdsMore}.`);
}

function notProven(addresses: readonly Address[], wordsFor: (address: Address) => string): Fault {
  const [first = ''] = addresses;
  return { message: wordsFor(first), blame: new Map(addresses.map((each) => [each, wordsFor(each)])) };
}

function withFields(resource: SealedResource, { after }: MeantFields, edited?: SealedResource): SealedResource {
  const { attributes, sink } = resource;
  return {
    ...resource,
    attributes: after(attributes, edited?.attributes ?? {}),
    sink: sink && { ...sink, declared: after(sink.declared, edited?.sink?.declared ?? {}) },
  };
}

/** The change as it is without some fields; undefined where nothing is left of it. */
function withoutFields(change: Change, names: ReadonlySet<string> | undefined): Change | undefined {
  if (names === undefined) return change;
  const diff = change.diff.filter(({ path }) => !names.has(pointerSegments(path)[0] ?? ''));
  // What is created again, run or deleted is so with and without these fields.
  if (change.action !== 'update' && change.action !== 'replace') return { ...change, diff };
  if (diff.length === 0) return undefined;
  return { ...change, action: 'update', diff, requests: 0 };
}

function isMove({ action }: Change): boolean {
  return action === 'move';
}

function changesOf(basis: Basis): readonly Change[] {
  return planOf(basis).value.plan.changes;
}

/** The same warnings, in any place, are no worse: an instance has those of the declaration that it was. */
function worseFindings(
  before: readonly Finding[],
  after: readonly Finding[],
  keyOf: (finding: Finding) => string,
): readonly Finding[] {
  // What a loop that is too long leaves undeclared is no mistake of its own.
  const inOrder = [...after].sort((a, b) => Number(b.code === 'for-each-many') - Number(a.code === 'for-each-many'));
  const counts = new Map([...groupBy(before, keyOf)].map(([key, { length }]) => [key, length]));
  return inOrder.filter((finding) => {
    if (severityOf(finding) === 'note') return false;
    if (severityOf(finding) === 'error') return true;
    const left = counts.get(keyOf(finding)) ?? 0;
    counts.set(keyOf(finding), left - 1);
    return left <= 0;
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

/** An audience has the order of its first user, and for a set that makes no difference. */
function inAnyOrder(kind: Kind, fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).map(([name, value]): readonly [string, Json] => {
    const isSet = fieldsOf[kind][name]?.set === true && Array.isArray(value);
    return [name, isSet ? sorted(value) : value];
  });
  return Object.fromEntries(entries);
}

/** Without the reason: what moves and changes is planned for another one. */
export function plannedText({ kind, action, id, diff: fields, requests, blocked }: Change): string {
  // The words that say why name the address.
  const isBlocked = blocked !== undefined;
  const diff = fields.map(({ path, before = null, after = null, ...how }) => {
    const name = path.slice(1);
    return { path, ...how, before: inAnyOrder(kind, { [name]: before }), after: inAnyOrder(kind, { [name]: after }) };
  });
  return canonicalJson({ action, id: id ?? null, diff, requests, isBlocked });
}

export type PlannedText = readonly [Address, string];

/** The addresses whose texts are not the same, in the order of their first occurrence. */
export function differing(before: readonly PlannedText[], after: readonly PlannedText[]): readonly Address[] {
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
