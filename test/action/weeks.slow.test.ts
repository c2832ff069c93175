// "Reviewed is applied" in ordinary weeks: what a team merges, in which order, and what then happens in Omni. With real git,
// a fake of GitHub's API and the emulator. The program runs in the process of the test; scaffolds-run starts the built one.

import { describe, expect, onTestFinished, test } from 'vitest';
import { runGit } from '../../src/commands/ci/runner/git.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { type ActionRun, useAction } from '../support/action/composite.ts';
import { mergedPull, openGithub, type Pull, timeOf } from '../support/action/fake-github.ts';
import { almanac, githubToken, openRunner } from '../support/action/fake-runner.ts';
import { type Files, git, openRepository } from '../support/action/repository.ts';
import { hook, mail } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

type Team = Awaited<ReturnType<typeof openTeam>>;

const token = 'omni_osk_demo_organization_key';

/** People open and merge pull requests in a repository of real git, and the three workflows run the action. */
async function openTeam(files: Files = {}) {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  emulator.edit(({ schedules }) => void schedules.splice(0));
  const { baseUrl } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const github = await openGithub();
  const runner = openRunner({}, { almanac, git: runGit });
  const repository = openRepository({
    'almanac.yaml': 'api: { operations: full }\nstate: { backend: git }\n',
    ...files,
  });
  github.repository = repository;
  const { GITHUB_TOKEN: _, ...api } = github.env;
  const secrets: Record<string, string> = {};
  const offline = { ...api, OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: '' };
  const use = (inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) =>
    useAction(runner, inputs, { env, token: githubToken });
  const pullOf = (number: number): Pull => {
    const pull = github.pulls.find((each) => each.number === number);
    if (pull === undefined) throw new Error(`there is no #${number}`);
    return pull;
  };
  const repositoryOf = { default_branch: 'main' };
  return {
    repository,
    github,
    emulator,
    /** The secrets of the job that applies. */
    secrets,
    /** Puts files on main and applies them, as an earlier run did. */
    settle: async (more: Files) => {
      const commit = repository.commit(more);
      const clone = makeFolder();
      repository.checkOut(clone);
      const environment = { PATH: process.env['PATH'] ?? '', OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: token };
      await workspaceIn(clone, { ...environment, GITHUB_SHA: commit }).apply();
    },
    /** Opens a pull request, and plans it if it is not from a fork. */
    propose: async (changes: Files, { fork = false } = {}) => {
      const number = github.pulls.length + 1;
      const head = repository.commit(changes, { branch: `pr-${number}` });
      github.pulls.push(
        mergedPull({ number, from: `ana:pr-${number}`, head: { sha: head }, merged_at: null, merge_commit_sha: null }),
      );
      if (!fork) expect((await planned(number)).code).toBe(0);
      return number;
    },
    /** Plans it again, as after a push or by hand. */
    plan: planned,
    merge: (number: number) => {
      const commit = repository.merge(`pr-${number}`);
      Object.assign(pullOf(number), { merged_at: timeOf(github), merge_commit_sha: commit });
    },
    /** The apply workflow on main. */
    apply: async (inputs: Readonly<Record<string, string>> = {}) => {
      repository.checkOut(runner);
      runner.happens({ repository: repositoryOf });
      const applied = await use(
        { command: 'apply', expect: 'reviewed', ...inputs },
        { ...offline, OMNI_API_TOKEN: token, ...secrets },
      );
      for (const text of [applied.log, applied.summary, JSON.stringify(applied.outputs)])
        for (const secret of [token, githubToken, ...Object.values(secrets)]) expect(text).not.toContain(secret);
      return applied;
    },
    /** What Omni has: the names of its schedules, sorted. */
    schedules: () =>
      emulator
        .data()
        .schedules.map(({ fields }) => String(fields['name']))
        .sort(),
    /** How often the state was written. */
    writes: () => Number(git(repository.url.slice('file://'.length), 'rev-list', '--count', 'almanac-state')),
    /** Changing requests so far. */
    sent: () => emulator.requests().filter(({ method }) => method !== 'GET').length,
  };

  async function planned(number: number): Promise<ActionRun> {
    const { head, base } = pullOf(number);
    repository.mergeRef(`pr-${number}`, number);
    repository.checkOut(runner, { ref: `refs/pull/${number}/merge` });
    runner.happens({ pull_request: { number, head, base }, repository: repositoryOf });
    return use({ command: 'plan' }, offline);
  }
}

