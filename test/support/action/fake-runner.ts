// What GitHub's runner does for a step, in a temporary folder: a checkout, files for outputs and summary, the environment,
// and `almanac ci` of the package that the action comes with. Its steps run in the process of the test, with a program and a git that it hands in; where
// these are the real ones, as processes.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ciTable } from '../../../src/commands/ci/ci-command.ts';
import type { AskGit } from '../../../src/commands/ci/step.ts';
import type { StartProgram } from '../../../src/model/outside.ts';
import { runLogged } from '../program.ts';
import { makeFolder, startProgram } from '../workspace.ts';

export interface Step {
  readonly code: number | null;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** As the runner shows it: without the lines that ask it to mask something. */
  readonly log: string;
  readonly masked: readonly string[];
}

export interface FakeRunner {
  readonly path: string;
  /** Outside the checkout: what the runner keeps for a job. */
  readonly home: string;
  /** Paths from the checkout. */
  write(files: Readonly<Record<string, unknown>>): void;
  read(path: string): string;
  /** What happened: the payload that GitHub hands to a run. */
  happens(event: unknown): void;
  /** A step of the action: what `almanac ci` does under this name. */
  run(name: string, env?: Readonly<Record<string, string>>): Promise<Step>;
  /** The text of a step, as a file that bash runs, in a process group of its own. Only where the action is a process. */
  begin(text: string, env?: Readonly<Record<string, string>>): ChildProcess;
}

export interface Programs {
  readonly almanac?: StartProgram;
  readonly git?: AskGit;
}

const actionFolder = '.github/actions/almanac';
export const omniToken = 'omni_osk_the-token-that-must-not-leak';
export const githubToken = 'ghs_theGithubTokenThatMustNotLeak0000';
export const headCommit = 'a'.repeat(40);

/** A git that has checked out a commit with these parents, and knows nothing else. */
export const checkedOut =
  (commit: string, ...parents: readonly string[]): AskGit =>
  (given, { cwd, env }) => {
    const args = given.join(' ');
    const parentLines = parents.map((parent) => `parent ${parent}\n`).join('');
    const said = args.includes('--show-toplevel')
      ? (env['GITHUB_WORKSPACE'] ?? cwd)
      : args.endsWith('cat-file commit HEAD')
        ? `tree ${'7'.repeat(40)}\n${parentLines}author Ana\n\nwords\n`
        : /rev-parse .*HEAD/.test(args)
          ? commit
          : undefined;
    return { status: said === undefined ? 128 : 0, stdout: said ?? '' };
  };

/** A git that finds no repository. */
const noRepository: AskGit = () => ({ status: 128, stdout: '' });

