// A saved plan: read back, and compared with what would be planned now. Applying a plan that no longer describes what
// would happen is refused, each reason in its own words.

import type { Workspace } from '../../declare/workspace.ts';
import { type FieldDiff, type PlanDocument, planSchema, type SavedPlan } from '../../model/plan/plan.ts';
import { kindOf } from '../../model/values/address.ts';
import { equalJson, isJsonObject, parseJson } from '../../model/values/json.ts';
import { variablesIn } from '../../model/values/secret.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import { desiredDigest, planDigest } from './digest.ts';
import type { Proposal } from './propose.ts';

const again = 'Run almanac plan --out again, and have the new plan reviewed.';

/**
 * Reads the saved plan that a command names. A plan that git tracks may have come with somebody's commit, so nobody reviewed
 * it as the plan of this run. Throws Failure plan-unreadable, and usage if the file cannot be read.
 */
export async function openSavedPlan(workspace: Workspace, file: string): Promise<SavedPlan> {
  const text = await workspace.readOutside(file).catch((error: unknown) => {
    throw error instanceof Failure && kindOf(file) !== undefined ? addressForFile(error, file) : error;
  });
  if (/\.ya?ml$/i.test(file) && !text.includes('"formatVersion"')) throw notSaved(file);
  if (!(await workspace.isTracked(file))) return readSavedPlan(text, file);
  throw new Failure('plan-unreadable', `${file} is tracked by git, so anybody who can commit may have written it.`, {
    hint: `Remove it from git (\`git rm --cached ${file}\`), ignore it in .gitignore, and save the plan again with almanac plan --out.`,
  });
}

function notSaved(file: string): Failure {
  return new Failure('plan-unreadable', `${file} is not a saved plan. It looks like a source file.`, {
    hint: 'Name no source file: `almanac apply` reads all of them, and `--target ADDRESS` chooses from what they declare. A saved plan is what `almanac plan --out FILE` writes.',
  });
}

function addressForFile({ code, message }: Failure, file: string): Failure {
  return new Failure(code, `${message} A saved plan is a file, and this looks like an address.`, {
    hint: `To see what the state keeps of it, run \`almanac state show ${file}\`. To see what is declared, run \`almanac show --resolved ${file}\`.`,
  });
}

/** Throws Failure plan-unreadable. */
export function readSavedPlan(text: string, name: string): SavedPlan {
  const unreadable = (why: string) => new Failure('plan-unreadable', `${name} ${why}`, { hint: again });
  const value = parseJson(text);
  if (value === undefined) throw unreadable('is not JSON, or cut short.');
  const version = isJsonObject(value) ? value['formatVersion'] : undefined;
  if (typeof version === 'number' && version > 1)
    throw unreadable(`has format version ${version}; this almanac reads 1. It was saved by a newer one.`);
  const plan = checkedDocument(planSchema, value, (problem) =>
    unreadable(`is not a plan that almanac plan --out has saved: ${problem}.`),
  );
  const { desiredDigest } = plan;
  if (desiredDigest === undefined)
    throw unreadable('is what plan --format json prints; apply takes what plan --out saves.');
  if (planDigest(plan) !== plan.digest)
    throw unreadable('was changed after it was saved: its digest does not fit its changes.');
  return { ...plan, desiredDigest };
}

/** Why the proposal is not what was saved. */
export function staleness(saved: SavedPlan, { document, basis }: Proposal): readonly Failure[] {
  const why = whatDiffers(saved, document);
  if (why !== undefined) return [outOfDate(why)];
  if (saved.desiredDigest !== desiredDigest(basis.desired)) return [outOfDate('the declarations have changed since.')];
  if (saved.digest === document.digest) return [];
  return [
    rotatedSince(saved, document) ?? outOfDate('what would be done is no longer the same; a secret may have changed.'),
  ];
}

function outOfDate(why: string): Failure {
  return new Failure('plan-stale', `The saved plan is out of date: ${why}`, { hint: again });
}

/** A plan that is saved where secrets are missing cannot say which of them have changed. */
function rotatedSince({ changes: saved }: SavedPlan, { changes }: PlanDocument): Failure | undefined {
  const rotated = changes.flatMap(({ address, diff }) => {
    const said = saved.flatMap((change) => (change.address === address ? change.diff : []));
    const isSaid = ({ path }: FieldDiff) => said.some((each) => each.path === path && each.sensitive);
    return diff.filter((entry) => hasOtherValue(entry) && !isSaid(entry));
  });
  if (rotated.length === 0) return undefined;
  const texts = rotated.flatMap(({ after }) => (typeof after === 'string' ? variablesIn(after) : []));
  const names = [...new Set(texts)].sort();
  const which = names.length === 0 ? 'a secret in a file' : names.join(', ');
  const where = names.length === 0 ? '' : ` where ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} set`;
  return new Failure('plan-stale', `The saved plan does not contain that ${which} has changed.`, {
    hint: `Run almanac plan --out again${where}, and have the new plan reviewed. Nothing was sent.`,
  });
}

/** Whether the value of a secret differs, and not its text. */
function hasOtherValue({ op, before, after, sensitive: isSecret }: FieldDiff): boolean {
  return isSecret && op === 'change' && equalJson(before, after);
}

function whatDiffers(saved: SavedPlan, { baseUrl, state }: PlanDocument): string | undefined {
  if (saved.baseUrl !== baseUrl)
    return `it was made for ${saved.baseUrl ?? 'no base URL'}, this run is for ${baseUrl ?? 'none'}.`;
  if (saved.state.lineage !== state.lineage) {
    if (state.lineage === null) return 'it was made from a state, and now there is none.';
    return saved.state.lineage === null
      ? 'it was made where no state was, and now there is one.'
      : 'it was made from another state.';
  }
  if (saved.state.serial === state.serial) return undefined;
  return `the state had serial ${saved.state.serial} and has ${state.serial} now: something was applied since.`;
}

/** Where the plan has another digest than the reviewed one. */
export function unexpected(expected: string, { digest }: PlanDocument): readonly Failure[] {
  if (expected === digest) return [];
  const message = `The plan has the digest ${digest}, and ${expected} was expected: what would be done is not what was reviewed.`;
  return [
    new Failure('plan-stale', message, {
      hint: 'Run almanac plan, review it, and apply with the digest that it prints.',
    }),
  ];
}
