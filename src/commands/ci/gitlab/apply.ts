// The job `apply`: checks that everything is in place, then applies the saved plan only. It has the token of Omni, and
// a credential for the branch of the state, which Almanac writes while it works.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsAfter } from '../../../files/git.ts';
import type { SavedPlan } from '../../../model/plan/plan.ts';
import { parseJson } from '../../../model/values/json.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { headOf } from '../runner/git.ts';
import type { RunningStep } from '../step.ts';
import { type Job, readPlace, requirePinnedUrl, runJob } from './job.ts';

export function main(step: RunningStep): Promise<number> {
  return runJob(step, applySaved);
}

async function applySaved(job: Job): Promise<number> {
  requirePinnedUrl(job);
  const place = readPlace(job);
  const { checkout, path } = place.folder;
  const saved = join(path, 'almanac.plan.json');
  const { workspace } = ((existsSync(saved) && parseJson(readFileSync(saved, 'utf8'))) || {}) as Partial<SavedPlan>;
  if (workspace?.stateFile !== undefined)
    throw new Failure(
      'usage',
      'The state is a file of this checkout, which is lost when the job ends, so nothing was sent. Keep it in a branch: `state: { backend: git }` in almanac.yaml.',
    );
  const credentials = stateCredentials(job);
  const checked = await place.almanac(['doctor'], { env: credentials });
  if (checked.code !== 0) return checked.code;
  // The state records the applied commit, which is the tip and not the commit that started the pipeline.
  const env = { ...credentials, CI_COMMIT_SHA: headOf(job, checkout) };
  return (await place.almanac(['apply', '--auto-approve', '--', 'almanac.plan.json'], { env })).code;
}

/**
 * Variables with which git writes the branch of the state by STATE_PUSH_TOKEN instead of the credential of the job; {} where
 * no such token is set. The token comes from a helper that reads the environment, so it is in no command line, no file and
 * no URL. Git asks the helper only for the repository of this project, whatever remote almanac.yaml names.
 */
function stateCredentials(job: Job): Readonly<Record<string, string>> {
  const { STATE_PUSH_TOKEN: token, CI_PROJECT_URL: url } = job.env;
  const [, scheme, rest] = /^(https?:\/\/)([^@]+)$/.exec(url ?? '') ?? [];
  if (!token || rest === undefined) return {};
  const origin = `${scheme}${rest}.git`;
  // The runner's configuration of git sets the credential of the job into the address without a user name.
  const remote = `${scheme}almanac@${rest}.git`;
  const variable = 'TOKEN_FOR_STATE';
  // `printf` is a builtin of the shell, so the token is no argument of a process either.
  const helper = `!f() { test "$1" = get && printf 'username=almanac\\npassword=%s\\n' "$${variable}"; }; f`;
  const settings = settingsAfter(job.env, [
    // An empty value drops the helpers of the runner, which know another credential.
    { key: `credential.${origin}.helper`, value: '' },
    { key: `credential.${origin}.helper`, value: helper },
    { key: 'remote.origin.pushurl', value: remote },
  ]);
  return { [variable]: token, ...settings };
}
