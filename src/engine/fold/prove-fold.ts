// Whether folded files mean the same: in every environment they declare the same resources under other addresses, and the
// plan against the state is as before but for moves.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { canonicalJson, type Json, type JsonObject } from '../../model/values/json.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import { sorted } from '../../plan/comparable.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { Loaded } from '../load/load.ts';
import { type Basis, makeBasis, rebased } from '../propose/basis.ts';
import { planOf } from '../propose/plan-of.ts';

/** The workspace in one environment. */
export interface FoldSide {
  /** Undefined without --env. */
  readonly name: string | undefined;
  /** Undefined where nothing was applied; left out where it could not be read. */
  readonly state?: State | undefined;
}

export type FoldProof =
  | { readonly holds: true }
  | {
      readonly holds: false;
      /** A whole sentence. */
      readonly message: string;
      /** New addresses that are at fault, as far as that is known. */
      readonly blame: readonly Address[];
    };

export interface FoldProver {
  /** `folded`: the workspace with the folded files, in each environment; `to`: the new addresses by the old ones. */
  prove(folded: readonly Loaded[], to: ReadonlyMap<Address, Address>): Promise<FoldProof>;
}

interface Before {
  readonly side: FoldSide;
  readonly basis: Basis;
  readonly changes: readonly Change[];
}

/** Plans each environment as it is only once. Throws Failure invalid-workspace where one has errors. */
export async function makeFoldProver(
  sides: readonly { readonly side: FoldSide; readonly loaded: Loaded }[],
  randomness: Randomness,
): Promise<FoldProver> {
  const before: Before[] = [];
  for (const { side, loaded } of sides) {
    const basis = await makeBasis(loaded, side.state, randomness);
    before.push({ side, basis, changes: changesOf(basis) });
  }
  return {
    prove: async (folded, to) => {
      for (const [index, loaded] of folded.entries()) {
        const each = before[index];
        const proof = each && (await proveSide(each, loaded, to));
        if (proof?.holds === false) return proof;
      }
      return { holds: true };
    },
  };
}

async function proveSide(before: Before, loaded: Loaded, to: ReadonlyMap<Address, Address>): Promise<FoldProof> {
  const where = before.side.name === undefined ? '' : ` in the environment ${before.side.name}`;
  const worse = worseFinding(before.basis.loaded.findings, loaded.findings);
  if (worse !== undefined) {
    const message = `Folded, it would not be valid${where}. ${worse.message}`;
    return { holds: false, message, blame: worse.address === undefined ? [] : [worse.address] };
  }
  const after = await rebased(before.basis, loaded);
  const moved = (address: Address) => to.get(address) ?? address;
  const declared = differing(
    before.basis.desired.resources.map((resource) => [moved(resource.address), declaredText(resource)]),
    after.desired.resources.map((resource) => [resource.address, declaredText(resource)]),
  );
  if (declared.length > 0) {
    const message = `Folded, \`${declared[0]}\` would not be declared as it was${where}.`;
    return { holds: false, message, blame: declared };
  }
  const planned = differing(
    before.changes.filter((change) => !isMove(change)).map((change) => [moved(change.address), plannedText(change)]),
    changesOf(after)
      .filter((change) => !isMove(change))
      .map((change) => [change.address, plannedText(change)]),
  );
  if (planned.length === 0) return { holds: true };
  const message = `Folded, the plan for \`${planned[0]}\` would hold more than a move${where}.`;
  return { holds: false, message, blame: planned };
}

function isMove({ action }: Change): boolean {
  return action === 'move';
}

function changesOf(basis: Basis): readonly Change[] {
  const selection = { targets: undefined, replace: [], refresh: undefined } as const;
  return planOf(basis, selection, undefined).value.plan.changes;
}

/** The same warnings, in any place, are no worse: an instance has those of the declaration that it was. */
function worseFinding(before: readonly Finding[], after: readonly Finding[]): Finding | undefined {
  const counts = new Map([...groupBy(before, codeOf)].map(([code, { length }]) => [code, length]));
  for (const finding of after) {
    if (severityOf(finding) === 'note') continue;
    const left = counts.get(codeOf(finding)) ?? 0;
    if (severityOf(finding) === 'error' || left === 0) return finding;
    counts.set(codeOf(finding), left - 1);
  }
  return undefined;
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
function plannedText({ kind, action, id, diff: fields, requests, blocked }: Change): string {
  // The words that say why name the address.
  const isBlocked = blocked !== undefined;
  const diff = fields.map(({ path, before = null, after = null, ...how }) => {
    const name = path.slice(1);
    return { path, ...how, before: inAnyOrder(kind, { [name]: before }), after: inAnyOrder(kind, { [name]: after }) };
  });
  return canonicalJson({ action, id: id ?? null, diff, requests, isBlocked });
}

type Entry = readonly [Address, string];

/** The addresses whose texts are not the same, in the order of their first occurrence. */
function differing(before: readonly Entry[], after: readonly Entry[]): readonly Address[] {
  const texts = (entries: readonly Entry[]) =>
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
