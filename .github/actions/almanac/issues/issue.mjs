// The issues that the action and the jobs of GitLab keep: one about what differs in Omni, and one about deliveries that
// failed. Their text, and whether to open, update or close one, and what to comment on it: a code host tells nobody of an
// edit. How a code host lists issues and is told of a change is left to the client that is handed in. Nothing here reads the
// environment.

import { createHash } from 'node:crypto';
import { code, cutMarkdown, inCharacters, longestBody } from '../comments/markdown.mjs';
import { attribute } from '../comments/marker.mjs';
import { isOutdated } from '../comments/parts.mjs';
import { keyOf } from '../reviews/changes.mjs';
import { wasThere } from '../runner/http.mjs';

/** What the first line of an issue remembers, and what a comment lists. */
const [mostRemembered, mostListed] = [1_000, 10];

/**
 * What each issue is about, by the command that finds it out with these options. `content` is what a reader would want to
 * read again when it changes. `findings` are what a reader would want to be told of: each what makes it another one, which
 * is no time, and its words as Markdown. `isComplete` says whether everything could be looked at.
 */
export const subjects = {
  drift: {
    options: ['--deep', '--untracked', '--unapplied'],
    about: 'about drift',
    title: 'Omni differs from what Almanac declares',
    ends: 'nothing differs and no error is left',
    // The time of a last run passes every night.
    content: ({ baseUrl = null, drift = [], untracked = [], diagnostics = [], unapplied = {} }) => [
      baseUrl,
      drift,
      ...(unapplied.merged ?? []),
      untracked.map(({ lastRunAt: _, ...schedule }) => schedule),
      diagnostics,
    ],
    findings: ({ baseUrl = null, drift = [], untracked = [], diagnostics = [], unapplied = {} }) => [
      ...(unapplied.merged ?? []).map((address) => [
        [baseUrl, address, 'unapplied'],
        `${code(address)} was merged and never applied`,
      ]),
      ...drift.map((resource) => [[baseUrl, resource], `${code(resource.address)} differs`]),
      ...untracked.map(({ id, name }) => [[baseUrl, id, name], `${code(name)} is untracked`]),
      ...diagnostics.map((each) => [[baseUrl, each], code(each.message ?? each.code)]),
    ],
    // Without a state, everything in Omni is untracked.
    isCalm: ({ drift = [], untracked = [], diagnostics = [], unapplied = {}, noState }) =>
      drift.length === 0 &&
      (unapplied.merged ?? []).length === 0 &&
      (untracked.length === 0 || noState !== undefined) &&
      !diagnostics.some(isError),
    isComplete: ({ diagnostics = [], unapplied = {}, noState }) =>
      noState === undefined &&
      unapplied.notTold === undefined &&
      !diagnostics.some(({ code }) => code === 'not-observed'),
  },
  status: {
    options: [],
    about: 'about deliveries',
    title: 'Deliveries of Omni failed, were missed or stopped, or a schedule is gone',
    ends: 'everything is delivered again',
    // What is fine runs every day.
    content: ({ schedules = [], gone = [] }) => [schedules.filter(isFailing), gone],
    findings: ({ schedules = [], gone = [] }) => [
      ...schedules
        .filter(isFailing)
        .map(({ address, id, name, health }) => [
          [address, id, health],
          `${code(address ?? name)} ${health === 'stopped' ? 'was stopped' : health === 'missed' ? 'was missed' : 'failed'}`,
        ]),
      ...gone.map((schedule) => [schedule, `${code(schedule.address)} is gone from Omni`]),
    ],
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
 * What the issue about a subject should say for an environment of a workspace. `onto` is the commit whose files were looked
 * at, undefined if it is unknown; `document` is what the command prints as JSON, `markdown` the same as Markdown, both without
 * secrets; `link` leads to the run, or is ''.
 */
export function issueAbout(command, { environment, directory, onto = '', document, markdown, link }) {
  const subject = subjects[command];
  const identity = `<!-- almanac:${command} environment="${environment}" directory="${attribute(directory)}"`;
  const content = digestOf(JSON.stringify(subject.content(document)));
  const findings = subject.findings(document).map(([what, words]) => ({ key: keyOf(JSON.stringify(what)), words }));
  const keys = [...new Set(findings.map(({ key }) => key))];
  const found = keys.length > mostRemembered ? 'many' : keys.join('.');
  const run = link === '' ? 'Almanac' : `[This run](${link})`;
  const foot = `\n<sub>${run} keeps this issue up to date, and closes it when ${subject.ends}. Write notes as comments: this text is replaced.</sub>\n`;
  const rest =
    link === '' ? 'The rest is in the report of the run.' : `The rest is in the [report of the run](${link}).`;
  const firstOf = (text) =>
    `${identity} onto="${onto}" content="${content}" found="${found}" text="${digestOf(text)}" -->`;
  const limit = longestBody - firstOf('').length - foot.length - 2;
  const text = `${cutMarkdown(markdown, { limit, words: rest, sizeOf: inCharacters })}\n${foot}`;
  return {
    identity,
    onto,
    content,
    found,
    findings,
    run,
    about: subject.about,
    title: titleOf(subject, environment, directory),
    body: `${firstOf(text.trim())}\n${text}`,
    isCalm: subject.isCalm(document),
    isComplete: subject.isComplete(document),
  };
}

/** Opens, updates or closes what `wanted` asks for. `issues` are those that the same user wrote earlier. */
export async function keepIssue(step, host, wanted, issues) {
  const steps = decideIssue(wanted, issues);
  const own = ownOf(wanted, issues).map(({ body }) => body);
  if (steps.length > 0 && (await isOutdated(host, wanted.onto, own))) {
    step.say(`The issue ${wanted.about} stays as it is: the run of a later commit has written it.\n`);
    return;
  }
  for (const { action, id, title, body, open, news } of steps) {
    const isTold = news === undefined || (await wasThere(tell(host, id, news)));
    // Where somebody has deleted it meanwhile, another one is opened.
    if (action === 'update' && isTold && (await wasThere(host.changeIssue(id, { body, open }))))
      step.say(`Updated issue #${id} ${wanted.about}.\n`);
    else if (open !== false) {
      await host.addIssue({ title: title ?? wanted.title, body: body ?? wanted.body });
      step.say(`Opened an issue ${wanted.about}.\n`);
    }
  }
  if (steps.length === 0) step.say(`The issue ${wanted.about}, if any, is up to date.\n`);
}

/** Comments once, also where a run ended between the comment and the text of the issue. */
async function tell(host, id, news) {
  const [first] = news.split('\n', 1);
  const said = await host.ownWordsOn(id);
  if (!said.some((words) => String(words ?? '').startsWith(first))) await host.addToIssue(id, news);
}

/** Those with the marker, the oldest first. */
function ownOf({ identity }, issues) {
  return issues.filter(({ body }) => String(body ?? '').startsWith(`${identity} `)).sort((a, b) => a.id - b.id);
}

/**
 * What to send, in order: `{ action: 'open', title, body }`, or `{ action: 'update', id, body?, open?, news? }`, where `open`
 * says whether the issue should be open, and `news` is a comment that goes first. What is left out stays as it is. `issues`
 * are all `{ id, body, isOpen }` that the same user wrote earlier; those without the marker are left alone.
 */
export function decideIssue(wanted, issues) {
  const own = ownOf(wanted, issues);
  // What could not be looked at may still differ.
  if (wanted.isCalm && !wanted.isComplete) return [];
  if (wanted.isCalm)
    return own
      .filter(({ isOpen }) => isOpen)
      .map(({ id }) => ({ action: 'update', id, body: wanted.body, open: false }));
  const [kept, ...others] = own;
  if (kept === undefined) return [{ action: 'open', title: wanted.title, body: wanted.body }];
  const { content, isEdited } = readBody(kept.body);
  const isSame = content === wanted.content && !isEdited;
  const change = { ...(isSame ? {} : { body: wanted.body }), ...(kept.isOpen ? {} : { open: true }) };
  return [
    ...(Object.keys(change).length === 0
      ? []
      : [{ action: 'update', id: kept.id, ...change, news: kept.isOpen ? newsFor(wanted, kept.body) : undefined }]),
    // Two runs at the same time may each have opened one.
    ...others.filter(({ isOpen }) => isOpen).map(({ id }) => ({ action: 'update', id, open: false })),
  ];
}

/** A comment on what the text `body` does not say yet; undefined if there is nothing. */
function newsFor({ identity, found, findings, run }, body) {
  const { first, found: before } = readBody(body);
  if (found === before) return undefined;
  const isListed = ![found, before].includes('many');
  const fresh = findings.filter(({ key }) => !before.split('.').includes(key));
  if (isListed && fresh.length === 0) return undefined;
  const lines = fresh.slice(0, mostListed).map(({ words }) => `- ${words}`);
  const more = fresh.length > mostListed ? [`- … and ${fresh.length - mostListed} more, in the text of the issue`] : [];
  return [
    `${identity} news="${keyOf(`${first}\n${found}`)}" -->`,
    ...(isListed ? ['New:', '', ...lines, ...more] : ['The findings have changed: read the text of the issue again.']),
    '',
    `<sub>${run}</sub>`,
  ].join('\n');
}

/** The first line of an issue, what it says, and whether somebody changed the text below it. */
function readBody(body) {
  const [first, ...lines] = String(body).split(/\r?\n/);
  const [, content = '', found = '', text] = / content="(\w+)" found="([^"]*)" text="(\w+)" -->$/.exec(first) ?? [];
  return { first, content, found, isEdited: text !== digestOf(lines.join('\n').trim()) };
}

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

function titleOf({ title }, environment, directory) {
  const place = [environment, directory === '.' ? '' : directory].filter((part) => part !== '').join(', ');
  return `${title}${place === '' ? '' : ` (${place})`}`.slice(0, 200);
}
