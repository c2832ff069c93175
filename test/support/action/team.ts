// A team that works on GitHub: people open and merge pull requests in a repository of real git, and the three workflows
// run the action, with the program in the process of the test, against the emulator.

import { expect, onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { EmulatorData } from '../../../src/emulator/store.ts';
import { warmProgram } from '../warm-program.ts';
import { makeFolder, workspaceIn } from '../workspace.ts';
import { type ActionRun, useAction } from './composite.ts';
import { type FakeGithub, mergedPull, openGithub, type Pull, timeOf } from './fake-github.ts';
import { githubToken, openRunner } from './fake-runner.ts';
import { type Files, openRepository, type Repository } from './repository.ts';

export interface Team {
  readonly repository: Repository;
  readonly github: FakeGithub;
  readonly emulator: Emulator;
  /** The secrets of the job that applies. */
  readonly secrets: Record<string, string>;
  /** Puts files on main and applies them, as an earlier run did. The program runs in this process. */
  settle(files: Files): Promise<void>;
  /** Opens a pull request, and plans it if it is not from a fork. */
  propose(files: Files, options?: { readonly fork?: boolean }): Promise<number>;
  /** Plans it again, as after a push or by hand. */
  plan(number: number): Promise<ActionRun>;
  merge(number: number, how?: 'merge' | 'squash'): void;
  /** The apply workflow on main. */
  apply(inputs?: Readonly<Record<string, string>>): Promise<ActionRun>;
  /** What Omni has: the names of its schedules, sorted. */
  schedules(): readonly string[];
  /** Changing requests so far. */
  sent(): number;
}

const token = 'omni_osk_demo_organization_key';

export async function openTeam(files: Files = {}): Promise<Team> {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  emulator.edit((data: EmulatorData) => {
    data.schedules.length = 0;
  });
  const { baseUrl } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const github = await openGithub();
  const runner = openRunner({}, { comesWith: warmProgram() });
  const repository = openRepository({
    'almanac.yaml': 'api: { operations: full }\nstate: { backend: git }\n',
    ...files,
  });
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
    secrets,
    settle: async (more) => {
      const commit = repository.commit(more);
      const clone = makeFolder();
      repository.checkOut(clone);
      const environment = { PATH: process.env['PATH'] ?? '', OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: token };
      await workspaceIn(clone, { ...environment, GITHUB_SHA: commit }).apply();
    },
    propose: async (changes, { fork = false } = {}) => {
      const number = github.pulls.length + 1;
      const head = repository.commit(changes, { branch: `pr-${number}` });
      github.pulls.push(
        mergedPull({ number, from: `ana:pr-${number}`, head: { sha: head }, merged_at: null, merge_commit_sha: null }),
      );
      if (!fork) expect((await planned(number)).code).toBe(0);
      return number;
    },
    plan: planned,
    merge: (number, how) => {
      const commit = repository.merge(`pr-${number}`, how);
      Object.assign(pullOf(number), { merged_at: timeOf(github), merge_commit_sha: commit });
    },
    apply: async (inputs = {}) => {
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
    schedules: () =>
      emulator
        .data()
        .schedules.map(({ fields }) => String(fields['name']))
        .sort(),
    sent: () => emulator.requests().filter(({ method }) => method !== 'GET').length,
  };

  async function planned(number: number): Promise<ActionRun> {
    const { head } = pullOf(number);
    repository.mergeRef(`pr-${number}`, number);
    repository.checkOut(runner, { ref: `refs/pull/${number}/merge` });
    runner.happens({ pull_request: { number, head }, repository: repositoryOf });
    return use({ command: 'plan' }, offline);
  }
}

/** A file with one schedule, whose fields have lines of their own. */
export function fileOf(key: string, more: Readonly<Record<string, unknown>> = {}): Files {
  const schedule = {
    name: key,
    identifier: '12db1a0a',
    schedule: '0 9 ? * MON *',
    timezone: 'Europe/London',
    format: 'pdf',
    destinationType: 'email',
    recipients: ['ana@example.com'],
    subject: key,
    ...more,
  };
  return { [`schedules/${key}.yaml`]: `${JSON.stringify({ schedules: { [key]: schedule } }, null, 1)}\n` };
}
