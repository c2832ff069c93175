// The pipeline that a page shows, and what a runner does with its scripts. A runner has a checkout, the variables that
// the platform sets, and a shell; npm and the program come from the test. The platform is a code host of the test: its
// repository over HTTP, behind a token that reads and one that writes, and its API.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Answer, type Asked, openHost } from '../action/fake-host.ts';
import { openRepository, type Repository } from '../action/repository.ts';
import { runLogged } from '../program.ts';
import { runBackend } from '../state/git-server.ts';
import { warmProgram } from '../warm-program.ts';
import { makeFolder } from '../workspace.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Step {
  readonly lines: readonly string[];
  readonly environment: Environment;
  /** Whether it also runs after a step that failed. */
  readonly isForced?: boolean;
}

export interface Platform {
  readonly url: string;
  /** Where its repository is served. */
  readonly remote: string;
  readonly repository: Repository;
  readonly requests: readonly string[];
  /**
   * Clones as the platform does, into the folder checkout, and runs the steps one after the other, each in a `shell` and with
   * its own variables. The paths of `artifacts` begin beside the checkout.
   */
  job(steps: readonly Step[], options: JobOptions): Promise<Job>;
}

export interface JobOptions {
  readonly ref: string;
  readonly shell: readonly string[];
  readonly config: readonly (readonly [string, string])[];
  readonly artifacts?: Environment;
}

export interface Job {
  readonly code: number | null;
  readonly log: string;
  read(path: string): string;
}

/** The block of a page that begins with a comment of its name, with the addresses of the platform replaced by those of a test. */
export function pipelineIn<T>(page: string, name: string, addresses: Environment = {}): T {
  const block = new RegExp(`\`\`\`yaml\\n(# ${name.replace('.', '\\.')}\\n[\\s\\S]*?)\`\`\``).exec(
    readFileSync(page, 'utf8'),
  );
  let text = block?.[1] ?? '';
  for (const [from, to] of Object.entries(addresses)) text = text.replaceAll(from, to);
  // Strict: it refuses a key that appears twice, and a reference to nothing.
  return parse(text, { strict: true, uniqueKeys: true });
}

export async function openPlatform(
  files: Environment,
  authorizations: { readonly reads: string; readonly writes: string },
  api: (asked: Asked) => Answer,
): Promise<Platform> {
  const root = makeFolder();
  const repository = openRepository({ 'package.json': '{}', '.gitignore': 'node_modules/\n', ...files });
  mkdirSync(join(root.path, 'acme'));
  symlinkSync(fileURLToPath(repository.url), join(root.path, 'acme', 'reports.git'));
  const refuse = (response: ServerResponse) => void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
  const host = await openHost(api, (request, response) => {
    const isGit = /\.git\/(?:info\/refs|git-(?:upload|receive)-pack)/.test(request.url ?? '');
    const { authorization } = request.headers;
    const isAllowed =
      authorization === authorizations.writes ||
      (authorization === authorizations.reads && !request.url?.includes('git-receive-pack'));
    if (isGit && !isAllowed) refuse(response);
    else if (isGit) void serve();
    return isGit;

    async function serve() {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const options = { root: root.path, user: 'almanac', environment: { PATH: process.env['PATH'] } };
      const { status, headers, body } = await runBackend(request, Buffer.concat(chunks), options);
      response.writeHead(status, headers).end(body);
    }
  });
  const program = warmProgram();
  root.write({
    'bin/npm': `#!/bin/sh
[ "$*" = "ci --ignore-scripts" ] || exit 9
mkdir -p node_modules/.bin && ln -sf '${program}' node_modules/.bin/almanac\n`,
  });
  chmodSync(join(root.path, 'bin/npm'), 0o755);
  chmodSync(program, 0o755);
  const remote = `${host.url}/acme/reports.git`;
  let count = 0;
  return {
    url: host.url,
    remote,
    repository,
    requests: host.requests,
    job: async (steps, { ref, shell, config, artifacts = {} }) => {
      count += 1;
      const [home, checkout] = [`job-${count}`, `job-${count}/checkout`];
      root.write({
        [`${checkout}/.keep`]: '',
        ...Object.fromEntries(Object.entries(artifacts).map(([path, text]) => [`${home}/${path}`, text])),
      });
      const cwd = join(root.path, checkout);
      for (const args of [
        ['init', '--quiet'],
        ['remote', 'add', 'origin', remote],
        ...config.map(([key, value]) => ['config', key, value]),
        ['fetch', '--quiet', '--depth=1', repository.url, ref],
        ['checkout', '--quiet', '--detach', 'FETCH_HEAD'],
      ])
        spawnSync('git', args, { cwd });
      const always = { PATH: `${join(root.path, 'bin')}:${process.env['PATH']}`, HOME: join(root.path, home) };
      let [code, log]: [number | null, string] = [0, ''];
      for (const { lines, environment, isForced } of steps) {
        if (code !== 0 && isForced !== true) continue;
        const env = { ...always, PIPELINE_WORKSPACE: join(root.path, home), ...environment };
        const ran = await runLogged([...shell, lines.join('\n')], { cwd, env });
        log += ran.log;
        code = code === 0 ? ran.code : code;
      }
      return { code, log, read: (path) => readFileSync(join(cwd, path), 'utf8') };
    },
  };
}
