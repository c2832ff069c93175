// The connection to the PostgreSQL server: opened when it is first used, and again after it was lost. What runs on it
// may be repeated, since nothing about the session matters: each statement is a transaction of its own, so that a pooler
// may give each to another connection.

import type { Socket } from 'node:net';
import type { Options, Sql } from 'postgres';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Clock } from '../../../ports/clock.ts';
import { openSocket } from './open-socket.ts';
import type { ServerAddress } from './postgres-address.ts';
import { explain, type ServerError, timedOut } from './postgres-error.ts';

export type PostgresPackage = (options: Options<Record<never, never>>) => Sql;
export type Work<T> = (sql: Sql) => Promise<T>;

/** The server failed for good, or at every try. */
export class ServerRefusal extends Error {
  readonly why: ServerError;

  constructor(why: ServerError) {
    super(why.words);
    this.name = 'ServerRefusal';
    this.why = why;
  }
}

export interface ConnectionOptions {
  readonly address: ServerAddress;
  readonly postgres: PostgresPackage;
  readonly clock: Clock;
  /** How long a try may take, connecting included. */
  readonly patienceMs: number;
}

interface Session {
  readonly sql: Sql;
  /** Destroys the socket, even one that is still connecting. */
  readonly cut: AbortController;
}

const tries = 5;
const firstPauseMs = 250;
/** How long the server may take to end a connection that is idle. */
const goodbyeSeconds = 0.2;

export class PostgresConnection {
  readonly #options: ConnectionOptions;
  #session: Session | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Does the work, up to five times if it fails in a way that may pass. Throws ServerRefusal, the Failure of a certificate
   * that cannot be read, or the reason of the signal; that is looked at before each try.
   */
  async run<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
    for (let count = 1, pause = firstPauseMs; ; count += 1, pause *= 2) {
      signal?.throwIfAborted();
      const session = this.#open();
      try {
        return await this.#inTime(work(session.sql));
      } catch (error) {
        const why = explain(error);
        if (!why.keepsConnection) this.#drop(session);
        if (error instanceof Failure) throw error;
        if (!why.passes || count === tries || this.#isClosed) throw new ServerRefusal(why);
        await this.#options.clock.sleep(pause, signal);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const session = this.#session;
    this.#session = undefined;
    await session?.sql.end({ timeout: goodbyeSeconds }).catch(() => undefined);
    session?.cut.abort();
  }

  #open(): Session {
    if (this.#isClosed) throw new Error('The log of the state was closed.');
    this.#session ??= this.#connect();
    return this.#session;
  }

  #drop(session: Session): void {
    if (this.#session === session) this.#session = undefined;
    session.cut.abort();
    session.sql.end({ timeout: 0 }).catch(() => undefined);
  }

  /**
   * Each session has one socket. If it is lost, the package may not open another: the next try does. The package would
   * forget a socket that closes and could then still write to it, in a callback of its own, where nothing catches the
   * error. So it does not learn of the end: the session ends instead, and rejects what is under way.
   */
  #connect(): Session {
    const { address, postgres } = this.#options;
    const cut = new AbortController();
    const socket = async (): Promise<Socket> => {
      const opened = await openSocket(address, cut.signal);
      // After the package has attached its listeners.
      process.nextTick(() => opened.removeAllListeners('close').once('close', () => this.#drop(session)));
      return opened;
    };
    const options = { ...settings(address), socket };
    const session = { cut, sql: postgres(options) };
    return session;
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = Object.assign(new Error('timed out'), { code: timedOut });
      timer = setTimeout(() => reject(error), this.#options.patienceMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** All that the package would otherwise take from the environment is said here. */
function settings({ user, password, database, options }: ServerAddress) {
  return {
    host: 'localhost',
    port: 5432,
    user,
    password: () => password,
    database,
    ssl: false,
    max: 1,
    prepare: false,
    debug: false,
    fetch_types: false,
    // Its timers would keep the process alive; each try has its own.
    connect_timeout: 0,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { application_name: 'almanac', options },
  };
}
