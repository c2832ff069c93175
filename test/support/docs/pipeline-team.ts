// A team on a platform whose pipeline a page shows: it opens a pull request, merges, looks at the plan, and starts the apply.

import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { Answer, Asked } from '../action/fake-host.ts';
import { git } from '../action/repository.ts';
import { type Environment, type Job, openPlatform, type Platform, type Step } from './pipeline-page.ts';

/** A variable, or undefined where the platform has none. */
export type Settings = Readonly<Record<string, string | undefined>>;

export interface Comment {
  text: string;
  readonly isOurs: boolean;
}

/** What differs between platforms. */
export interface PlatformKind {
  /** The header of a request of git that may read, and of one that may write the state. */
  readonly authorizations: { readonly reads: string; readonly writes: string };
  /** The names of the tokens that a review sees. */
  readonly noteTokens: readonly string[];
  readonly shell: readonly string[];
  readonly config: (platform: Platform) => readonly (readonly [string, string])[];
  /** Where the apply finds the saved plan, from the folder above the checkout. */
  readonly planPath: string;
  readonly steps: (job: string, settings: Settings, at: At) => readonly Step[];
  readonly secretsOf: () => Readonly<Record<string, readonly string[]>>;
  readonly unknownKeywords: () => readonly string[];
  readonly answer: (asked: Asked, comments: Comment[]) => Answer;
}

interface Listed {
  readonly records: readonly { readonly id: string }[];
}

interface At {
  readonly url: string;
  readonly remote: string;
  readonly commit: string;
}

export async function openTeam(kind: PlatformKind, files: Environment) {
  const emulator: Emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const comments: Comment[] = [];
  const platform = await openPlatform(
    { 'almanac.yaml': 'api:\n  operations: full\n\nstate:\n  backend: git\n', ...files },
    kind.authorizations,
    (asked) => kind.answer(asked, comments),
  );
  const { repository } = platform;
  const server = fileURLToPath(repository.url);
  const secrets = {
    OMNI_API_TOKEN: organizationKey,
    STATE_PUSH_TOKEN: 'the-token-that-writes-the-state',
    SFTP_PASSWORD: 'the-password',
  };
  const run = (name: string, ref: string, settings: Settings = {}, artifacts: Environment = {}): Promise<Job> => {
    const all = { OMNI_BASE_URL: baseUrl, ALMANAC_NOTE_TOKEN: 'the-token-of-the-note', ...secrets, ...settings };
    const { url, remote } = platform;
    const steps = kind.steps(name, all, { url, remote, commit: git(server, 'rev-parse', ref) });
    return platform.job(steps, { ref, shell: kind.shell, config: kind.config(platform), artifacts });
  };
  return {
    emulator,
    secrets: Object.values(secrets),
    comments: () => comments.map(({ text }) => text),
    /** Somebody else writes one. */
    comment: (text: string) => void comments.push({ text, isOurs: false }),
    review: (changes: Environment, settings?: Settings) => {
      repository.commit(changes, { branch: 'change' });
      repository.mergeRef('change', 7);
      return run('review', 'refs/pull/7/merge', settings);
    },
    commit: (branch: string, changes: Environment) => void repository.commit(changes, { branch }),
    merge: (changes: Environment) => void repository.commit(changes),
    plan: (settings?: Settings) => run('plan', 'refs/heads/main', settings),
    apply: (plan: Job, settings?: Settings) =>
      run('apply', 'refs/heads/main', settings, { [kind.planPath]: plan.read('almanac.plan.json') }),
    look: () => run('look', 'refs/heads/main'),
    written: () => emulator.requests().filter(({ method }) => method !== 'GET'),
    deleteInOmni: async () => {
      const headers = { authorization: `Bearer ${organizationKey}` };
      const listed = (await (await fetch(`${baseUrl}/v1/schedules`, { headers })).json()) as Listed;
      await fetch(`${baseUrl}/v1/schedules/${listed.records[0]?.id}`, { method: 'DELETE', headers });
    },
    tracked: (): readonly string[] =>
      Object.keys(JSON.parse(git(server, 'show', 'almanac-state:almanac.state.json')).resources),
    subjects: (branch: string) =>
      git(server, 'branch', '--list', branch) === '' ? [] : git(server, 'log', '--format=%s', branch).split('\n'),
  };
}
