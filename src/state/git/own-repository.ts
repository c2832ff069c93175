// Almanac's own bare repository, in a temporary folder, through which the remote is reached. The clone of the job is
// never used: a fetch of one commit would make a full clone shallow.

import type { Git, GitRun } from '../../files/git.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type CloneSettings, placeRemote } from './clone.ts';

const writtenRef = 'refs/almanac/written';

export interface OwnRepositoryOptions {
  /** The repository itself. */
  readonly folder: string;
  readonly git: Git;
  readonly networkMs: number;
}

export interface NewCommit {
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly message: string;
  /** Its files stay, unless `fresh`. */
  readonly parent: string | undefined;
  readonly fresh: boolean;
  /** Epoch seconds. */
  readonly at: number;
}

/** A run that failed, for the caller to put into words. */
export class GitFailed extends Error {
  readonly run: GitRun;
  constructor(run: GitRun) {
    super('git failed');
    this.run = run;
  }
}

const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The depth that git takes for no limit, also in a repository that has everything. */
const wholeHistory = 2_147_483_647;
/** More than the names of a hundred thousand entries. */
const maxListed = 32_000_000;
/** More than a state, or what an entry says; a small branch can hold objects that are far larger. */
const maxOfFile = 64_000_000;
/** More than a state and the journal after it. */
const maxBytes = 256_000_000;

