// Loads a workspace in memory and returns its diagnostics.

import { type Loaded, load } from '../../../src/declare/load/load.ts';
import { placeFindings } from '../../../src/declare/load/place-findings.ts';
import type { Diagnostic } from '../../../src/model/workspace/diagnostic.ts';
import { makeInstantClock } from '../fake-clock.ts';
import { makeMemoryWorkspace } from '../memory-workspace.ts';

type Files = Readonly<Record<string, string>>;

export function loadFiles(files: Files, paths?: readonly string[]): Promise<Loaded> {
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  return load({ workspace: makeMemoryWorkspace(files), environment: () => undefined, clock, paths });
}

export async function diagnosticsOf(files: Files, paths?: readonly string[]): Promise<readonly Diagnostic[]> {
  const loaded = await loadFiles(files, paths);
  return placeFindings(loaded.findings, loaded.fileNamed);
}

export const schedule = (key: string, more = '') =>
  `  ${key}: { identifier: 12db1a0a, name: ${key}, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email, recipients: [ana@example.com], subject: x${more} }\n`;
