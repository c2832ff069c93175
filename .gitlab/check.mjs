// The jobs `drift`, which looks for what differs in Omni from what was applied and for what is untracked, and `status`, which
// looks for deliveries that failed, were missed or stopped: the argument names one. They run Almanac, and with
// ALMANAC_NOTE_TOKEN one issue says what it found. It is opened, kept up to date, and closed when there is nothing left to
// look at.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideIssue, issueAbout } from '../.github/actions/almanac/issues/issue.mjs';
import { connectGitlab, withoutQuickActions } from './api.mjs';
import { inTemporaryFolder, jobLink, readPlace, redact, requirePinnedUrl, runJob } from './job.mjs';

const checks = {
  drift: { options: ['--deep', '--untracked'], about: 'drift' },
  status: { options: [], about: 'deliveries' },
};

await runJob(() => {
  requirePinnedUrl();
  return inTemporaryFolder((reports) => checkIn(reports, process.argv[2]));
});

/** Resolves to the exit code of the job. */
async function checkIn(reports, command) {
  const { options, about } = checks[command];
  const place = readPlace();
  const [json, markdown] = [join(reports, `${command}.json`), join(reports, `${command}.md`)];
  const files = [`--report=json=${json}`, `--report=markdown=${markdown}`];
  const { code } = await place.almanac([command, ...options, ...files]);
  // Where it could not look, the issue stays as it is.
  if (code !== 0 && code !== 2) return code;
  const wanted = issueAbout(command, {
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
  const isChanged = await keepIssue(gitlab, wanted);
  process.stdout.write(`The issue about ${about} ${isChanged ? 'is up to date' : 'needs no change'}.\n`);
  return 0;
}

/** Resolves to whether anything was sent. */
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
  return changes.length > 0;
}
