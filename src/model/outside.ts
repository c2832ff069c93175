// The outside world: time, randomness, progress, kept lines, outputs, and a webhook receiver.

import type { ApplyEvent } from './plan/apply-outcome.ts';
import type { JsonObject } from './values/json.ts';

/** The environment of the process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Runs the program once more in this process, with exactly these variables and no terminal, and hands on what it writes.
 * Resolves to its exit code. Throws Failure interrupted if a signal came before. Runs must not overlap.
 */
export type StartProgram = (
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly onStdout: (text: string) => void;
    readonly onStderr: (text: string) => void;
  },
) => Promise<number>;

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some moment, on a clock that nobody sets; it may stand still while the machine sleeps. */
  monotonic(): number;
  /** Resolves after that many milliseconds, or at once when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface Randomness {
  uuid(): string;
  /** This many random bytes as base64. */
  bytes(count: number): string;
}

export interface Reporter {
  emit(event: ApplyEvent): void;
}

export interface ProgressFile {
  /** The name used in messages. */
  readonly name: string;
  /** Returns undefined if there is no file. Ignores an incomplete last line of a killed run. Throws Failure refused. */
  read(): Promise<readonly JsonObject[] | undefined>;
  /** Calls may overlap. Throws Failure refused if the file cannot be written. */
  append(line: JsonObject): Promise<void>;
  /** Waits for pending writes and keeps the file. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

export interface ReceivedRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The exact bytes; undefined if the body is larger than the receiver accepts. */
  readonly body: Uint8Array | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: object;
}

export interface ReceiverOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Bytes. */
  readonly largestBody: number;
  readonly onRequest: (request: ReceivedRequest) => Promise<Reply>;
}

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

/** Throws Failure usage if the address cannot be used. */
export type OpenReceiver = (options: ReceiverOptions) => Promise<Receiver>;

/** A file that is written piece by piece beside its place, and takes it when it is whole. */
export interface GrowingFile {
  /** Forgets what it has. */
  restart(): void;
  /** It is written when this returns. Throws Failure usage. */
  write(piece: Uint8Array): void;
  /** Bytes so far. */
  size(): number;
  /** The first bytes, at most 64. */
  head(): Uint8Array;
  /** Puts it in its place. Throws Failure usage, and refused where something is there and it does not overwrite. */
  put(name: string): Promise<void>;
  /** Writes it to the standard output, byte for byte. */
  copyOut(): Promise<void>;
  /** Removes it, unless it was put in its place. */
  drop(): Promise<void>;
}

export interface OutputFolder {
  /** Absolute, or undefined for a folder of the system that nobody else reads. It is created. */
  readonly path: string | undefined;
  /** The folder below which no link is followed. */
  readonly within?: string;
  /** True if git ignores the content of the output. */
  readonly ignored?: boolean;
  readonly overwrites: boolean;
}

export interface OpenOutput {
  isThere(name: string): boolean;
  /** Readable by its owner only. */
  create(): Promise<GrowingFile>;
  close(): Promise<void>;
}
