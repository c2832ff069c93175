// The two issues that a CI keeps: about differences in Omni, and about failed deliveries. Decides their text, whether
// to open, update or close them, and what to comment, because a code host notifies nobody of an edit. The client that
// is handed in lists issues and sends changes. Nothing here reads the environment.

import { createHash } from 'node:crypto';
import type { ScheduleStatus, StatusDocument } from '../../../deliveries/status-document.ts';
import { type DriftDocument, goneIn } from '../../../model/plan/drift-document.ts';
import { needsAttention } from '../../../model/service/health.ts';
import { safeText } from '../../../report/text/terminal-text.ts';
import { code, cutMarkdown, inCharacters, maxBodyLength } from '../comments/markdown.ts';
import { attribute } from '../comments/marker.ts';
import { type CommitsHost, type HostText, isOutdated } from '../comments/parts.ts';
import { keyOf } from '../reviews/changes.ts';
import { wasThere } from '../runner/http.ts';
import type { Step } from '../step.ts';

/** The most findings that an issue's first line remembers, and that a comment lists. */
const [mostRemembered, mostListed] = [1_000, 10];

export type SubjectName = 'drift' | 'status';

/** A document of drift or of status: the report of a step may hold less. */
export type CheckDocument = Partial<Omit<DriftDocument, 'summary'> & StatusDocument>;

type CheckDiagnostic = DriftDocument['diagnostics'][number];

/** The dashboards and tiles that are gone. */
function goneOf(dangers: DriftDocument['dangers']): readonly string[] {
  return goneIn({ dangers }).flatMap(({ items }) => items.map(({ subject }) => subject));
}

/** The identity of a finding, and its words as Markdown. */
type FoundNow = readonly [what: readonly unknown[] | object, words: string];

interface Subject {
  readonly options: readonly string[];
  readonly about: string;
  readonly title: string;
  readonly ends: string;
  readonly content: (document: CheckDocument) => readonly unknown[];
  readonly findings: (document: CheckDocument) => readonly FoundNow[];
  readonly isCalm: (document: CheckDocument) => boolean;
  readonly isComplete: (document: CheckDocument) => boolean;
}

/**
 * Each issue's subject, keyed by the command that finds it out with these options. `content` is what a reader would
 * want to read again when it changes. `findings` are news for a reader, each with its identity, which contains no time,
 * and its words as Markdown. `isComplete` is true if everything could be looked at.
 */
export const subjects: Readonly<Record<SubjectName, Subject>> = {
  drift: {
    options: ['--deep', '--untracked', '--unapplied'],
    about: 'about drift',
    title: 'Omni differs from what Almanac declares',
    ends: 'nothing differs and no error is left',
    // The time of a last run changes every night.
    content: ({ baseUrl = null, drift = [], untracked = [], diagnostics = [], unapplied = {}, dangers = [] }) => [
      baseUrl,
      drift,
      ...goneOf(dangers),
      ...(unapplied.merged ?? []),
      untracked.map(({ lastRunAt: _, ...schedule }) => schedule),
      diagnostics,
    ],
    findings: ({ baseUrl = null, drift = [], untracked = [], diagnostics = [], unapplied = {}, dangers = [] }) => [
      ...(unapplied.merged ?? []).map(
        (address): FoundNow => [[baseUrl, address, 'unapplied'], `${code(address)} was merged and never applied`],
      ),
      ...goneOf(dangers).map((gone): FoundNow => [[baseUrl, gone], `${code(gone)} is gone from Omni`]),
      ...drift.map((resource): FoundNow => [[baseUrl, resource], `${code(resource.address)} differs`]),
      ...untracked.map(({ id, name }): FoundNow => [[baseUrl, id, name], `${code(name ?? id)} is untracked`]),
      ...diagnostics.map((each): FoundNow => [[baseUrl, each], code(each.message ?? each.code)]),
    ],
    // Without a state, everything in Omni is untracked.
    isCalm: ({ drift = [], untracked = [], diagnostics = [], unapplied = {}, dangers = [], noState }) =>
      drift.length === 0 &&
      goneOf(dangers).length === 0 &&
      (unapplied.merged ?? []).length === 0 &&
      (untracked.length === 0 || noState !== undefined) &&
      !diagnostics.some(isError),
    isComplete: ({ diagnostics = [], unapplied = {}, noState }) =>
      noState === undefined &&
      unapplied.notTold === undefined &&
      !diagnostics.some(({ code, accepted }) => code === 'not-read' && accepted === undefined),
  },
  status: {
    options: [],
    about: 'about deliveries',
    title: 'Deliveries of Omni failed, were missed or stopped, or a schedule is gone',
    ends: 'everything is delivered again',
    // Healthy schedules run every day.
    content: ({ schedules = [], gone = [], notReadBack = [] }) => [
      schedules.filter(isFailing),
      gone,
      ...notReadBack.map(({ address }) => address),
    ],
    findings: ({ schedules = [], gone = [], notReadBack = [] }) => [
      ...notReadBack.map(
        ({ address }): FoundNow => [[address, 'not read back'], `${code(address)} was not read back as it was sent`],
      ),
      ...schedules
        .filter(isFailing)
        .map(
          ({ address, id, name = '', health }): FoundNow => [
            [address, id, health],
            `${code(address ?? name)} ${health === 'stopped' ? 'was stopped' : health === 'missed' ? 'was missed' : 'failed'}`,
          ],
        ),
      ...gone.map((schedule): FoundNow => [schedule, `${code(schedule.address)} is gone from Omni`]),
    ],
    // A personal token may just not see the missing schedules.
    isCalm: ({ schedules = [], gone = [], notReadBack = [], seesLess = false }) =>
      !schedules.some(isFailing) && notReadBack.length === 0 && (seesLess || gone.length === 0),
    // A token that sees less than before would find no failures.
    isComplete: ({ gone = [], noState }) => noState === undefined && gone.length === 0,
  },
};

