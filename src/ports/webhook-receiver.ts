// Receives requests from outside, and forwards them unchanged.

export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
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

/** Forwards a request with its original body and headers. Resolves to the status of the answer, or to the problem. */
export type ForwardRequest = (
  url: string,
  request: ReceivedRequest & { readonly body: Uint8Array },
) => Promise<{ readonly status: number } | { readonly problem: string }>;
