// Loads a workspace in memory and returns its diagnostics.

import { type Loaded, type LoadOptions, load } from '../../../src/declare/load/load.ts';
import { placeFindings } from '../../../src/declare/load/place-findings.ts';
import type { Diagnostic } from '../../../src/model/workspace/diagnostic.ts';
import { makeInstantClock } from '../fake-clock.ts';
import { makeMemoryWorkspace } from '../memory-workspace.ts';

type Files = Readonly<Record<string, string>>;

/** `time`: an instant, such as `2027-03-31T23:59:59Z`. */
export interface LoadingOptions extends Pick<LoadOptions, 'ended' | 'environmentName'> {
  readonly time?: string;
}

export function loadFiles(
  files: Files,
  paths?: readonly string[],
  { time = '2026-11-21T00:00:00Z', ...rest }: LoadingOptions = {},
): Promise<Loaded> {
  const clock = makeInstantClock(Date.parse(time));
  return load({ workspace: makeMemoryWorkspace(files), environment: () => undefined, clock, paths, ...rest });
}

export async function diagnosticsOf(
  files: Files,
  paths?: readonly string[],
  options?: LoadingOptions,
): Promise<readonly Diagnostic[]> {
  const loaded = await loadFiles(files, paths, options);
  return placeFindings(loaded.findings, loaded);
}

export const schedule = (key: string, more = '') =>
  `  ${key}: { identifier: 12db1a0a, name: ${key}, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email, recipients: [ana@example.com], subject: x${more} }\n`;
