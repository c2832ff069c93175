// Everything that keeps a text on a code host and writes it again: the comment and the issues of the action, the note and
// the issues of the jobs of GitLab. Each meets the same answers of its host.

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ciTable } from '../../src/commands/ci/ci-command.ts';
import type { StartProgram } from '../../src/model/outside.ts';
import { openGithub } from '../support/action/fake-github.ts';
import { type Answer, type FakeHost, limitInWords } from '../support/action/fake-host.ts';
import { checkedOut, openRunner } from '../support/action/fake-runner.ts';
import { noteToken, openGitlab } from '../support/gitlab/fake-gitlab.ts';
import { makeFolder } from '../support/workspace.ts';

const head = 'a'.repeat(40);

interface Found {
  /** How many commits of the base branch the files contain; 1 if left out. */
  readonly base?: number;
  readonly head?: string;
  /** Text that follows. */
  readonly filler?: string;
}

/** One of those that keep a text, on a host of its own. */
interface Stage {
  readonly host: FakeHost;
  /** A run that finds `what`. Resolves to its exit code, and its log and summary. */
  run(what: string, found?: Found): Promise<{ readonly code: number | null; readonly said: string }>;
  /** The texts that are there; of issues, those that are open. */
  bodies(): readonly string[];
  edit(body: string): void;
  /** The short comments on an issue. */
  news(): readonly string[];
  lock(): void;
  deleteAll(): void;
}

const documents = {
  drift: (what: string) => ({ drift: [{ address: `schedules.${what}` }], untracked: [], diagnostics: [] }),
  status: (what: string) => ({ schedules: [{ address: `schedules.${what}`, health: 'failed' }], gone: [] }),
};

async function onGithub(kind: 'comment' | 'drift' | 'status'): Promise<Stage> {
  const github = await openGithub();
  const commits = ['1', '2', '3'].map((digit) => digit.repeat(40));
  github.order = commits;
  let checkedOut = '';
  const runner = openRunner({}, { git: () => ({ status: 0, stdout: checkedOut }) });
  const issues = () => github.issues ?? [];
  return {
    host: github,
    run: async (what, { base = 1, head: planned = head, filler = '' } = {}) => {
      const file = join(runner.home, 'found');
      checkedOut = commits[base] ?? '';
      const place = 'environment="prod" directory="."';
      const reviewed = `digest="${'5e'.repeat(32)}" head="${planned}" base="main" onto="${checkedOut}" whole="yes" named=""`;
      const first = kind === 'comment' ? `<!-- almanac:plan ${place} ${reviewed} changes="" -->` : '## Found\n';
      writeFileSync(file, `${first}\n${what}\n${filler}`);
      const given: Record<string, string> =
        kind === 'comment'
          ? { ALMANAC_COMMENT_PATH: file, ALMANAC_PULL: '7' }
          : { ALMANAC_COMMAND: kind, ALMANAC_REPORT_MARKDOWN: file, ALMANAC_REPORT_JSON: `${file}.json` };
      if (kind !== 'comment') writeFileSync(`${file}.json`, JSON.stringify(documents[kind](what)));
      const step = kind === 'comment' ? 'comment' : 'issue';
      const { code, log, summary } = await runner.run(step, { ...github.env, ...given });
      return { code, said: log + summary };
    },
    bodies: () =>
      (kind === 'comment' ? github.comments : issues().filter(({ state }) => state === 'open')).map(({ body }) => body),
    edit: (body) => {
      for (const text of kind === 'comment' ? github.comments : issues()) text.body = body;
    },
    news: () => (kind === 'comment' ? [] : github.comments.map(({ body }) => body)),
    lock: () => {
      github.isLocked = true;
    },
    deleteAll: () => void (kind === 'comment' ? github.comments : issues()).splice(0),
  };
}

/** Instead of the program: writes what the test gave it. */
function programOf(text: string, json: unknown): StartProgram {
  return (args, { cwd }) => {
    for (const arg of args) {
      const [, format, file] = /^--report=([a-z]+)=(.*)$/s.exec(arg) ?? [];
      if (file !== undefined) writeFileSync(resolve(cwd, file), format === 'json' ? JSON.stringify(json) : text);
    }
    return Promise.resolve(2);
  };
}

