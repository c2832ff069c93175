// Asks GitHub whether a ruleset limits who may update the state's branch. This step, before `command: doctor`, has
// GitHub's token and runs nothing; the next one puts the answer in place of the check that doctor skips.

import type { Check } from '../../doctor/doctor-document.ts';
import { setOutputs } from '../runner/files.ts';
import { HostFailure } from '../runner/http.ts';
import type { Step } from '../step.ts';
import { connectGithub } from './api.ts';

export async function main(step: Step): Promise<number> {
  // A job pins the place in this form; only `origin` is certainly this repository.
  const [, branch] = /^git branch (\S+) of origin$/.exec(step.env['ALMANAC_STATE_PLACE'] ?? '') ?? [];
  if (branch === undefined) return 0;
  const check = await rulesOf(step, branch);
  step.say(`${check.message}\n`);
  setOutputs(step, { check: JSON.stringify(check) });
  return 0;
}

type Rules = Omit<Check, 'name'>;

async function rulesOf(step: Step, name: string): Promise<Rules> {
  const hint = 'The documentation (state-backends) shows how to let only a deploy key write it.';
  try {
    const rules = await connectGithub(step).rulesOf(name);
    if (rules.some(({ type }) => type === 'update'))
      return { status: 'ok', message: `A ruleset limits who may update the branch ${name}.` };
    const message = `No ruleset limits who may update the branch ${name}. Whoever may push to this repository can edit the state, and so hide changes from a plan.`;
    return { status: 'warning', message, hint };
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    return { status: 'skipped', message: `The rules of the branch ${name} could not be read. ${error.message}`, hint };
  }
}