/** A file with one schedule, whose fields have lines of their own. */
function fileOf(key: string, more: Parameters<typeof mail>[0] = {}): Files {
  const schedules = { [key]: mail({ name: key, subject: key, ...more }) };
  return { [`schedules/${key}.yaml`]: `${JSON.stringify({ schedules }, null, 1)}\n` };
}

/** A team with one applied schedule. */
async function settled() {
  const team = await openTeam();
  await team.settle(fileOf('first'));
  return team;
}

const refused = (summary: string) =>
  expect(summary).toContain('## Almanac apply: refused, because not every change was reviewed');

describe('what applies without a person', () => {
  test('two quick merges of different resources are applied together, and the second run has nothing to do', async () => {
    const team = await settled();
    const [a, b] = [await team.propose(fileOf('a')), await team.propose(fileOf('b'))];
    team.merge(a);
    team.merge(b);
    const first = await team.apply();
    expect(first.code, first.log).toBe(0);
    expect(team.schedules()).toEqual(['a', 'b', 'first']);
    const second = await team.apply();
    expect(second).toMatchObject({ code: 0, ran: ['prepare', 'run'] });
    expect(second.summary).toContain('nothing to do');
  });

  test('a failed apply does not hold up the next merge, which applies what was left open', async () => {
    const team = await settled();
    const hide = (deleted: boolean) =>
      team.emulator.edit(({ documents }) => {
        for (const document of documents) if (document.identifier === '3f9c2b71') document.deleted = deleted;
      });
    hide(true);
    const a = await team.propose({ ...fileOf('a'), ...fileOf('broken', { identifier: '3f9c2b71' }) });
    team.merge(a);
    const failed = await team.apply();
    expect(failed.code).toBe(1);
    expect(failed.summary).toContain('1 applied, 1 failed');
    hide(false);
    const b = await team.propose(fileOf('b'));
    team.merge(b);
    const next = await team.apply();
    expect(next.code, next.log).toBe(0);
    expect(team.schedules()).toEqual(['a', 'b', 'broken', 'first']);
  });

  test('an apply with nothing to do writes the state once for merges of the workspace, and not for others', async () => {
    const team = await settled();
    const a = await team.propose(fileOf('first', { subject: 'Taken back' }));
    team.merge(a);
    team.merge(await team.propose(fileOf('first')));
    const [writes, sent] = [team.writes(), team.sent()];
    const ended = await team.apply();
    expect(ended).toMatchObject({ code: 0, ran: ['prepare', 'run'], outputs: { changes: 'false' } });
    expect(ended.summary).toContain('## Almanac apply: nothing to do');
    expect(ended.log).toContain('Everything that was reviewed up to commit');
    const written = team.writes();
    expect(written).toBeGreaterThan(writes);
    team.merge(await team.propose({ 'models/m.sql': 'select 1' }));
    for (let run = 0; run < 2; run += 1) expect((await team.apply()).code).toBe(0);
    expect([team.writes(), team.sent()]).toEqual([written, sent]);
    // The review of #1 has ended with it.
    team.repository.commit(fileOf('first', { subject: 'Taken back' }));
    const refusal = await team.apply();
    expect(refusal.summary).toContain('<code>schedules&#46;first</code>: no merged pull request shows this change.');
    expect(team.sent()).toBe(sent);
  });

  test('a rotated secret is applied without a review, and its variable is named', async () => {
    const team = await openTeam();
    team.secrets['HOOK_KEY'] = 'the-first-key-of-the-hook';
    const url = 'https://hooks.example.com/${env.HOOK_KEY}';
    team.merge(await team.propose(fileOf('hook', { ...hook({ url }), recipients: undefined, subject: undefined })));
    expect((await team.apply()).code).toBe(0);
    team.secrets['HOOK_KEY'] = 'the-second-key-of-the-hook';
    const sent = team.sent();
    const rotated = await team.apply();
    expect(rotated.code, rotated.log).toBe(0);
    expect(rotated.log).toContain('HOOK_KEY');
    expect(team.sent()).toBe(sent + 1);
  });
});