/** True if there is no state because nothing was applied yet, and not because one was lost. */
export function isBeforeFirstApply({ noState }: CheckDocument): boolean {
  return noState?.neverApplied === true;
}

/** Somebody receives a report that they must not see. */
export function isError({ severity }: Pick<CheckDiagnostic, 'severity'>): boolean {
  return severity === 'error';
}

const isFailing = ({ health }: ScheduleStatus): boolean => needsAttention(health);

interface CheckOfPlace {
  readonly environment: string;
  readonly directory: string;
  readonly onto?: string | undefined;
  readonly document: CheckDocument;
  readonly markdown: string;
  readonly link: string;
}

export interface WantedIssue {
  readonly identity: string;
  readonly onto: string;
  readonly content: string;
  readonly found: string;
  readonly findings: readonly { readonly key: string; readonly words: string }[];
  readonly run: string;
  readonly about: string;
  readonly title: string;
  readonly body: string;
  readonly isCalm: boolean;
  readonly isComplete: boolean;
}

/**
 * The text that the issue about a subject should have for an environment of a workspace. `onto` is the commit whose
 * files were looked at, undefined if it is unknown; `document` is the command's JSON document, `markdown` the same as
 * Markdown, both without secrets; `link` leads to the run, or is ''.
 */
export function issueAbout(
  command: SubjectName,
  { environment, directory, onto = '', document, markdown, link }: CheckOfPlace,
): WantedIssue {
  const subject = subjects[command];
  const identity = `<!-- almanac:${command} environment="${environment}" directory="${attribute(directory)}"`;
  const content = sha256(JSON.stringify(subject.content(document)));
  const findings = subject.findings(document).map(([what, words]) => ({ key: keyOf(JSON.stringify(what)), words }));
  const keys = [...new Set(findings.map(({ key }) => key))];
  const found = keys.length > mostRemembered ? 'many' : keys.join('.');
  const run = link === '' ? 'Almanac' : `[This run](${link})`;
  const foot = `\n<sub>${run} keeps this issue up to date, and closes it when ${subject.ends}. Write notes as comments: this text is replaced.</sub>\n`;
  const rest =
    link === '' ? 'The rest is in the report of the run.' : `The rest is in the [report of the run](${link}).`;
  const firstOf = (text: string) =>
    `${identity} onto="${onto}" content="${content}" found="${found}" text="${sha256(text)}" -->`;
  const limit = maxBodyLength - firstOf('').length - foot.length - 2;
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

export interface IssuesHost extends CommitsHost {
  /** The comments on an issue that the same user wrote. */
  ownWordsOn(issue: number): Promise<readonly (string | null | undefined)[]>;
  addIssue(issue: { readonly title: string; readonly body: string }): Promise<unknown>;
  addToIssue(issue: number, body: string): Promise<unknown>;
  changeIssue(
    issue: number,
    change: { readonly body?: string | undefined; readonly open?: boolean | undefined },
  ): Promise<unknown>;
}

export interface KeptIssue extends HostText {
  readonly isOpen: boolean;
}

/** Opens, updates or closes the issue as `wanted` asks. `issues` are those that the same user wrote earlier. */
export async function keepIssue(
  step: Pick<Step, 'say'>,
  host: IssuesHost,
  wanted: WantedIssue,
  issues: readonly KeptIssue[],
): Promise<void> {
  const steps = decideIssue(wanted, issues);
  const own = ownOf(wanted, issues).map(({ body }) => body);
  if (steps.length > 0 && (await isOutdated(host, wanted.onto, own))) {
    step.say(`The issue ${wanted.about} stays as it is: the run of a later commit has written it.\n`);
    return;
  }
  const add = async ({ title, body }: Pick<WantedIssue, 'title' | 'body'>) => {
    await host.addIssue({ title, body });
    step.say(`Opened an issue ${wanted.about}.\n`);
  };
  for (const next of steps) {
    if (next.action === 'open') {
      await add(next);
      continue;
    }
    const { id, body, open, news } = next;
    const isTold = news === undefined || (await wasThere(tell(host, id, news)));
    // If somebody has deleted it meanwhile, another one is opened.
    if (isTold && (await wasThere(host.changeIssue(id, { body, open }))))
      step.say(`Updated issue #${id} ${wanted.about}.\n`);
    else if (open !== false) await add({ title: wanted.title, body: body ?? wanted.body });
  }
  if (steps.length === 0) step.say(`The issue ${wanted.about}, if any, is up to date.\n`);
}

/** Comments once, even if a run ended between the comment and the text of the issue. */
async function tell(host: IssuesHost, id: number, news: string): Promise<void> {
  const [first = ''] = news.split('\n', 1);
  const said = await host.ownWordsOn(id);
  if (!said.some((words) => String(words ?? '').startsWith(first))) await host.addToIssue(id, news);
}

/** The issues with this marker, the oldest first. */
function ownOf({ identity }: WantedIssue, issues: readonly KeptIssue[]): readonly KeptIssue[] {
  return issues.filter(({ body }) => String(body ?? '').startsWith(`${identity} `)).sort((a, b) => a.id - b.id);
}

type IssueStep =
  | { readonly action: 'open'; readonly title: string; readonly body: string }
  | {
      readonly action: 'update';
      readonly id: number;
      readonly body?: string;
      readonly open?: boolean;
      readonly news?: string | undefined;
    };

/**
 * The steps to send, in order: `{ action: 'open', title, body }`, or `{ action: 'update', id, body?, open?, news? }`,
 * where `open` says whether the issue should be open, and `news` is a comment that goes first. Absent fields stay as
 * they are. `issues` are all `{ id, body, isOpen }` that the same user wrote earlier; those without the marker are left
 * alone.
 */
export function decideIssue(wanted: WantedIssue, issues: readonly KeptIssue[]): readonly IssueStep[] {
  const own = ownOf(wanted, issues);
  // Resources that could not be looked at may still differ.
  if (wanted.isCalm && !wanted.isComplete) return [];
  if (wanted.isCalm)
    return own
      .filter(({ isOpen }) => isOpen)
      .map(({ id }): IssueStep => ({ action: 'update', id, body: wanted.body, open: false }));
  const [keptIssue, ...otherIssues] = own;
  if (keptIssue === undefined) return [{ action: 'open', title: wanted.title, body: wanted.body }];
  const { content, isEdited } = readBody(keptIssue.body);
  const isSame = content === wanted.content && !isEdited;
  const change = { ...(isSame ? {} : { body: wanted.body }), ...(keptIssue.isOpen ? {} : { open: true }) };
  const news = keptIssue.isOpen ? newsFor(wanted, keptIssue.body) : undefined;
  return [
    ...(Object.keys(change).length === 0 ? [] : [{ action: 'update' as const, id: keptIssue.id, ...change, news }]),
    // Two runs at the same time may each have opened one.
    ...otherIssues.filter(({ isOpen }) => isOpen).map(({ id }): IssueStep => ({ action: 'update', id, open: false })),
  ];
}

/** A comment on findings that the text `body` does not mention yet; undefined if there are none. */
function newsFor({ identity, found, findings, run }: WantedIssue, body: HostText['body']): string | undefined {
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

/** The first line of an issue, its parsed content, and whether somebody changed the text below it. */
function readBody(body: HostText['body']) {
  const [first = '', ...lines] = String(body).split(/\r?\n/);
  const [, content = '', found = '', text] = / content="(\w+)" found="([^"]*)" text="(\w+)" -->$/.exec(first) ?? [];
  return { first, content, found, isEdited: text !== sha256(lines.join('\n').trim()) };
}

function titleOf({ title }: Subject, environment: string, directory: string): string {
  const place = [environment, directory === '.' ? '' : safeText(directory)].filter((part) => part !== '').join(', ');
  return `${title}${place === '' ? '' : ` (${place})`}`.slice(0, 200);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
