// The pipeline step before the work: chooses the fault that strikes the request, waits for latencies, and ends the
// request if the fault strikes before the work. Later faults are left to send-answer.ts.

import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import type { Step } from './exchange.ts';
import { checkFault, type Fault, isOfRuns, statusOf } from './fault.ts';
import { basePath } from './route-request.ts';
import { strikesOf } from './strike.ts';

/** Throws a BadFault. If several faults strike one request, only the first is applied, plus all latencies. */
export function injectFaults(faults: readonly Fault[]): Step {
  for (const fault of faults) checkFault(fault);
  const ofRequests = faults.filter((fault) => !isOfRuns(fault));
  const rules = ofRequests.map((fault) => ({ fault, strikes: strikesOf(fault) }));
  return async (exchange) => {
    const request = { method: exchange.method, path: exchange.path.slice(basePath.length) };
    const struck = rules.filter(({ strikes }) => strikes(request)).map(({ fault }) => fault);
    const latencies = struck.filter(({ fault }) => fault === 'latency');
    const fault = struck.find((known) => !latencies.includes(known)) ?? latencies[0];
    if (fault === undefined) return undefined;
    exchange.fault = fault;
    for (const { ms } of latencies) await wait(ms, undefined, { ref: false });
    return answerBefore(fault);
  };
}

function answerBefore(fault: Fault): Answer | undefined {
  if (fault.fault === 'drop-before') return { status: 0, body: undefined };
  return fault.fault.endsWith('-after') ? undefined : errorOf(fault);
}

/** The answer of a status fault; undefined for other faults. */
export function errorOf({ fault, retryAfter }: Fault): Answer | undefined {
  const status = statusOf(fault);
  if (status === undefined) return undefined;
  return {
    status,
    headers: retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) },
    body: { detail: `A fault on request:  ${fault}`, status },
  };
}
