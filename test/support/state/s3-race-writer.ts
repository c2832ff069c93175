// One of several processes that race for the numbers of a log in S3: it appends until the log has a total of entries,
// and prints what it has written. `node scripts/run.mjs test/support/state/s3-race-writer.ts PLACE TOTAL`

import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../src/files/system.ts';
import { openS3Log } from '../../../src/state/s3/s3-log.ts';

const [place = '', total = ''] = process.argv.slice(2);
const log = await openS3Log({
  place: JSON.parse(place),
  root: process.cwd(),
  clock: systemClock,
  environment: process.env,
});
const written: string[] = [];
const milliseconds: number[] = [];
let taken = 0;
let at = 0;
for (;;) {
  // Also after a win: who wins would otherwise be ahead of all others for good.
  at = (await log.read(at)).at(-1)?.n ?? at;
  if (at >= Number(total)) break;
  const id = randomUUID();
  const bytes = new TextEncoder().encode(JSON.stringify({ v: 1, id, kind: 'lines', lines: [] }));
  const started = performance.now();
  const outcome = await log.append(at + 1, { id, kind: 'lines', bytes, title: 'A race' });
  milliseconds.push(performance.now() - started);
  if (outcome === 'written') {
    at += 1;
    written.push(`${at} ${id}`);
  } else {
    taken += 1;
  }
}
await log.close();
milliseconds.sort((one, other) => one - other);
const half = milliseconds[Math.floor(milliseconds.length / 2)] ?? 0;
process.stdout.write(JSON.stringify({ written, taken, half }));
