// A plan that is saved where secrets are missing cannot say which of them have changed. So before a saved plan is
// applied, the secrets that are known here are compared with the state.

import type { FieldDiff, SavedPlan } from '../../model/plan/plan.ts';
import { equalJson, type Json } from '../../model/values/json.ts';
import { sensitive, variablesIn } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { differenceOf } from '../../plan/facts.ts';
import type { Basis } from '../propose/basis.ts';
import { selectMatches } from '../propose/selection.ts';

/** Throws Failure plan-stale where the value of a secret differs and the plan does not say so. */
export function checkRotated(saved: SavedPlan, basis: Basis): void {
  if (saved.refresh?.only) return;
  const planned = new Map(saved.changes.map(({ address, diff }) => [address, diff]));
  const rotated = selectMatches(basis, saved.targets).flatMap((entry) => {
    if (entry.prior === undefined) return [];
    const said = planned.get(entry.address) ?? [];
    return differenceOf(entry, false, false).diff.filter((each) => isRotated(each) && !isSaid(each, said));
  });
  if (rotated.length === 0) return;
  const names = [...new Set(rotated.flatMap(({ after }) => variablesOf(after)))].sort();
  const which = names.length === 0 ? 'a secret in a file' : names.join(', ');
  const where = names.length === 0 ? '' : ` where ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} set`;
  throw new Failure('plan-stale', `The saved plan does not contain that ${which} has changed.`, {
    hint: `Run almanac plan --out again${where}, and have the new plan reviewed. Nothing was sent.`,
  });
}

/** Its value alone differs; an older state does not know its text. */
function isRotated({ op, before, after, sensitive: isSecret }: FieldDiff): boolean {
  return isSecret && op === 'change' && (equalJson(before, after) || (before === sensitive && after !== sensitive));
}

function isSaid({ path }: FieldDiff, said: readonly FieldDiff[]): boolean {
  return said.some((each) => each.path === path && each.sensitive);
}

function variablesOf(after: Json | undefined): readonly string[] {
  return typeof after === 'string' ? variablesIn(after) : [];
}
