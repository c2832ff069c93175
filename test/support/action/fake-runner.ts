// What GitHub's runner does for a step, in a temporary folder: a checkout, files for outputs and summary, the
// environment, and the scripts of the action as processes.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runLogged } from '../program.ts';
import { makeFolder } from '../workspace.ts';

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
  run(script: string, env?: Readonly<Record<string, string>>): Promise<Step>;
  /** The text of a step, as a file that bash runs, in a process group of its own. */
  begin(text: string, env?: Readonly<Record<string, string>>): ChildProcess;
}

const actionFolder = '.github/actions/almanac';
export const omniToken = 'omni_osk_the-token-that-must-not-leak';
export const githubToken = 'ghs_theGithubTokenThatMustNotLeak0000';
export const headCommit = 'a'.repeat(40);

/** The action comes as a part of a package whose program is `comesWith`, or that of `stubProgram`. */
export function openRunner(
  files: Readonly<Record<string, unknown>> = {},
  { comesWith }: { readonly comesWith?: string } = {},
): FakeRunner {
  const folder = makeFolder();
  const action = join(folder.path, 'package', actionFolder);
  cpSync(actionFolder, action, { recursive: true });
  mkdirSync(join(folder.path, 'package', 'dist'));
  if (comesWith !== undefined) symlinkSync(resolve(comesWith), join(folder.path, 'package', 'dist', 'cli.cjs'));
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
      GITHUB_WORKSPACE: join(folder.path, 'checkout'),
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
  return {
    path: join(folder.path, 'checkout'),
    home: folder.path,
    happens: (event) => folder.write({ 'event.json': event }),
    write: (more) =>
      folder.write(Object.fromEntries(Object.entries(more).map(([path, content]) => [`checkout/${path}`, content]))),
    read: (path) => folder.read(`checkout/${path}`),
    run: async (script, env = {}) => {
      const { output, summary, environment } = nextStep(env);
      const { code, log } = await runLogged([process.execPath, join(action, script)], {
        cwd: join(folder.path, 'checkout'),
        env: environment,
      });
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
        cwd: join(folder.path, 'checkout'),
        env: environment,
        stdio: 'ignore',
        detached: true,
      });
    },
  };
}

/** The program of the package does what `answers` say, and writes down how it was called. */
export function stubProgram(runner: FakeRunner, answers: Readonly<Record<string, StubAnswer>>): StubProgram {
  const dist = join(runner.home, 'package', 'dist');
  writeFileSync(join(dist, 'cli.cjs'), stub);
  writeFileSync(join(dist, 'answers.json'), JSON.stringify(answers));
  return {
    calls: () => {
      const path = join(dist, 'calls');
      if (!existsSync(path)) return [];
      return readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as StubCall);
    },
  };
}

export interface StubAnswer {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** By format; json also as a value. */
  readonly reports?: Readonly<Record<string, unknown>>;
}

export interface StubCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface StubProgram {
  calls(): readonly StubCall[];
}

const stub = `const fs = require('node:fs');
const path = require('node:path');
const args = process.argv.slice(2);
const here = path.dirname(process.argv[1]);
fs.appendFileSync(path.join(here, 'calls'), JSON.stringify({ args, cwd: process.cwd(), env: process.env }) + '\\n');
const command = args.includes('--version') ? 'version' : args.find((arg) => !arg.startsWith('-'));
const { code = 0, stdout = '', stderr = '', reports = {} } = JSON.parse(fs.readFileSync(path.join(here, 'answers.json'), 'utf8'))[command] ?? { code: 1 };
for (const arg of args) {
  const [, format, file] = /^--report=([a-z]+)=(.*)$/s.exec(arg) ?? [];
  const text = reports[format];
  if (text !== undefined) fs.writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text));
}
process.stderr.write(stderr);
process.stdout.write(stdout);
process.exitCode = code;
`;

/** Each is `name<<END`, the lines of the value, `END`. */
function outputsIn(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(/(.+)<<(.+)\n([\s\S]*?)\n\2\n/gy)];
  if (found.map(([whole]) => whole).join('') !== text) throw new Error(`not an output: ${text}`);
  return Object.fromEntries(found.map(([, name, , value]) => [name, value]));
}