/** Makes the repository, and tells how each branch of the remote is reached through it. `refs` are those that are read together. */
export async function makeRepository(
  options: OwnRepositoryOptions,
  refs: readonly string[],
  { objectFormat }: Pick<CloneSettings, 'objectFormat'>,
): Promise<(ref: string) => OwnRepository> {
  const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${objectFormat}`, options.folder];
  const made = await options.git(args);
  if (made.code !== 0) throw new GitFailed(made);
  const together = new BranchesTogether(options, refs);
  return (ref) => new OwnRepository(options, ref, together);
}

/** One question for all branches that a run reads, and one fetch of those that are there. */
class BranchesTogether {
  readonly #options: OwnRepositoryOptions;
  readonly #refs: readonly string[];
  #looking: Promise<ReadonlyMap<string, string>> | undefined;
  #fetching: Promise<unknown> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: OwnRepositoryOptions, refs: readonly string[]) {
    this.#options = options;
    this.#refs = refs;
  }

  /** The newest commit of each branch that the remote shows. After a failure, the next call asks again. */
  look(signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
    this.#looking ??= tipsOf(this.#options, this.#refs, signal).catch((error: unknown) => {
      this.#looking = undefined;
      throw error;
    });
    return this.#looking;
  }

  /** A name that is not there makes git fetch nothing at all, so only those are named that the remote has shown. */
  async fetch(signal?: AbortSignal): Promise<void> {
    const shown = [...(await this.look(signal)).keys()];
    this.#fetching ??= fetchRefs(this.#options, 'newest', shown, signal);
    await this.#fetching;
  }

  /** Does one after the other: git refuses a fetch beside another one that also changes what is shallow. */
  next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

async function tipsOf(
  options: OwnRepositoryOptions,
  refs: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const run = await network(options, ['ls-remote', '--quiet', placeRemote, ...refs], signal);
  const lines = run.stdout.toString('utf8').split('\n');
  const shown = lines
    .map((line) => line.split('\t'))
    .filter(([id = '', name = '']) => isId.test(id) && refs.includes(name));
  return new Map(shown.map(([id = '', name = '']) => [name, id]));
}

const depths = { newest: ['--depth=1'], all: [`--depth=${wholeHistory}`], added: [] };

function fetchRefs(
  options: OwnRepositoryOptions,
  part: keyof typeof depths,
  refs: readonly string[],
  signal?: AbortSignal,
): Promise<GitRun> {
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
  const wanted = refs.map((ref) => `+${ref}:${fetchedAs(ref)}`);
  return network(options, [...args, ...depths[part], placeRemote, ...wanted], signal);
}

/** The name of a branch of the remote in our own repository, as it was last fetched. */
function fetchedAs(ref: string): string {
  return `refs/almanac/fetched/${ref}`;
}

async function network(
  options: OwnRepositoryOptions,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<GitRun> {
  const { git, folder, networkMs } = options;
  const run = await git(['--git-dir', folder, ...args], { limitMs: networkMs, signal });
  if (run.code !== 0) throw new GitFailed(run);
  return run;
}

export class OwnRepository {
  readonly #options: OwnRepositoryOptions;
  /** The full name of the state branch. */
  readonly #ref: string;
  /** Undefined once it has answered: later questions are about this branch alone. */
  #together: { readonly look?: BranchesTogether; readonly fetch?: BranchesTogether };

  constructor(options: OwnRepositoryOptions, ref: string, together: BranchesTogether) {
    this.#options = options;
    this.#ref = ref;
    this.#together = { look: together, fetch: together };
  }

  /** The id of the state branch's newest commit; undefined without such a branch. Asks by its full name: a tag may have the same. */
  async look(signal?: AbortSignal): Promise<string | undefined> {
    const { look: together } = this.#together;
    const tips = await (together?.look(signal) ?? tipsOf(this.#options, [this.#ref], signal));
    // What is asked later may be of a branch that was not there yet.
    this.#together = together === undefined ? {} : { fetch: together };
    return tips.get(this.#ref);
  }

  /**
   * Fetches the state branch: its newest commit, all of them, or what was added to the commits that are there. False if the
   * branch is gone since the remote showed it together with others.
   */
  async fetch(part: 'newest' | 'all' | 'added', signal?: AbortSignal): Promise<boolean> {
    const { fetch: together } = this.#together;
    this.#together = {};
    const fetchAlone = () => fetchRefs(this.#options, part, [this.#ref], signal);
    if (part === 'newest' && together !== undefined) {
      if (await hasWorked(together.fetch(signal))) return true;
      return together.next(async () => (await this.look(signal)) !== undefined && (await fetchAlone()).code === 0);
    }
    await fetchAlone();
    return true;
  }

  /** The commit that was fetched last. Throws Failure state-unreadable if it is not one of Almanac's. */
  async readFetched(name: string): Promise<LogCommit> {
    // The branch may have moved since the remote was asked, so the id is that of the reference.
    const printed = (await this.#read(['cat-file', '--batch'], maxListed, [`${fetchedAs(this.#ref)}\n`])).toString(
      'latin1',
    );
    const [id = '', type] = printed.split(/[ \n]/, 2);
    if (type !== 'commit') throw new Error('git fetched a branch and has no commit of it.');
    const files = await this.#read(['ls-tree', '-r', '-l', '-z', id], maxListed);
    return readLogCommit(id, printed, files.toString('utf8'), name);
  }

  /** True if the later commit was built upon the earlier one. */
  async follows(later: string, earlier: string): Promise<boolean> {
    const run = await this.#local(['merge-base', '--is-ancestor', checkedId(earlier), checkedId(later)]);
    if (run.code !== 0 && run.code !== 1) throw new GitFailed(run);
    return run.code === 0;
  }

  /** The bytes of files, in the order of their ids. */
  async blobs(ids: readonly string[]): Promise<readonly Uint8Array[]> {
    const printed = await this.#read(['cat-file', '--batch'], maxBytes, [`${ids.map(checkedId).join('\n')}\n`]);
    let at = 0;
    return ids.map((id) => {
      const start = printed.indexOf('\n', at) + 1;
      const [, type, size] = printed.toString('latin1', at, start - 1).split(' ');
      if (type !== 'blob') throw new Error(`git has no file ${id}.`);
      at = start + Number(size) + 1;
      return printed.subarray(start, at - 1);
    });
  }

  /** A file that a newer state removed, as the first commit that had it wrote it; undefined if no commit did. */
  async older(tip: string, path: string): Promise<Uint8Array | undefined> {
    const args = ['rev-list', '--full-history', '--topo-order', '--reverse', checkedId(tip), '--', path];
    const [first = ''] = (await this.#read(args, maxListed)).toString('latin1').split('\n');
    return first === '' ? undefined : this.#read(['cat-file', 'blob', `${first}:${path}`], maxOfFile);
  }

  /** Writes a commit into our own repository, in one process. Gives its id and those of its files. */
  async write(commit: NewCommit): Promise<{ readonly id: string; readonly blobs: readonly string[] }> {
    const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw'];
    const run = await this.#local(args, importStream(commit));
    const ids = run.stdout.toString('latin1').trim().split('\n');
    if (run.code !== 0 || ids.length !== commit.files.length + 1 || !ids.every((id) => isId.test(id)))
      throw new GitFailed(run);
    return { id: ids[0] as string, blobs: ids.slice(1) };
  }

  /** Moves the branch from one commit to another if it is still at the first. The run says whether that worked. */
  async push(older: string | undefined, newer: string, { dryRun = false } = {}): Promise<GitRun> {
    // Without a commit before the colon, a push deletes the branch.
    checkedId(newer);
    if (older !== undefined) checkedId(older);
    return this.#remote([
      'push',
      '--quiet',
      '--no-verify',
      '--no-follow-tags',
      ...(dryRun ? ['--dry-run'] : []),
      `--force-with-lease=${this.#ref}:${older ?? ''}`,
      placeRemote,
      `${newer}:${this.#ref}`,
    ]);
  }

  #remote(args: readonly string[], signal?: AbortSignal): Promise<GitRun> {
    const { git, networkMs } = this.#options;
    return git([...this.#place, ...args], { limitMs: networkMs, signal });
  }

  async #read(args: readonly string[], mostOutput: number, input?: Iterable<string>): Promise<Buffer> {
    const run = await this.#local(args, input, mostOutput);
    if (run.code !== 0) throw new GitFailed(run);
    return run.stdout;
  }

  #local(args: readonly string[], input?: Iterable<Uint8Array | string>, mostOutput?: number): Promise<GitRun> {
    return this.#options.git([...this.#place, ...args], { input, mostOutput });
  }

  get #place(): readonly string[] {
    return ['--git-dir', this.#options.folder];
  }
}

