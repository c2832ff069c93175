// The world of one test: a service, a workspace in a temporary folder, and the program. The emulator and the program that
// runs in this process share a clock that stands still: a wait of the program passes at once, for both.

import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import type { ImportDocument } from '../../src/commands/import/import-document.ts';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { StoredSchedule } from '../../src/emulator/store.ts';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import { renameDashboard } from './emulator/service.ts';
import { openEmulator, type Running } from './emulator/start-emulator.ts';
import { type Finished, type RunOptions, runProgram } from './program.ts';
import { expectDocument } from './schemas.ts';
import { type Environment, openFolder, type Ran, start, type Workspace, workspaceIn } from './workspace.ts';

/** Files by path, and the sections of schedules/all.yaml by name; a text is all of schedules/all.yaml. */
export type Declared = string | Readonly<Record<string, unknown>>;
export type Fields = Record<string, unknown>;

/** The rest are options of the emulator; `operations`, full unless told otherwise, are those of almanac.yaml as well. */
export interface WorldOptions extends EmulatorOptions {
  /** More of almanac.yaml, as a text or a value; null for no such file, so that OMNI_BASE_URL names the service. */
  readonly config?: string | object | null;
  readonly api?: object;
  /** Beside OMNI_API_TOKEN. */
  readonly environment?: Environment;
  readonly outside?: Partial<Outside>;
  /** Outlives the test, until `close`. */
  readonly isKept?: boolean;
}

export interface World extends Workspace, Running {
  /** Every wait that the program took, in milliseconds. */
  readonly slept: readonly number[];
  /** Lets time pass. */
  pass(milliseconds: number): Promise<void>;
  /** Sets the time to a day and time of March 2026, UTC. */
  until(day: number, hour: number, minute?: number): void;
  /** A single argument is a line, with blanks between its words. */
  run(...argv: readonly string[]): Promise<Ran>;
  /** As `run`, with the built program as a process. */
  spawn(line: string, options?: Partial<RunOptions>): Promise<Finished>;
  /** The same folder and service, for a program with another outside. */
  beside(outside: Partial<Outside>, environment?: Environment): Workspace;
  /** Writes schedules/all.yaml. */
  declare(schedules: object, rest?: object): void;
  /** Somebody makes a schedule in Omni, without a request; its id. */
  makeByHand(fields: object, more?: Partial<StoredSchedule>): string;
  /** Creates a link at a path of the workspace. */
  link(target: string, path: string): void;
  /** Creates a named pipe that nobody writes to. */
  pipe(path: string): void;
  /** Somebody changes schedules of this name in Omni. */
  change(name: string, edit: (fields: Fields, schedule: StoredSchedule) => void): void;
  /** Somebody gives a dashboard another identifier in Omni. */
  rename(from: string, to: string): void;
  /** As JSON; throws where it fails. */
  drift(...argv: readonly string[]): Promise<{ readonly code: number; readonly document: DriftDocument }>;
  /** As JSON, which obeys its schema. */
  import(...argv: readonly string[]): Promise<ImportDocument>;
  /** The next plan sends nothing. */
  expectQuiet(...argv: readonly string[]): Promise<void>;
  /** Of what the state tracks. */
  idOf(address: string): string;
  /** The requests since the last call of this and of `sent`: `GET /v1/schedules/…`. */
  asked(): readonly string[];
  /** What was sent since the last call that is no read: `PUT /api/v1/schedules/…`. */
  sent(): readonly string[];
  close(): Promise<void>;
}

