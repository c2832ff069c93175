// The job `drift`: what differs in Omni from what was applied, and what nobody declared. With ALMANAC_NOTE_TOKEN one issue
// says so: it is opened, kept up to date, and closed when nothing differs any more.

import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decideIssue, driftIssue } from '../.github/actions/almanac/drift/issue.mjs';
import { connectGitlab, withoutQuickActions } from './api.mjs';
import { jobLink, readPlace, redact, requirePinnedUrl, runAlmanac, runJob } from './job.mjs';

await runJob(async () => {
  requirePinnedUrl();
  const place = readPlace();
  const reports = mkdtempSync(join(tmpdir(), 'almanac-'));
  const [json, markdown] = [join(reports, 'drift.json'), join(reports, 'drift.md')];
  const { code } = await runAlmanac(place, [
    'drift',
    '--deep',
    '--untracked',
    `--report=json=${json}`,
    `--report=markdown=${markdown}`,
  ]);
  // Where it could not look, the issue stays as it is.
  if (code !== 0 && code !== 2) return code;
  const wanted = driftIssue({
    environment: place.environment,
    directory: place.folder.name,
    document: JSON.parse(redact(readFileSync(json, 'utf8'))),
    markdown: withoutQuickActions(redact(readFileSync(markdown, 'utf8'))),
    link: jobLink(),
  });
  const gitlab = connectGitlab();
  if (gitlab === undefined) {
    process.stdout.write('ALMANAC_NOTE_TOKEN is not set, so no issue is opened or closed.\n');
    // A job that fails is then the only sign.
    return code;
  }
  process.stdout.write(`${await keepIssue(gitlab, wanted)}\n`);
  return 0;
});

/** Resolves to what it did. */
async function keepIssue(gitlab, wanted) {
  const issues = (await gitlab.issuesOf(await gitlab.ownId())).map(({ iid, description, state }) => ({
    id: iid,
    body: description,
    isOpen: state === 'opened',
  }));
  const changes = decideIssue(wanted, issues);
  for (const { action, id, title, body, open } of changes) {
    const text = body === undefined ? {} : { description: body };
    const event = open === undefined ? {} : { state_event: open ? 'reopen' : 'close' };
    if (action === 'open') await gitlab.openIssue({ title, ...text });
    else await gitlab.changeIssue(id, { ...text, ...event });
  }
  return changes.length === 0 ? 'The issue about drift needs no change.' : 'The issue about drift is up to date.';
}
