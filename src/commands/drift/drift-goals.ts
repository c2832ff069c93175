// The values that the declarations need in order to agree with Omni. Each field that others changed gets its value from
// Omni. A field whose declaration was changed as well stays: nobody's edit is thrown away.

import { fieldsOf } from '../../model/fields/fields.ts';
import type { DriftedField, NotWritten, NotWrittenReason } from '../../model/plan/drift-document.ts';
import type { Observation } from '../../model/plan/observation.ts';
import { command } from '../../model/values/command.ts';
import { equalJson, type Json } from '../../model/values/json.ts';
import { pointerSegments, pointerTo } from '../../model/values/pointer.ts';
import { holdsSecret } from '../../model/values/secret.ts';
import { inBackticks } from '../../model/values/words.ts';
import type { SealedResource } from '../../model/workspace/resource.ts';
import { diffAttributes } from '../../plan/difference.ts';
import { filtersIn, withObserved } from '../../plan/drift.ts';
import { type Match, trackedAs } from '../../plan/match.ts';

export interface WantedValue {
  readonly resource: SealedResource;
  readonly field: string;
  /** As it is declared now, after defaults and references. */
  readonly declared: Json | undefined;
  /** Undefined if Omni has no value, or the default of its API. */
  readonly value: Json | undefined;
}

export interface DriftGoals {
  readonly goals: readonly WantedValue[];
  readonly refused: readonly NotWritten[];
}

/** `matches` may be written. `secrets` are texts that must not get into any file. */
export function driftGoals(
  matches: readonly Match[],
  { observed }: Observation,
  secrets: readonly string[],
): DriftGoals {
  const each = matches.map((entry) => goalsOf(entry, observed.get(trackedAs(entry)), secrets));
  return {
    goals: [...each.flatMap(({ goals }) => goals), ...renamedGoals(matches, observed)],
    refused: each.flatMap(({ refused }) => refused),
  };
}

/** The new identifier of a renamed dashboard, wherever the former one is declared. */
function renamedGoals(matches: readonly Match[], observed: Observation['observed']): readonly WantedValue[] {
  const names = new Map<Json | undefined, Json | undefined>();
  for (const found of observed.values())
    if (found.found && found.formerly !== undefined) names.set(found.formerly, found.attributes['identifier']);
  const isTaken = new Set(names.values());
  return matches.flatMap((entry): readonly WantedValue[] => {
    const { desired, prior } = entry;
    const declared = desired?.attributes['identifier'];
    const found = observed.get(trackedAs(entry));
    const own = found?.found && found.formerly === declared ? found.attributes['identifier'] : undefined;
    // An unapplied declaration may mean another dashboard that has the name now.
    const value = own ?? (prior === undefined && !isTaken.has(declared) ? names.get(declared) : undefined);
    if (desired === undefined || declared === undefined || value === undefined) return [];
    return [{ resource: desired, field: 'identifier', declared, value }];
  });
}

function goalsOf(match: Match, observed: Parameters<typeof withObserved>[1], secrets: readonly string[]): DriftGoals {
  const { address, desired } = match;
  const { drift, effective, recorded } = withObserved(match, observed);
  if (drift === undefined || drift.counted.length === 0) return { goals: [], refused: [] };
  if (drift.isGone)
    return { goals: [], refused: [{ about: [{ address, path: '' }], reason: 'gone', message: goneWords }] };
  const [before, now] = [recorded.prior?.attributes ?? {}, effective.prior?.attributes ?? {}];
  const refusal = (fields: readonly string[], reason: NotWrittenReason, message: string): NotWritten => ({
    about: fields.map((field) => driftedField({ resource: { address }, field })),
    reason,
    message,
  });
  const names = [...new Set(drift.counted.map(({ path }) => pointerSegments(path)[0] ?? ''))];
  if (desired === undefined) {
    const why =
      match.absent === undefined
        ? `\`${address}\` is in the state and not declared, so there is no file to write it to.`
        : `\`${address}\` is declared for other environments only. The next apply removes it from this one.`;
    return { goals: [], refused: [refusal(names, 'not-declared', why)] };
  }
  const ownEdits = diffAttributes(desired.kind, before, desired.attributes);
  const edited = new Set(ownEdits.map(({ path }) => pointerSegments(path)[0] ?? ''));
  const goals: WantedValue[] = [];
  const refused: NotWritten[] = [];
  for (const field of names) {
    const [declared, value] = [desired.attributes[field], now[field]];
    const isSecret = [declared, value].some((part) => part !== undefined && holdsSecret(part));
    const isReplaced = desired.sink !== undefined && Object.hasOwn(desired.sink.declared, field);
    if (isReplaced) refused.push(refusal([field], 'sink', sinkWords(desired.sink.environment)));
    else if (isSecret || holdsAny(value, secrets)) refused.push(refusal([field], 'secret', secretWords));
    else if (edited.has(field)) refused.push(refusal([field], 'declaration-changed', editedWords));
    else if (field === 'filterConfig' && filtersIn(drift.diff, 'gone').length > 0)
      refused.push(refusal([field], 'filter-gone', goneFilterWords(filtersIn(drift.diff, 'gone'))));
    else if (isNobody(field, value)) refused.push(refusal([field], 'invalid', nobodyWords));
    else goals.push({ resource: desired, field, declared, value: isUnset(desired, field, value) ? undefined : value });
  }
  return { goals, refused };
}

/** Searches texts and keys. */
function holdsAny(value: Json | undefined, secrets: readonly string[]): boolean {
  if (typeof value === 'string') return secrets.some((secret) => value.includes(secret));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, part]) => holdsAny(key, secrets) || holdsAny(part as Json, secrets));
}

const goneWords = `The resource is gone from Omni. A declaration is never removed here: remove it yourself, or create the resource again with \`${command('apply', '--refresh')}\`.`;
const sinkWords = (environment: string) =>
  `The sink of ${environment} replaces the value, so what Omni has there is not what is declared. The next apply puts the sink back.`;
const secretWords = 'The value is secret, and a secret is never written into a file.';
const editedWords = 'Its declaration was changed too and is not applied yet. Choose one of the two values yourself.';

const goneFilterWords = (ids: readonly string[]) =>
  `The dashboard no longer has ${ids.map((id) => inBackticks(id)).join(', ')}, and without ${ids.length === 1 ? 'it' : 'them'} the report would show all rows. Put ${ids.length === 1 ? 'it' : 'them'} back on the dashboard in Omni, or change the declaration yourself.`;

/** An observed owner who is found among the people has an address. */
function isNobody(field: string, value: Json | undefined): boolean {
  return field === 'owner' && typeof value === 'string' && !value.includes('@');
}

const nobodyWords = `The resource belongs to none of the people that Omni lists, perhaps to the organization, which cannot be declared. Remove owner, or restore the declared owner with \`${command('apply', '--refresh')}\`.`;

function isUnset({ kind }: SealedResource, field: string, value: Json | undefined): boolean {
  const byDefault = fieldsOf[kind][field]?.default;
  return value === undefined || (byDefault !== undefined && equalJson(byDefault, value));
}

interface FieldOf {
  readonly resource: Pick<SealedResource, 'address'>;
  readonly field: string;
}

export function driftedField({ resource: { address }, field }: FieldOf): DriftedField {
  return { address, path: pointerTo(field) };
}
