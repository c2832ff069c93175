// Follows the AI jobs of an apply to their end. Polls each of them every few seconds.

import type { ApplyPorts } from '../../apply/apply-request.ts';
import type { ApplyDocument, ApplyResult, JobEnd } from '../../model/plan/apply-outcome.ts';
import type { RemoteAiJob } from '../../model/service/remote.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { inParallel, retryWhileNew } from '../../observe/sending.ts';
import type { Service } from '../../observe/service.ts';

interface FollowOptions extends Pick<ApplyPorts, 'service' | 'clock' | 'reporter'> {
  readonly signal: AbortSignal;
  /** In seconds, until following ends. */
  readonly timeout: number;
}

/** Seconds before the first poll, and the longest pause between later polls, as the service recommends. */
const [firstPause, longestPause] = [2, 5];

const ends: readonly string[] = ['COMPLETE', 'FAILED', 'CANCELLED'];

/** Throws Failure usage with operations core. */
export function checkCanFollow(config: Config | undefined): void {
  if (config === undefined || config.api.operations === 'full') return;
  throw new Failure('usage', 'With operations core an AI job can be started, but not followed.', {
    hint: 'Set `api: { operations: full }` in almanac.yaml, or leave out --wait. Nothing was sent.',
  });
}

export function hasSucceeded(job: JobEnd | undefined): boolean {
  return job === undefined || job.state === 'COMPLETE';
}

/** Adds the end of every AI job to the outcome. Does not throw if a job fails. */
export async function followJobs(document: ApplyDocument, options: FollowOptions): Promise<ApplyDocument> {
  const jobs = document.results.filter(isJob);
  if (jobs.length === 0) return document;
  options.reporter.emit({ type: 'following', jobs: jobs.length });
  const ended = await follow(jobs, options);
  const results = document.results.map((result): ApplyResult => {
    const job = isJob(result) ? ended.get(result.id) : undefined;
    return job === undefined ? result : { ...result, job };
  });
  return { ...document, results };
}

type Job = ApplyResult & { readonly id: string };

function isJob(result: ApplyResult): result is Job {
  return result.action === 'run' && result.status === 'applied' && result.id !== undefined;
}

async function follow(
  jobs: readonly Job[],
  { service, clock, signal, timeout, reporter }: FollowOptions,
): Promise<ReadonlyMap<string, JobEnd>> {
  const api = await service.api();
  const begun = clock.monotonic();
  const createdAt = new Date(clock.now()).toISOString();
  const reported = new Map<string, string>();
  const ended = new Map<string, JobEnd>();
  const end = ({ id, address }: Job, job: JobEnd) => {
    ended.set(id, job);
    reporter.emit({ type: 'job-ended', address, end: job });
  };
  const poll = async (job: Job) => {
    const { id, address } = job;
    let found: RemoteAiJob;
    try {
      found = await retryWhileNew({ clock, createdAt, signal }, () => api.getAiJob(id, { signal }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const message = `The status of ${address} cannot be read. ${error.message}`;
      return end(job, endUnknown({ code: error.code, message }));
    }
    const { state, progress, error, resultSummary } = found;
    if (ends.includes(state)) {
      const message = [error?.message, error?.detail].filter(Boolean).join(': ');
      return end(job, { state, resultSummary, error: error && { code: error.code, message } });
    }
    const said = `${state} ${progress?.message}`;
    if (reported.get(id) === said) return;
    reported.set(id, said);
    reporter.emit({ type: 'job-progress', address, state, message: progress?.message });
  };
  for (let round = 0; ended.size < jobs.length; round++) {
    const open = jobs.filter(({ id }) => !ended.has(id));
    await clock.sleep(pauseBefore(round, open.length, service) * 1000, signal);
    const why = signal.aborted
      ? interrupted
      : clock.monotonic() - begun > timeout * 1000
        ? tooLong(timeout)
        : undefined;
    if (why === undefined) await inParallel(open, service.concurrency, poll);
    else for (const job of open) end(job, endUnknown(why));
  }
  return ended;
}

/** In seconds; longer if the rate limit does not allow that many polls. */
function pauseBefore(round: number, jobs: number, { rateLimit }: Service): number {
  const usual = Math.min(firstPause + round, longestPause);
  return rateLimit === 0 ? usual : Math.max(usual, (jobs * 60) / rateLimit);
}

function endUnknown(error: { readonly code: string; readonly message: string }): JobEnd {
  return { state: null, error };
}

const interrupted = { code: 'interrupted', message: 'Interrupted before it ended; the job keeps running.' };

function tooLong(seconds: number): { readonly code: string; readonly message: string } {
  return {
    code: 'timeout',
    message: `It did not end within ${seconds} s; the job keeps running. Wait longer with --wait=SECONDS.`,
  };
}