/** `programs` are what the steps start; a path is the program of a package that the action comes with, as a process. */
export function openRunner(
  files: Readonly<Record<string, unknown>> = {},
  programs: Programs | string = {},
): FakeRunner {
  const folder = makeFolder();
  const action = join(folder.path, 'package', actionFolder);
  if (typeof programs === 'string') {
    cpSync(actionFolder, action, { recursive: true });
    mkdirSync(join(folder.path, 'package', 'dist'));
    symlinkSync(resolve(programs), join(folder.path, 'package', 'dist', 'cli.cjs'));
  }
  const checkout = join(folder.path, 'checkout');
  folder.write(Object.fromEntries(Object.entries(files).map(([path, content]) => [`checkout/${path}`, content])));
  folder.write({ 'checkout/.keep': '', 'temp/.keep': '', 'event.json': {} });
  let steps = 0;
  const nextStep = (env: Readonly<Record<string, string>>) => {
    steps += 1;
    const [output, summary] = [`output-${steps}`, `summary-${steps}`];
    folder.write({ [output]: '', [summary]: '' });
    const environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder.path,
      // The temporary folder may lie in a repository of the machine.
      GIT_CEILING_DIRECTORIES: folder.path,
      GIT_CONFIG_NOSYSTEM: '1',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: action,
      GITHUB_WORKSPACE: checkout,
      GITHUB_OUTPUT: join(folder.path, output),
      GITHUB_STEP_SUMMARY: join(folder.path, summary),
      GITHUB_EVENT_PATH: join(folder.path, 'event.json'),
      GITHUB_REPOSITORY: 'acme/reports',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_RUN_ID: '4711',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_SHA: headCommit,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REF_NAME: 'main',
      RUNNER_TEMP: join(folder.path, 'temp'),
      OMNI_API_TOKEN: omniToken,
      ALMANAC_PAUSE_MS: '1',
      ...env,
    };
    return { output, summary, environment };
  };
  const inThisProcess = async (name: string, env: Readonly<Record<string, string>>, given: Programs) => {
    const { almanac = noProgram, git = noRepository } = given;
    let log = '';
    const say = (text: string) => {
      log += text;
    };
    const { [name as keyof typeof ciTable]: row } = ciTable;
    const code = await (await row.load())({ env, cwd: checkout, say, git, almanac });
    return { code, log };
  };
  return {
    path: checkout,
    home: folder.path,
    happens: (event) => folder.write({ 'event.json': event }),
    write: (more) =>
      folder.write(Object.fromEntries(Object.entries(more).map(([path, content]) => [`checkout/${path}`, content]))),
    read: (path) => folder.read(`checkout/${path}`),
    run: async (name, env = {}) => {
      const { output, summary, environment } = nextStep(env);
      const { code, log } =
        typeof programs === 'string'
          ? await runLogged([process.execPath, join(folder.path, 'package/dist/cli.cjs'), 'ci', name], {
              cwd: checkout,
              env: environment,
            })
          : await inThisProcess(name, environment, programs);
      const lines = log.split('\n');
      return {
        code,
        outputs: outputsIn(folder.read(output)),
        summary: folder.read(summary),
        log: lines.filter((line) => !line.startsWith('::add-mask::')).join('\n'),
        masked: lines.flatMap((line) => /^::add-mask::(.*)$/.exec(line)?.[1] ?? []),
      };
    },
    begin: (text, env = {}) => {
      const { environment } = nextStep(env);
      folder.write({ 'step.sh': `${text}\n` });
      return spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', join(folder.path, 'step.sh')], {
        cwd: checkout,
        env: environment,
        stdio: 'ignore',
        detached: true,
      });
    },
  };
}

const noProgram: StartProgram = () => {
  throw new Error('this step has no program');
};

/** The program itself. */
export const almanac: StartProgram = startProgram;

export interface StubAnswer {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** By format, `saved` for that of --out; json also as a value. */
  readonly reports?: Readonly<Record<string, unknown>>;
}

export interface StubCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program that does what `answers` say, by command, and writes down how it was called. */
export function stubProgram(answers: Readonly<Record<string, StubAnswer>>) {
  const calls: StubCall[] = [];
  const stub: StartProgram = async (args, { cwd, env, onStdout, onStderr }) => {
    calls.push({ args, cwd, env });
    const command = args.find((arg) => !arg.startsWith('-')) ?? '';
    const { code = 0, stdout = '', stderr = '', reports = {} } = answers[command] ?? { code: 1 };
    for (const arg of args) {
      const [, format = 'saved', file = ''] = /^--(?:report=([a-z]+)|out)=(.*)$/s.exec(arg) ?? [];
      const text = reports[format];
      if (file !== '' && text !== undefined)
        writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text));
    }
    onStderr(stderr);
    onStdout(stdout);
    return code;
  };
  return { almanac: stub, calls };
}

/** Each is `name<<END`, the lines of the value, `END`. */
function outputsIn(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(/(.+)<<(.+)\n([\s\S]*?)\n\2\n/gy)];
  if (found.map(([whole]) => whole).join('') !== text) throw new Error(`not an output: ${text}`);
  return Object.fromEntries(found.map(([, name, , value]) => [name, value]));
}
