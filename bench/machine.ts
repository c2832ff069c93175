// What a run was measured on, in one line.

import { availableParallelism, cpus, totalmem } from 'node:os';
import { version } from '../src/version.ts';

export function describeMachine(now: Date): string {
  const day = now.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const cores = `${availableParallelism()} ${availableParallelism() === 1 ? 'core' : 'cores'}`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${day}, version ${version}, Node ${process.version.slice(1)} on ${process.platform}, ${cores} of ${processor}, ${memory}`;
}
