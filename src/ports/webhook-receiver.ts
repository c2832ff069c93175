// Requests from outside, and requests handed on as they came.

export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Byte for byte; undefined where it is larger than the receiver takes. */
  readonly body: Uint8Array | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: object;
}

export interface ReceiverOptions {
  /** 0 is any free one. */
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

/** Throws Failure usage where the address can't be used. */
export type OpenReceiver = (options: ReceiverOptions) => Promise<Receiver>;

/** Sends a request on with its body and headers as they came: the status that was answered, or why there is none. */
export type ForwardRequest = (
  url: string,
  request: ReceivedRequest & { readonly body: Uint8Array },
) => Promise<{ readonly status: number } | { readonly problem: string }>;