async function onGitlab(kind: 'note' | 'drift' | 'status'): Promise<Stage> {
  const folder = makeFolder({ 'checkout/.keep': '' });
  const checkout = join(folder.path, 'checkout');
  const commits = ['1', '2', '3'].map((digit) => digit.repeat(40));
  const gitlab = await openGitlab(folder.path);
  Object.assign(gitlab, { head, order: commits });
  return {
    host: gitlab,
    run: async (what, { base = 1, head: planned = head, filler = '' } = {}) => {
      const commit = commits[base] ?? '';
      const env = {
        CI_API_V4_URL: `${gitlab.url}/api/v4`,
        CI_PROJECT_ID: '4711',
        CI_JOB_URL: `${gitlab.url}/acme/reports/-/jobs/1`,
        CI_MERGE_REQUEST_IID: '7',
        CI_COMMIT_SHA: planned,
        CI_MERGE_REQUEST_TARGET_BRANCH_SHA: commit,
        OMNI_BASE_URL: 'https://acme.omniapp.co/api',
        ALMANAC_NOTE_TOKEN: noteToken,
        ALMANAC_PAUSE_MS: '1',
      };
      let said = '';
      const say = (text: string) => {
        said += text;
      };
      const almanac = programOf(`${what}\n${filler}`, kind === 'note' ? {} : documents[kind](what));
      const step = { env, cwd: checkout, say, git: checkedOut(commit), almanac };
      const code =
        kind === 'note' ? await (await ciTable.review.load())(step) : await (await ciTable.check.load())(step, kind);
      return { code, said };
    },
    bodies: () =>
      kind === 'note'
        ? gitlab.notes.map(({ body }) => body)
        : gitlab.issues.filter(({ state }) => state === 'opened').map(({ description }) => description),
    edit: (body) => {
      for (const note of gitlab.notes) note.body = body;
      for (const issue of gitlab.issues) issue.description = body;
    },
    news: () => gitlab.notes.flatMap(({ issue, body }) => (issue === undefined ? [] : [body])),
    lock: () => {
      gitlab.isLocked = true;
    },
    deleteAll: () => {
      gitlab.notes.splice(0);
      gitlab.issues.splice(0);
    },
  };
}

interface Keeper {
  readonly open: () => Promise<Stage>;
  /** The method that changes a text. */
  readonly change: 'PATCH' | 'PUT';
  readonly longest: number;
  readonly isIssue?: boolean;
}

const github = { change: 'PATCH', longest: 65_536 } as const;
const gitlab = { change: 'PUT', longest: 1_000_000 } as const;

/** Whoever keeps a text and writes it again has a row here. */
const keepers: Readonly<Record<string, Keeper>> = {
  'the comment on GitHub': { ...github, open: () => onGithub('comment') },
  'the issue about drift on GitHub': { ...github, open: () => onGithub('drift'), isIssue: true },
  'the issue about deliveries on GitHub': { ...github, open: () => onGithub('status'), isIssue: true },
  'the note on GitLab': { ...gitlab, open: () => onGitlab('note') },
  'the issue about drift on GitLab': { ...gitlab, open: () => onGitlab('drift'), isIssue: true },
  'the issue about deliveries on GitLab': { ...gitlab, open: () => onGitlab('status'), isIssue: true },
};

const guesses = /fork|Dependabot|permission|has no issues/;
const integration: Answer = [403, { message: 'Resource not accessible by integration' }];

