// The issues that the action and the jobs of GitLab keep: one about what differs in Omni, and one about deliveries that
// failed. Their text, and whether to open, update or close one. How a code host lists issues and is told of a change is
// left to the client that is handed in. Nothing here reads the environment.

import { createHash } from 'node:crypto';
import { cutMarkdown, inCharacters, longestBody } from '../comments/markdown.mjs';
import { attribute } from '../comments/marker.mjs';

/**
 * What each issue is about, by the command that finds it out with these options. `content` is what a reader would want to
 * read again when it changes; `isComplete` says whether everything could be looked at.
 */
export const subjects = {
  drift: {
    options: ['--deep', '--untracked'],
    about: 'about drift',
    title: 'Omni differs from what Almanac declares',
    ends: 'nothing differs and no error is left',
    // The time of a last run passes every night.
    content: ({ baseUrl = null, drift = [], untracked = [], diagnostics = [] }) => [
      baseUrl,
      drift,
      untracked.map(({ lastRunAt: _, ...schedule }) => schedule),
      diagnostics,
    ],
    // Without a state, everything in Omni is untracked.
    isCalm: ({ drift = [], untracked = [], diagnostics = [], noState }) =>
      drift.length === 0 && (untracked.length === 0 || noState !== undefined) && !diagnostics.some(isError),
    isComplete: ({ diagnostics = [], noState }) =>
      noState === undefined && !diagnostics.some(({ code }) => code === 'not-observed'),
  },
  status: {
    options: [],
    about: 'about deliveries',
    title: 'Deliveries of Omni failed, were missed or stopped, or a schedule is gone',
    ends: 'everything is delivered again',
    // What is fine runs every day.
    content: ({ schedules = [], gone = [] }) => [schedules.filter(isFailing), gone],
    // A personal token may just not see what is gone.
    isCalm: ({ schedules = [], gone = [], seesLess = false }) =>
      !schedules.some(isFailing) && (seesLess || gone.length === 0),
    // A token that sees less than before would find nothing that fails.
    isComplete: ({ gone = [], noState }) => noState === undefined && gone.length === 0,
  },
};

/** There is no state because nothing was applied yet, and not because one was lost. */
export function isBeforeFirstApply({ noState }) {
  return noState?.neverApplied === true;
}

/** Somebody receives something who must not. */
export function isError({ severity }) {
  return severity === 'error';
}

function isFailing({ health }) {
  return ['failed', 'missed', 'stopped'].includes(health);
}

/**
 * What the issue about a subject should say for an environment of a workspace. `document` is what the command prints as
 * JSON, `markdown` the same as Markdown, both without secrets; `link` leads to the run, or is ''.
 */
export function issueAbout(command, { environment, directory, document, markdown, link }) {
  const subject = subjects[command];
  const identity = `<!-- almanac:${command} environment="${environment}" directory="${attribute(directory)}"`;
  const content = createHash('sha256')
    .update(JSON.stringify(subject.content(document)))
    .digest('hex');
  const first = `${identity} content="${content}" -->`;
  const foot = `\n<sub>${link === '' ? 'Almanac' : `[This run](${link})`} keeps this issue up to date, and closes it when ${subject.ends}.</sub>\n`;
  const words =
    link === '' ? 'The rest is in the report of the run.' : `The rest is in the [report of the run](${link}).`;
  const limit = longestBody - first.length - foot.length - 2;
  return {
    identity,
    content,
    about: subject.about,
    title: titleOf(subject, environment, directory),
    body: `${first}\n${cutMarkdown(markdown, { limit, words, sizeOf: inCharacters })}\n${foot}`,
    isCalm: subject.isCalm(document),
    isComplete: subject.isComplete(document),
  };
}

/** Opens, updates or closes what `wanted` asks for. `issues` are those that the same user wrote earlier. */
export async function keepIssue(step, host, wanted, issues) {
  const steps = decideIssue(wanted, issues);
  for (const { action, id, title, body, open } of steps) {
    if (action === 'open') await host.addIssue({ title, body });
    else await host.changeIssue(id, { body, open });
    step.say(`${action === 'open' ? 'Opened an issue' : `Updated issue #${id}`} ${wanted.about}.\n`);
  }
  if (steps.length === 0) step.say(`The issue ${wanted.about}, if any, is up to date.\n`);
}

/**
 * What to send, in order: `{ action: 'open', title, body }`, or `{ action: 'update', id, body?, open? }`, where `open` says
 * whether the issue should be open. What is left out stays as it is. `issues` are all `{ id, body, isOpen }` that the same
 * user wrote earlier; those without the marker are left alone.
 */
export function decideIssue(wanted, issues) {
  const own = issues
    .filter(({ body }) => String(body ?? '').startsWith(`${wanted.identity} `))
    .sort((a, b) => a.id - b.id);
  // What could not be looked at may still differ.
  if (wanted.isCalm && !wanted.isComplete) return [];
  if (wanted.isCalm)
    return own
      .filter(({ isOpen }) => isOpen)
      .map(({ id }) => ({ action: 'update', id, body: wanted.body, open: false }));
  const [kept, ...others] = own;
  if (kept === undefined) return [{ action: 'open', title: wanted.title, body: wanted.body }];
  const isSame = contentIn(kept.body) === wanted.content;
  const change = { ...(isSame ? {} : { body: wanted.body }), ...(kept.isOpen ? {} : { open: true }) };
  return [
    ...(Object.keys(change).length === 0 ? [] : [{ action: 'update', id: kept.id, ...change }]),
    // Two runs at the same time may each have opened one.
    ...others.filter(({ isOpen }) => isOpen).map(({ id }) => ({ action: 'update', id, open: false })),
  ];
}

/** '' if there is none. */
function contentIn(body) {
  const [line = ''] = String(body).split(/\r?\n/, 1);
  return / content="([0-9a-f]{64})" -->$/.exec(line)?.[1] ?? '';
}

function titleOf({ title }, environment, directory) {
  const place = [environment, directory === '.' ? '' : directory].filter((part) => part !== '').join(', ');
  return `${title}${place === '' ? '' : ` (${place})`}`.slice(0, 200);
}
