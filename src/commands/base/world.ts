// Everything that a command needs from outside. The process (src/process.ts) or a test provides it.

import type { Workspace } from '../../declare/workspace.ts';
import type {
  Clock,
  OpenOutput,
  OpenReceiver,
  OutputFolder,
  ProgressFile,
  Randomness,
  StartProgram,
  Variables,
} from '../../model/outside.ts';
import type { SharedPlace } from '../../model/workspace/state-place.ts';
import type { ConnectApi } from '../../omni/api.ts';
import { withoutWorkflowCommands } from '../../report/text/visible-values.ts';
import type { Advisable } from '../../report/wording.ts';
import type { Checkout } from '../../state/git/checkout.ts';
import type { StateStore } from '../../state/state-store.ts';

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** In columns; 80 if it is not a terminal. */
  readonly width: number;
  /** Aborts when the reader has gone, which shows at the first write after that. */
  readonly closed?: AbortSignal;
}

/** The output for results. The method that a command chooses decides whether the text is guarded. */
interface Results extends Output {
  /** Writes text for people, guarded where a CI runner obeys commands that it finds in the log. */
  write(text: string): void;
  /** Writes a document for programs, or a part of one, byte for byte. */
  data(text: string): void;
}

/** A file of the user's choice that is read once and replaced as a whole. */
export interface DataFile {
  /** Undefined if the file does not exist. */
  read(): Promise<string | undefined>;
  /** Replaces the file in one step, and creates its folder. */
  write(text: string): Promise<void>;
}

/** The answer is undefined if the terminal was closed. */
type Ask = (question: string) => Promise<string | undefined>;

/** Everything that the process hands in. */
export interface Outside {
  readonly version: string;
  /** The version of Node that runs it, or whose behaviour the runtime follows, such as 22.1.0. */
  readonly node: string;
  /** The runtime under its own name, such as Node or Bun. */
  readonly runtime: { readonly name: string; readonly version: string };
  /** The release of its time zone data, such as 2025c; undefined if it does not say. */
  readonly zoneRelease: string | undefined;
  readonly cwd: string;
  /** This machine's zone, as Intl names it. Asking is slow, so a start-up that does not need it should not. */
  timeZone(): string;
  readonly environment: (name: string) => string | undefined;
  /** All variables, for code that hands them to another program. */
  readonly variables: Variables;
  readonly startProgram: StartProgram;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Asks on the terminal; undefined if there is none. A start-up that asks nothing should not open it. */
  asker(): Ask | undefined;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Aborts at the first signal that asks the process to end. */
  readonly signal: AbortSignal;
  /** The signal ends the search for files. */
  openWorkspace(options: {
    readonly cwd: string;
    readonly config?: string;
    readonly signal: AbortSignal;
  }): Promise<Workspace>;
  /**
   * A state in a file. `path` is absolute, `name` as users know it; `within` is a folder that the path must not leave.
   * The signal ends reading.
   */
  openState(options: {
    readonly path: string;
    readonly name: string;
    readonly within?: string;
    readonly signal?: AbortSignal;
  }): Promise<StateStore>;
  /**
   * A state that many share. `root` is the workspace's absolute folder. Connects to nothing yet. The signal ends
   * reading.
   */
  openSharedState(options: {
    readonly place: SharedPlace;
    readonly root: string;
    /** The places that are read at the same time, this one included: one question for all of a remote. */
    readonly together?: readonly SharedPlace[];
    readonly signal?: AbortSignal;
  }): Promise<StateStore>;
  /** `root` is the workspace's absolute folder. */
  openCheckout(root: string, signal?: AbortSignal): Promise<Checkout>;
  /** `path` is absolute, `name` as users know it; no link is followed below the folder `within`. */
  openProgress(options: {
    readonly path: string;
    readonly name: string;
    readonly within?: string;
  }): Promise<ProgressFile>;
  /** `path` is relative to `cwd`; no link is followed below the folder `within`. */
  openDataFile(path: string, within?: string): DataFile;
  /** A folder for files that are written piece by piece. Throws Failure usage if it cannot be written. */
  openOutput(folder: OutputFolder): Promise<OpenOutput>;
  /** `path` is absolute. */
  isFolder(path: string): Promise<boolean>;
  /** The names of the folders in an absolute folder, without links; empty if it cannot be read. */
  foldersIn(path: string): Promise<readonly string[]>;
  /** Locates an absolute folder, existing or not, in its repository; undefined outside of one. */
  placeInRepository(folder: string): Promise<{ readonly root: string; readonly folder: string } | undefined>;
  readonly connect: ConnectApi;
  readonly openReceiver: OpenReceiver;
  /** The bytes of a file, relative to `cwd`, or of the standard input. Throws Failure usage if it cannot be read. */
  readBytes(path: string | undefined): Promise<Uint8Array>;
}

export interface World extends Outside {
  readonly stdout: Results;
  advisable(): readonly Advisable[];
}

export function isCi(environment: Outside['environment']): boolean {
  return !['', 'false'].includes(environment('CI') ?? '');
}

/**
 * Gives a command its ways to print. GitHub Actions and Azure DevOps obey commands that they find in the log, so text
 * for people is made harmless there. Documents for programs are written unchanged, annotations included: their renderer
 * escapes what users wrote.
 */
export function guardLog(outside: Outside): Omit<World, 'advisable'> {
  const { stdout, stderr } = outside;
  const isLogObeyed = ['GITHUB_ACTIONS', 'TF_BUILD'].some((name) => /^true$/i.test(outside.environment(name) ?? ''));
  const forPeople = (output: Output): Output => withWrite(output, isLogObeyed ? guarded(output) : output.write);
  return {
    ...outside,
    stdout: Object.assign(forPeople(stdout), { data: stdout.write }),
    stderr: forPeople(stderr),
  };
}

const guarded = (output: Output) => (text: string) => output.write(withoutWorkflowCommands(text));

/** Does not ask for the width yet, because that opens the stream. */
function withWrite(output: Output, write: Output['write']): Output {
  return {
    write,
    get isTerminal() {
      return output.isTerminal;
    },
    get width() {
      return output.width;
    },
    ...(output.closed === undefined ? {} : { closed: output.closed }),
  };
}

// Keeps a command that serves requests running until it is interrupted.

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