describe.each(Object.entries(keepers))('%s', (name, { open, change, longest, isIssue = false }) => {
  const isGithub = name.endsWith('GitHub');
  const shows = (stage: Stage, what: string) => {
    expect(stage.bodies()).toHaveLength(1);
    expect(stage.bodies()[0]).toContain(what);
  };
  const opened = async (what = 'one', found: Found = {}) => {
    const stage = await open();
    expect(await stage.run(what, found)).toMatchObject({ code: 0 });
    shows(stage, what);
    return stage;
  };

  test(`${name} stays as it is where a run of an earlier commit of the base branch ends later, and says so`, async () => {
    const stage = await opened('one', { base: 2 });
    const { code, said } = await stage.run('two', { base: 0 });
    expect([code, said]).toEqual([0, expect.stringContaining('as it is')]);
    shows(stage, 'one');
    expect((await stage.run('three', { base: 2 })).code).toBe(0);
    shows(stage, 'three');
  });

  test(`${name} is written by a run of a later commit of the base branch, and where the host does not know the order`, async () => {
    const stage = await opened('one', { base: 0 });
    await stage.run('two', { base: 2 });
    shows(stage, 'two');
    Object.assign(stage.host, { order: [] });
    await stage.run('three', { base: 1 });
    shows(stage, 'three');
  });

  test.skipIf(isIssue)(`${name} stays as it is where somebody has pushed since the commit of the run`, async () => {
    const stage = await opened();
    const { code, said } = await stage.run('two', { head: 'b'.repeat(40) });
    expect([code, said]).toEqual([0, expect.stringContaining('was pushed to after the commit of this plan')]);
    shows(stage, 'one');
  });

  test.each<[string, Answer]>([
    ['names it in words alone', limitInWords],
    ['says how long', [429, { message: 'Too many' }, { 'retry-after': '2' }]],
    ['is a text of its own', [429, 'Retry later\n']],
    [
      'says when it is over',
      [403, { message: 'API' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.now() / 1000 + 3) }],
    ],
  ])(`${name} is written after a limit that %s`, async (_, limit) => {
    const stage = await open();
    stage.host.onNext('POST', () => limit);
    expect((await stage.run('one')).code).toBe(0);
    shows(stage, 'one');
    stage.host.onNext(change, () => limit);
    expect((await stage.run('two')).code).toBe(0);
    shows(stage, 'two');
  });

  test(`${name} fails at once with the time where a limit lasts longer than five minutes, and where it does not end`, async () => {
    const stage = await open();
    stage.host.onNext('POST', () => [limitInWords[0], limitInWords[1], { 'retry-after': '301' }]);
    const { code, said } = await stage.run('one');
    expect(code).toBe(1);
    expect(said).toMatch(/secondary rate limit.* It allows no request before \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\./);
    expect(said).not.toMatch(guesses);
    expect(stage.host.requests.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    for (let count = 0; count < 4; count += 1) stage.host.onNext('POST', () => limitInWords);
    expect(await stage.run('one')).toEqual({ code: 1, said: expect.stringContaining('secondary rate limit') });
    expect(stage.bodies()).toEqual([]);
  });

  test(`${name} fails in the words of the host, without a guess, after any other 403`, async () => {
    const stage = await open();
    stage.host.onNext('POST', () => [403, { message: { base: ['This is blocked', 'by a rule'] } }]);
    const { code, said } = await stage.run('one');
    expect([code, said]).toEqual([1, expect.stringContaining('403: base This is blocked; by a rule (POST)')]);
    expect(said).not.toMatch(guesses);
  });

  test.each<[string, Answer]>([
    ['a token that may only read', integration],
    ['a 404 of a POST', [404, { message: 'Not Found' }]],
    ['a 410 of a POST', [410, { message: 'Disabled' }]],
  ])(`${name} takes %s for a missing permission where nothing is there yet`, async (_, answer) => {
    const stage = await open();
    stage.host.onNext('POST', () => answer);
    const { code, said } = await stage.run('one');
    // A job of GitLab has a token for this alone, so it fails.
    expect(code).toBe(isGithub ? 0 : 1);
    expect(said).toContain(String(answer[0]));
    if (isGithub) expect(said).toMatch(/permission `[a-z-]+: write`/);
  });

  test.each([404, 410])(`${name} is made again where a change answers %i`, async (status) => {
    const stage = await opened();
    const gone = (carryOut: () => Answer): Answer => {
      stage.deleteAll();
      const answer = carryOut();
      return [status, answer[1]];
    };
    stage.host.onNext(change, gone);
    expect((await stage.run('two')).code).toBe(0);
    shows(stage, 'two');
  });

  test(`${name} fails in the words of the host where a text is too long for it, and a long text is cut before that`, async () => {
    const stage = await open();
    stage.host.onNext('POST', () => [422, { message: 'Body is too long' }]);
    expect(await stage.run('one')).toEqual({ code: 1, said: expect.stringContaining('422: Body is too long (POST)') });
    expect((await stage.run('two', { filler: '| a row |\n'.repeat(110_000) })).code).toBe(0);
    shows(stage, 'two');
    expect(stage.bodies()[0]?.length).toBeLessThanOrEqual(longest);
  });

  test(`${name} is changed once more where the change was carried out and its answer lost`, async () => {
    const stage = await opened();
    stage.host.onNext(change, (carryOut) => [502, carryOut()[1] && { message: 'Server Error' }]);
    expect((await stage.run('two')).code).toBe(0);
    shows(stage, 'two');
  });

  test(`${name} is not added twice where the answer was lost: the step fails, and the next run finds it`, async () => {
    const stage = await open();
    stage.host.onNext('POST', (carryOut) => [502, carryOut()[1] && { message: 'Server Error' }]);
    const { code, said } = await stage.run('one');
    expect([code, said]).toEqual([1, expect.stringContaining('The request may have been carried out all the same')]);
    expect((await stage.run('two')).code).toBe(0);
    shows(stage, 'two');
  });

  test(`${name} is written again after an edit by a person`, async () => {
    const stage = await opened();
    stage.edit(`${stage.bodies()[0]?.split('\n')[0]}\nLooked at it, fine.`);
    expect((await stage.run('one')).code).toBe(0);
    shows(stage, 'one');
    expect(stage.bodies()[0]).not.toContain('Looked at it');
    expect(stage.news()).toEqual([]);
  });

  test(`${name} is added again after a person deleted it`, async () => {
    const stage = await opened();
    stage.deleteAll();
    expect((await stage.run('two')).code).toBe(0);
    shows(stage, 'two');
  });

  test(`${name} fails in the words of the host where somebody locked it, and keeps its text`, async () => {
    const stage = await opened();
    stage.lock();
    const { code, said } = await stage.run('two');
    expect([code, said]).toEqual([1, expect.stringMatching(/403: (?:403 Forbidden|.*is locked)/)]);
    expect(said).not.toMatch(guesses);
    shows(stage, 'one');
  });

  test.runIf(isIssue)(
    `${name} gets a short comment on what is new, once, also where a run ends in between`,
    async () => {
      const stage = await opened();
      for (let count = 0; count < 4; count += 1) stage.host.failNext(change, 500);
      expect((await stage.run('two')).code).toBe(1);
      shows(stage, 'one');
      expect((await stage.run('two')).code).toBe(0);
      expect((await stage.run('two')).code).toBe(0);
      shows(stage, 'two');
      expect(stage.news()).toEqual([expect.stringContaining('schedules&#46;two')]);
      // Something that was gone and comes back is new.
      await stage.run('one', { filler: 'again' });
      await stage.run('two');
      expect(stage.news()).toHaveLength(3);
    },
  );
});

test('a surplus comment or note whose removal was carried out and its answer lost is gone, and the run passes', async () => {
  for (const { open } of [keepers['the comment on GitHub'], keepers['the note on GitLab']].flatMap(
    (each) => each ?? [],
  )) {
    const stage = await open();
    await stage.run('one');
    const { comments, notes } = stage.host as { comments?: { id: number }[]; notes?: { id: number }[] };
    const texts = comments ?? notes ?? [];
    texts.push({ ...texts[0], id: 5_000 });
    stage.host.onNext('DELETE', (carryOut) => [502, carryOut()[1] ?? { message: 'Server Error' }]);
    expect((await stage.run('two')).code).toBe(0);
    expect(stage.bodies()).toEqual([expect.stringContaining('two')]);
  }
});

test('the comment that somebody hid is written again where it is', async () => {
  const stage = await onGithub('comment');
  await stage.run('one');
  const [comment] = (stage.host as unknown as { comments: { isMinimized?: boolean }[] }).comments;
  Object.assign(comment ?? {}, { isMinimized: true });
  expect((await stage.run('two')).code).toBe(0);
  expect(stage.bodies()).toEqual([expect.stringContaining('two')]);
  expect(comment?.isMinimized).toBe(true);
});