/** Anything but a failure of git is a failure of the run. */
function hasWorked(fetching: Promise<void>): Promise<boolean> {
  return fetching.then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitFailed) return false;
      throw error;
    },
  );
}

const author = 'Almanac <almanac@localhost>';

/** The input of `git fast-import`: the files, the commit, and the question for the ids of all of them. */
function* importStream({ files, message, parent, fresh, at }: NewCommit): Iterable<Uint8Array | string> {
  for (const [index, { bytes }] of files.entries()) {
    yield `blob\nmark :${index + 2}\n`;
    yield* data(bytes);
  }
  yield `commit ${writtenRef}\nmark :1\ncommitter ${author} ${at} +0000\n`;
  yield* data(new TextEncoder().encode(message));
  if (parent !== undefined) {
    yield `from ${checkedId(parent)}\n`;
    if (fresh) yield 'deleteall\n';
  }
  for (const [index, { path }] of files.entries()) yield `M 100644 :${index + 2} ${path}\n`;
  yield '\n';
  for (let mark = 1; mark <= files.length + 1; mark += 1) yield `get-mark :${mark}\n`;
  yield 'done\n';
}

function* data(bytes: Uint8Array): Iterable<Uint8Array | string> {
  yield `data ${bytes.length}\n`;
  yield bytes;
  yield '\n';
}

/** Anything else could be an option, or a refspec that deletes the branch. */
function checkedId(id: string): string {
  if (!isId.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of a commit.`);
  return id;
}

export const stateFile = 'almanac.state.json';
const logFolder = 'log';
const digits = 12;
/** More than a run writes between two states. */
const maxEntries = 100_000;

export function entryPath(n: number): string {
  return `${logFolder}/${String(n).padStart(digits, '0')}.json`;
}

/** One commit of the branch. */
export interface LogCommit {
  readonly id: string;
  /** The number of the first entry in `log/`. */
  readonly low: number;
  /** The number of the entry that the commit added. */
  readonly high: number;
  /** The object of each entry, from the first on. */
  readonly blobs: readonly string[];
}

/**
 * `commit` is its header and what follows; `files` are as `git ls-tree -r -l -z` lists them. Throws Failure state-unreadable if the
 * commit is not one of Almanac's.
 */
function readLogCommit(id: string, commit: string, files: string, name: string): LogCommit {
  const all = files
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode, blob = '', size, path = ''] = /^(\d+) \w+ ([0-9a-f]+) +([-\d]+)\t(.*)$/s.exec(line) ?? [];
      return { mode, blob, size: Number(size), path };
    });
  const entries = all.filter(({ path }) => path !== stateFile);
  const stray = entries.find(({ path }) => numberIn(path) === undefined);
  if (stray !== undefined) throw foreign(name, `it also holds ${JSON.stringify(stray.path.slice(0, 100))}`);
  const special = all.find(({ mode }) => mode !== plainFile);
  if (special !== undefined) throw foreign(name, `${special.path} is not a plain file`);
  const large = all.find(({ size }) => size > maxOfFile);
  if (large !== undefined) throw foreign(name, `${large.path} is larger than what Almanac writes`);
  const low = numberIn(entries[0]?.path ?? '') ?? 0;
  if (low < 1) throw foreign(name, `its folder ${logFolder} holds no entries`);
  if (entries.length > maxEntries) throw foreign(name, `its folder ${logFolder} holds more than ${maxEntries} entries`);
  if (entries.some(({ path }, index) => numberIn(path) !== low + index))
    throw foreign(name, `its folder ${logFolder} has a gap`);
  const high = low + entries.length - 1;
  const parents = commit.split('\n\n', 1)[0]?.match(/^parent /gm)?.length ?? 0;
  if (parents !== (high === 1 ? 0 : 1)) throw foreign(name, 'its history does not fit its entries');
  return { id, low, high, blobs: entries.map(({ blob }) => blob) };
}

const plainFile = '100644';

function numberIn(path: string): number | undefined {
  const [, number] = /^log\/(\d{12})\.json$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

function foreign(name: string, why: string): Failure {
  return new Failure('state-unreadable', `The newest commit of ${name} was not written by Almanac: ${why}.`, {
    hint: 'Set `state.branch` in almanac.yaml to a branch that only Almanac writes. If it was this one, restore its last commit by Almanac.',
  });
}