describe('what is refused before anything is sent', () => {
  async function refuses(team: Team, inputs: Readonly<Record<string, string>> = {}): Promise<string> {
    const [sent, log] = [team.sent(), team.repository.log()];
    const apply = await team.apply(inputs);
    expect(apply.code).toBe(1);
    refused(apply.summary);
    expect(apply.summary).toMatch(/with its digest, `[0-9a-f]{64}`/);
    expect(team.sent()).toBe(sent);
    expect(team.repository.log()).toEqual(log);
    return apply.summary;
  }

  test('two reviews of one address are refused with both pull requests named, and a third that shows the sum is applied', async () => {
    const team = await settled();
    const a = await team.propose(fileOf('first', { name: 'renamed' }));
    const b = await team.propose(fileOf('first', { subject: 'Another subject' }));
    team.merge(a);
    team.merge(b);
    const summary = await refuses(team);
    expect(summary).toContain(`#${a} and #${b} change this resource, and nobody has reviewed what they do together.`);
    team.merge(await team.propose({ 'schedules/README.md': 'words' }));
    const applied = await team.apply();
    expect(applied.code, applied.log).toBe(0);
    expect(team.schedules()).toEqual(['renamed']);
  });

  test('nothing is applied of what nobody reviewed, and every reason is named', async () => {
    const team = await settled();
    const comment = (number: number) => team.github.comments.find(({ pull }) => pull === number);
    const edited = await team.propose(fileOf('edited'));
    Object.assign(comment(edited) ?? {}, { editor: 'mallory' });
    const forged = await team.propose(fileOf('forged'));
    Object.assign(comment(forged) ?? {}, { user: { login: 'mallory' } });
    const pushed = await team.propose(fileOf('pushed'));
    const head = team.repository.commit(fileOf('later'), { branch: `pr-${pushed}` });
    Object.assign(team.github.pulls.find(({ number }) => number === pushed) ?? {}, { head: { sha: head } });
    const calm = await team.propose({ 'schedules/README.md': 'words' });
    expect(comment(calm)?.body).toContain('**Almanac plan: no changes**');
    for (const number of [edited, forged, pushed, calm]) team.merge(number);
    const commit = team.repository.commit(fileOf('direct'));

    const summary = await refuses(team);
    for (const key of ['edited', 'forged', 'pushed', 'later', 'direct'])
      expect(summary).toContain(`<code>schedules&#46;${key}</code>: no merged pull request shows this change.`);
    expect(summary).toContain(`#${edited} has a plan comment that somebody else edited.`);
    expect(summary).toContain(`#${forged} has a plan comment that github-actions[bot] did not write.`);
    expect(summary).toContain(`#${pushed} has the plan of an earlier push.`);
    expect(summary).toContain(`The commit ${commit.slice(0, 9)} was pushed without a pull request.`);
    expect(summary).not.toContain(`#${calm} `);
  });

  test('what a merge without a review took back is refused when it comes back, and both pull requests are named', async () => {
    const team = await settled();
    const a = await team.propose(fileOf('first', { subject: 'Taken back' }));
    team.merge(a);
    const b = await team.propose(fileOf('first'), { fork: true });
    team.merge(b);
    team.repository.commit(fileOf('first', { subject: 'Taken back' }));
    const words = `#${a} showed this change, and #${b}, which has no plan comment, touches a file that #${a} touched.`;
    expect(await refuses(team)).toContain(words);
  });

  test('a state that any pull request can edit, and so hide changes, is refused before a plan is made', async () => {
    const team = await openTeam({ 'almanac.yaml': 'api: { operations: full }\n', 'almanac.state.json': '{}' });
    team.merge(await team.propose(fileOf('a'), { fork: true }));
    const apply = await team.apply();
    expect(apply.code, apply.log).toBe(1);
    expect(apply.ran).toEqual(['prepare']);
    expect(apply.summary).toContain('The state is almanac.state.json, a file that any pull request can edit');
    expect(apply.summary).toContain('`state: { backend: git }`');
    expect(team.sent()).toBe(0);
  });

  test('a plan that is made after the merge reviews nothing, and leaves the comment that people saw', async () => {
    const team = await openTeam();
    const [a, b] = [await team.propose(fileOf('a'), { fork: true }), await team.propose(fileOf('b'))];
    for (const number of [a, b]) team.merge(number);
    const shown = team.github.comments.map(({ body }) => body);
    const late = await team.plan(a);
    expect(late.code, late.log).toBe(0);
    expect(late.log).toContain('::notice title=Almanac::The pull request is merged, so its comment stays as it is.');
    expect((await team.plan(b)).code).toBe(0);
    expect(team.github.comments.map(({ body }) => body)).toEqual(shown);
    expect(await refuses(team)).toContain(`#${a} has no plan comment.`);
  });

  test('a fork without a comment is refused', async () => {
    const team = await openTeam();
    const a = await team.propose(fileOf('a'), { fork: true });
    team.merge(a);
    expect(await refuses(team)).toContain(`#${a} has no plan comment.`);
  });
});
