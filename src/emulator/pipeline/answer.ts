// An answer of the emulator: a status, headers and a JSON body. A refusal is thrown, so that a rule deep inside an
// operation can end the request; the pipeline turns it into the service's error body.

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
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
    return {
      status: error.status,
      headers: error.headers,
      body: { detail: error.message, status: error.status },
    };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 500, body: { detail: `This is a bug of the emulator: ${reason}`, status: 500 } };
}
