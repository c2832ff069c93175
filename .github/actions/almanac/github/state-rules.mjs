// Before `command: doctor`: asks GitHub whether a ruleset limits who may update the branch of the state. This step has
// GitHub's token and runs nothing; the next one puts the answer in the place of the check that doctor skips.

import { setOutputs } from '../runner/files.mjs';
import { HostFailure } from '../runner/http.mjs';
import { connectGithub } from './api.mjs';

/** As a job pins the place; only `origin` is certainly this repository. */
const [, branch] = /^git branch (\S+) of origin$/.exec(process.env.ALMANAC_STATE_PLACE ?? '') ?? [];
if (branch !== undefined) {
  const check = await rulesOf(branch);
  process.stdout.write(`${check.message}\n`);
  setOutputs({ check: JSON.stringify(check) });
}

/** A check, as doctor prints it, without its name. */
async function rulesOf(name) {
  const hint = 'docs/state-backends.md shows how to let only a deploy key write it.';
  try {
    const rules = await connectGithub().rulesOf(name);
    if (rules.some(({ type }) => type === 'update'))
      return { status: 'ok', message: `A ruleset limits who may update the branch ${name}.` };
    const message = `No ruleset limits who may update the branch ${name}. Whoever may push to this repository can edit the state, and so hide changes from a plan.`;
    return { status: 'warning', message, hint };
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    return { status: 'skipped', message: `The rules of the branch ${name} could not be read. ${error.message}`, hint };
  }
}
