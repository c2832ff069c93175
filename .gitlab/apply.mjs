// The job `apply`: first whether everything is in place, then the changes of the saved plan and no others. It has the
// token of Omni. A credential that can push it has only where Almanac writes the state to a branch itself.

import { headOf } from '../.github/actions/almanac/runner/git.mjs';
import { readPlace, requirePinnedUrl, runAlmanac, runJob } from './job.mjs';
import { stateCredentials } from './push.mjs';

const tooOld = `
The plan of this pipeline was made before the state or a secret changed, so nothing was sent. Run a new pipeline on the
default branch (Build > Pipelines > New pipeline): it plans again. Look at that plan, then start its apply.
`;

await runJob(async () => {
  requirePinnedUrl();
  const place = readPlace();
  const credentials = stateCredentials();
  const checked = await runAlmanac(place, ['doctor'], { env: credentials });
  if (checked.code !== 0) return checked.code;
  // The state records the commit that was applied, which is the tip, and not the one that started the pipeline.
  const env = { ...credentials, CI_COMMIT_SHA: headOf(place.folder.checkout) };
  const { code, log } = await runAlmanac(place, ['apply', '--auto-approve', '--', 'almanac.plan.json'], { env });
  if (code !== 0 && /^error\[plan-stale\]/m.test(log)) process.stderr.write(tooOld);
  return code;
});
