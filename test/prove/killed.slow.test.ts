// `almanac prove` as a process that is ended at any moment leaves no download. The process ends at each of its
// requests, and in the middle of a file: no byte is in the workspace, .almanac or the folder for temporary files.

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Finished, runProgram } from '../support/program.ts';
import type { Answer, Asked } from '../support/prove/double.ts';
import { dashboardOf, good, list, openProof, type Proof, report } from '../support/prove/proving.ts';
import { makeFolder } from '../support/workspace.ts';

/** In each row of each file. */
const marker = 'Gasket 77121';
const half = `Customer,Product,Amount\n${`North Pine,${marker},1\n`.repeat(20_000)}`;
const signals = [
  ['SIGKILL', null],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;
type Signal = (typeof signals)[number][0];

interface Killing {
  readonly proof: Proof;
  /** Where temporary files would be. */
  readonly temporary: string;
  /** Where the program keeps its compiled code. */
  readonly home: string;
  /** Ends the program at a request, counted from 1; 0: never. `isHalf`: once half of the file that it asks for is sent. */
  run(at: number, signal: Signal, isHalf?: boolean): Promise<Finished>;
}

async function openKilling(argv: readonly string[]): Promise<Killing> {
  let [count, at, isHalf, signal]: [number, number, boolean, Signal] = [0, 0, false, 'SIGKILL'];
  let child: ChildProcess | undefined;
  let open: readonly string[] = [];
  const end = () => {
    open = writing(child?.pid ?? 0, folders);
    child?.kill(signal);
  };
  const instead = (): Answer | Promise<undefined> | undefined => {
    count += 1;
    if (count !== at) return undefined;
    if (!isHalf) {
      end();
      // After a signal that can be handled, a request under way is waited for.
      return new Promise<undefined>((resolve) => setTimeout(resolve, 300, undefined));
    }
    return { status: 200, type: 'text/csv', body: halted(half, end) };
  };
  const proof = await openProof({
    dashboards: [dashboardOf([good, list('u', ['orders.customer', 'orders.product'])])],
    reports: { a: report('North Pine'), b: report('South Oak', { queryIdentifierMapKey: 'u' }) },
    instead,
  });
  const [temporary, home] = [makeFolder().path, makeFolder().path];
  const folders = [proof.path, temporary, home];
  mkdirSync(join(proof.path, '.almanac'), { recursive: true });
  const run = async (...given: [number, Signal, boolean?]): Promise<Finished> => {
    [count, at, signal, isHalf] = [0, given[0], given[1], given[2] ?? false];
    const ended = await runProgram(['prove', ...argv], {
      cwd: proof.path,
      environment: { ...proof.environment, HOME: home, TMPDIR: temporary, TMP: temporary, TEMP: temporary },
      during: (started) => {
        child = started;
      },
    });
    expect(open, `open files at request ${at}`).toEqual([]);
    return ended;
  };
  return { proof, temporary, home, run };
}

/** A file that stops in the middle. */
function halted(text: string, onSent: () => void): Readable {
  let isSent = false;
  return new Readable({
    read() {
      if (isSent) {
        setTimeout(onSent, 200);
        return;
      }
      isSent = true;
      this.push(Buffer.from(text));
    },
  });
}

/** The files below these folders that a process has open, also those without a name. */
function writing(pid: number, folders: readonly string[]): readonly string[] {
  const descriptors = `/proc/${pid}/fd`;
  return readdirSync(descriptors).flatMap((descriptor) => {
    try {
      const path = readlinkSync(join(descriptors, descriptor));
      return folders.some((folder) => path.startsWith(`${folder}/`)) || path.endsWith('(deleted)') ? [path] : [];
    } catch {
      return [];
    }
  });
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

function expectNoByte({ proof: { path }, temporary, home }: Killing, before: readonly string[]): void {
  expect(filesIn(temporary)).toEqual([]);
  expect(filesIn(path)).toEqual(before);
  for (const folder of [path, home])
    for (const name of filesIn(folder)) expect(readFileSync(join(folder, name)).includes(marker), name).toBe(false);
}

test.each(signals)(
  'a proof that is ended by %s at any of its requests leaves no byte of a download',
  async (signal, code) => {
    const killing = await openKilling(['--each']);
    const before = filesIn(killing.proof.path);
    expect(await killing.run(0, signal)).toMatchObject({ code: 0 });
    expectNoByte(killing, before);
    const requests = killing.proof.asked();
    expect(requests.length).toBeGreaterThan(6);
    for (let at = 1; at <= requests.length; at++) {
      const ended = await killing.run(at, signal);
      expect({ at, code: ended.code }, ended.stderr).toEqual({ at, code });
      expect(ended.stdout + ended.stderr).not.toContain(marker);
      expectNoByte(killing, before);
    }
  },
);

const isFile = ({ method, path }: Asked) => method === 'GET' && path.includes('/download/');

test.each(signals)(
  'a proof that is ended by %s in the middle of a file leaves no byte of the file',
  async (signal, code) => {
    const killing = await openKilling(['schedules.b']);
    const before = filesIn(killing.proof.path);
    expect(await killing.run(0, signal)).toMatchObject({ code: 0 });
    const files = killing.proof.asked().flatMap((asked, index) => (isFile(asked) ? [index + 1] : []));
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const at of files) {
      const ended = await killing.run(at, signal, true);
      expect({ at, code: ended.code }, ended.stderr).toEqual({ at, code });
      expectNoByte(killing, before);
    }
  },
);
