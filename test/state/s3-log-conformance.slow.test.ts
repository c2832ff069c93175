// The conformance suite of every log, on a state in S3 on loopback.

import { systemClock } from '../../src/files/system.ts';
import { openS3Log } from '../../src/state/s3/s3-log.ts';
import { runs } from '../support/runs/runs.ts';
import { placeOf } from '../support/state/place-of.ts';
import { startS3Double } from '../support/state/s3-double.ts';
import { conformance } from '../support/state/state-log-conformance.ts';

conformance('S3', async () => {
  const double = await startS3Double();
  const open = () =>
    openS3Log({
      place: placeOf({
        backend: 's3',
        bucket: double.bucket,
        prefix: "almanac/o'brien (é+1)",
        endpoint: double.endpoint,
      }),
      root: '/',
      clock: systemClock,
      environment: double.keys,
    });
  const isEntry = ({ method, key }: { readonly method: string; readonly key: string }) =>
    method === 'PUT' && /\/\d{12}$/.test(key);
  return {
    open,
    again: open,
    races: runs(60),
    faults: {
      loseAnswer: () => double.fail(['lose-answer'], isEntry),
      loseRequest: () => double.fail(['lose-request'], isEntry),
    },
    close: () => double.close(),
  };
});
