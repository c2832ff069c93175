// Sends an answer, or what is left of it after a fault that strikes after the work.

import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import type { Fault } from './fault.ts';
import { errorOf } from './inject-faults.ts';

/** Larger than any answer of the service. */
const hugeBytes = 10_000_000;

const notJson = '<html><head><title>Please wait</title></head><body>One moment &hellip;</body></html>';

const idFields = ['id', 'jobId', 'scheduledTaskId'];

/** The answer for the client; status 0 if the connection is dropped without an answer. */
export function disturb(answer: Answer, fault: Fault | undefined): Answer {
  switch (fault?.fault) {
    case 'drop-before':
    case 'drop-after':
      return { status: 0, body: undefined };
    case '500-after':
    case '502-after':
    case '503-after':
    case '504-after':
      return errorOf(fault) ?? answer;
    case 'no-id':
      return { ...answer, body: withoutIds(answer.body) };
    case 'huge':
      return { ...answer, body: { ...asObject(answer.body), padding: 'x'.repeat(hugeBytes) } };
    default:
      return answer;
  }
}

export function sendAnswer(
  response: ServerResponse,
  { status, headers, body }: Answer,
  fault: Fault | undefined,
): void {
  if (status === 0) {
    response.destroy();
  } else if (fault?.fault === 'garbage') {
    response.writeHead(status, { 'Content-Type': 'text/html' });
    response.end(notJson);
  } else {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      ...headers,
    });
    if (fault?.fault !== 'cut') response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }
}

function withoutIds(body: unknown): object {
  return Object.fromEntries(Object.entries(asObject(body)).filter(([name]) => !idFields.includes(name)));
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