export async function openWorld(declared: Declared = {}, options: WorldOptions = {}): Promise<World> {
  const { config = {}, api, environment: given, outside, isKept } = options;
  const operations = options.operations ?? 'full';
  let time = start;
  const running = await openEmulator({ now: () => time, ...options, operations });
  const { emulator, baseUrl, organizationKey } = running;
  const folder = openFolder();
  const close = async () => {
    await emulator.close();
    folder.remove();
  };
  if (!isKept) onTestFinished(close);
  const settings = { baseUrl, operations, rateLimit: 0, ...api };
  const almanac =
    typeof config === 'string' ? `api: ${JSON.stringify(settings)}\n${config}` : { api: settings, ...config };
  const files = filesOf(declared);
  folder.write({ ...(config === null ? {} : { 'almanac.yaml': almanac }), ...files });
  const isOwn = config === null || Object.keys(files).some((path) => path.endsWith('almanac.yaml'));
  const variables = { OMNI_API_TOKEN: organizationKey, ...(isOwn ? { OMNI_BASE_URL: baseUrl } : {}), ...given };
  const slept: number[] = [];
  const pass = async (milliseconds: number) => {
    time += milliseconds;
    await emulator.tick();
  };
  const clock: Outside['clock'] = {
    now: () => time,
    monotonic: () => time,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted) return;
      slept.push(milliseconds);
      await pass(milliseconds);
    },
  };
  const workspace = workspaceIn(folder, variables, { clock, ...outside });
  const { environment } = workspace;
  let seen = 0;
  const requests = () => {
    const all = emulator.requests().slice(seen);
    seen += all.length;
    return all;
  };
  return {
    ...workspace,
    ...running,
    slept,
    pass,
    close,
    until: (day, hour, minute = 0) => {
      time = Date.UTC(2026, 2, day, hour, minute);
    },
    run: (...argv) => workspace.run(...(argv.length === 1 ? wordsOf(argv[0]) : argv)),
    spawn: (line, more) => runProgram(wordsOf(line), { cwd: folder.path, environment, ...more }),
    beside: (extra, more = environment) => workspaceIn(folder, more, { clock, ...outside, ...extra }),
    declare: (named, rest = {}) => folder.write({ 'schedules/all.yaml': { schedules: named, ...rest } }),
    makeByHand: (fields, more = {}) => {
      const { schedules, members } = emulator.data();
      const id = more.id ?? `00000000-0000-4000-8000-${String(schedules.length).padStart(12, '0')}`;
      const now = new Date(time).toISOString();
      const made = { id, ownerId: members[0]?.id ?? null, createdAt: now, updatedAt: now, hasPassword: false };
      emulator.edit(
        (data) => void data.schedules.push({ ...made, fields: fields as StoredSchedule['fields'], ...more }),
      );
      return id;
    },
    link: (target, path) => symlinkSync(target, join(folder.path, path)),
    pipe: (path) => void execFileSync('mkfifo', [join(folder.path, path)]),
    change: (name, edit) =>
      emulator.edit((data) => {
        const found = data.schedules.filter(({ fields }) => fields['name'] === name);
        if (found.length === 0) throw new Error(`no schedule ${name}`);
        for (const schedule of found) edit(schedule.fields, schedule);
      }),
    rename: (from, to) => emulator.edit((data) => renameDashboard(data, from, to)),
    drift: async (...argv) => {
      const { code, stdout, stderr } = await workspace.run('drift', '--format', 'json', ...argv);
      if (code === 1) throw new Error(stdout + stderr);
      return { code, document: JSON.parse(stdout) as DriftDocument };
    },
    import: async (...argv) => {
      const { code, stdout, stderr } = await workspace.run('import', '--format', 'json', ...argv);
      expect(code, stdout + stderr).toBe(0);
      return expectDocument<ImportDocument>('import', stdout);
    },
    expectQuiet: async (...argv) => {
      const { changes } = await workspace.plan('--refresh=deep', ...argv);
      expect(changes.filter(({ requests }) => requests > 0)).toEqual([]);
    },
    idOf: (address) => workspace.state().resources[address]?.id ?? '',
    asked: () => requests().map(({ method, path }) => `${method} ${path.replace('/api', '')}`),
    sent: () =>
      requests()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`),
  };
}

/** As `openWorld`, with what it declares applied, and those requests forgotten. */
export async function openApplied(...given: Parameters<typeof openWorld>): Promise<World> {
  const world = await openWorld(...given);
  await world.apply();
  world.sent();
  return world;
}

function filesOf(declared: Declared): Readonly<Record<string, unknown>> {
  if (typeof declared === 'string') return { 'schedules/all.yaml': declared };
  const [files, sections] = [false, true].map((isSection) =>
    Object.fromEntries(Object.entries(declared).filter(([name]) => /^[a-z]+(?:Jobs)?$/.test(name) === isSection)),
  );
  return { ...(Object.keys(sections ?? {}).length === 0 ? {} : { 'schedules/all.yaml': sections }), ...files };
}

/** `PUT /v1/schedules/…` as `PUT /schedules/ID`. */
export const inBrief = (requests: readonly string[]): readonly string[] =>
  requests.map((line) => line.replace('/v1/', '/').replace(/[0-9a-f-]{36}/, 'ID'));

const wordsOf = (line = '') => line.split(' ').filter(Boolean);
