// The answer to a request. A refusal is thrown, so that a rule deep inside an operation can end the request.

export interface Answer {
  /** Zero if a fault drops the connection. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Sent in place of the body, as the headers name it. */
  readonly file?: Uint8Array;
}

/** A request that the service refuses: becomes `{ detail, status }`. */
export class Rejection extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'Rejection';
    this.status = status;
    this.headers = headers;
  }
}

export function toErrorAnswer(error: unknown): Answer {
  if (error instanceof Rejection) {
    const { status, headers, message: detail } = error;
    return { status, headers, body: { detail, status } };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { detail: `This is a bug of the emulator: ${reason}`, status: 500 } };
}

export function answerOf(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    return toErrorAnswer(error);
  }
}
