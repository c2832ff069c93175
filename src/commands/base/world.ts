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
import { withoutWorkflowCommands } from '../../report/text/workflow-commands.ts';
import type { Advisable } from '../../report/wording.ts';
import type { Checkout } from '../../state/git/checkout.ts';
import type { StateStore } from '../../state/state-store.ts';

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns; 80 if it is not a terminal. */
  readonly width: number;
  /** Aborts when the reader has gone, which shows at the first write after that. */
  readonly closed?: AbortSignal;
}

/** Where results go. A command chooses the method by what it prints, and that decides whether the text is guarded. */
interface Results extends Output {
  /** Text for people. It is guarded where a CI runner obeys commands that it finds in the log. */
  write(text: string): void;
  /** A document for programs, or a part of one, byte for byte. */
  data(text: string): void;
}

/** A file of the user's choice that is read once and replaced as a whole. */
export interface DataFile {
  /** Undefined if it does not exist. */
  read(): Promise<string | undefined>;
  /** In one step. Creates its folder. */
  write(text: string): Promise<void>;
}

/** Undefined if the terminal was closed. */
type Ask = (question: string) => Promise<string | undefined>;

/** What the process hands in. */
export interface Outside {
  readonly version: string;
  /** The version of Node that runs it or that it behaves like, such as 22.1.0. */
  readonly node: string;
  /** By its own name, such as Node or Bun. */
  readonly runtime: { readonly name: string; readonly version: string };
  /** The release of the time zones that it has, such as 2025c; undefined where it does not say. */
  readonly zoneRelease: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  /** Of this machine, as Intl names it; a start-up that does not need it should not wait for it. */
  timeZone(): string;
  readonly environment: (name: string) => string | undefined;
  /** All of it, for what hands it on to another program. */
  readonly variables: Variables;
  readonly startProgram: StartProgram;
  readonly stdout: Output;
  readonly stderr: Output;
  /** What asks on the terminal, undefined if there is none; a start-up that asks nothing should not open it. */
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
  /** A state in a file. `path` is absolute, `name` as users know it; `within`: the folder that it must not lead out of. The signal ends what it reads. */
  openState(options: {
    readonly path: string;
    readonly name: string;
    readonly within?: string;
    readonly signal?: AbortSignal;
  }): Promise<StateStore>;
  /** A state that many share. `root`: the folder of the workspace, absolute. Connects to nothing yet. The signal ends what it reads. */
  openSharedState(options: {
    readonly place: SharedPlace;
    readonly root: string;
    readonly signal?: AbortSignal;
  }): Promise<StateStore>;
  /** `root`: the folder of the workspace, absolute. */
  openCheckout(root: string, signal?: AbortSignal): Promise<Checkout>;
  /** `path` is absolute, `name` as users know it; `within`: the folder below which no link is followed. */
  openProgress(options: {
    readonly path: string;
    readonly name: string;
    readonly within?: string;
  }): Promise<ProgressFile>;
  /** Relative to `cwd`. `within`: the folder below which no link is followed. */
  openDataFile(path: string, within?: string): DataFile;
  /** A folder for files that are written piece by piece. Throws Failure usage where it cannot be written. */
  openOutput(folder: OutputFolder): Promise<OpenOutput>;
  /** Absolute. */
  isFolder(path: string): Promise<boolean>;
  /** The names of the folders in a folder, without links; none where it cannot be read. Absolute. */
  foldersIn(path: string): Promise<readonly string[]>;
  /** Where a folder is in its repository, whether the folder exists or not; undefined outside of one. Absolute. */
  placeInRepository(folder: string): Promise<{ readonly root: string; readonly folder: string } | undefined>;
  readonly connect: ConnectApi;
  readonly openReceiver: OpenReceiver;
  /** The bytes of a file, relative to `cwd`, or of the standard input. Throws Failure usage if it cannot be read. */
  readBytes(path: string | undefined): Promise<Uint8Array>;
}

/** What a command is given. */
export interface World extends Outside {
  readonly stdout: Results;
  /** All commands that a message may advise. */
  advisable(): readonly Advisable[];
}

/** Whether a CI system runs it. */
export function isCi(environment: Outside['environment']): boolean {
  return !['', 'false'].includes(environment('CI') ?? '');
}

/**
 * Gives a command its ways to print. GitHub Actions and Azure DevOps obey commands that they find in the log, so there
 * text for people is made harmless. A document for programs is written unchanged, annotations included: their renderer
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
