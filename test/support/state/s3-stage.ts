// A log of a state in the S3 double. Every sleep on its clock passes at once.

import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { S3Place } from '../../../src/model/workspace/state-place.ts';
import { openS3Log } from '../../../src/state/s3/s3-log.ts';
import type { NewEntry, StateLog } from '../../../src/state/state-log.ts';
import { type InstantClock, makeInstantClock } from '../fake-clock.ts';
import { placeOf } from './place-of.ts';
import { type S3Double, type S3DoubleOptions, startS3Double } from './s3-double.ts';

export interface S3Stage {
  readonly double: S3Double;
  readonly clock: InstantClock;
  readonly place: S3Place;
  /** As another machine opens it. */
  open(
    environment?: Readonly<Record<string, string>>,
    place?: Partial<S3Place>,
    mostEntries?: number,
  ): Promise<StateLog>;
}

export async function s3Stage(options: S3DoubleOptions = {}): Promise<S3Stage> {
  const double = await startS3Double(options);
  onTestFinished(() => double.close());
  const clock = makeInstantClock(Date.now());
  const place = placeOf({
    backend: 's3',
    bucket: double.bucket,
    prefix: 'almanac/production',
    endpoint: double.endpoint,
  });
  return {
    double,
    clock,
    place,
    open: async (environment = double.keys, changed = {}, mostEntries) => {
      const options = { place: { ...place, ...changed }, root: '/', clock, environment, timeoutMs: 1000, mostEntries };
      const log = await openS3Log(options);
      onTestFinished(() => log.close());
      return log;
    },
  };
}

export function entryOf(kind: NewEntry['kind'] = 'lines'): NewEntry {
  const id = randomUUID();
  return { id, kind, bytes: new TextEncoder().encode(JSON.stringify({ v: 1, id, n: 1, kind })), title: 'A test' };
}

/** What a promise was rejected with, as one text. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('nothing failed'),
    (failed: unknown) => failed,
  );
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error ? ` ${String(error.hint)}` : '';
  return `${'code' in error ? String(error.code) : error.name}: ${error.message}${hint}`;
}
