// `almanac validate`: parses and checks every source, or those that are named.

import type { Connection } from '../engine/connect.ts';
import type { Loaded } from '../engine/load.ts';
import { placeFindings } from '../engine/place-findings.ts';
import type { ValidateDocument } from '../model/validate-document.ts';
import { renderDiagnosticsSummary } from '../render/diagnostics-text.ts';
import { renderJson } from '../render/plan-json.ts';
import { lookConnection } from './look-connection.ts';
import { withOnlineFindings } from './online.ts';
import type { GlobalOptions, OnlineFlags, TextOrJson } from './options.ts';
import { pageOf } from './page.ts';
import { diagnosticsText } from './print-diagnostics.ts';
import { progressReporter } from './progress.ts';
import { openSession } from './session.ts';
import type { World } from './world.ts';

export interface ValidateOptions extends GlobalOptions, OnlineFlags {
  readonly format: TextOrJson;
  readonly strict?: boolean;
}

export async function validate(world: World, options: ValidateOptions, paths: readonly string[]): Promise<number> {
  const loaded = await checkedOnline(world, options, (await openSession(world, options, paths)).loaded);
  const diagnostics = placeFindings(loaded.findings, loaded.fileNamed);
  const count = (severity: string) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const valid = errors === 0 && !(options.strict && warnings > 0);
  const { fileCount } = loaded;
  if (options.format === 'json') {
    const summary = { files: fileCount, resources: loaded.desired.resources.length, errors, warnings };
    const document: ValidateDocument = { formatVersion: 1, valid, summary, diagnostics };
    world.stdout.write(renderJson(document));
  } else {
    const page = pageOf(world.stdout, world, options);
    const text = diagnosticsText(diagnostics, loaded, page);
    world.stdout.write(`${text}${text === '' ? '' : '\n'}${renderDiagnosticsSummary(diagnostics, fileCount)}.\n`);
  }
  return valid ? 0 : 1;
}

async function checkedOnline(world: World, options: ValidateOptions, loaded: Loaded): Promise<Loaded> {
  const { config } = loaded;
  if (!options.online || config === undefined) return loaded;
  const reporter = progressReporter(world, options);
  let connection: Connection | undefined;
  try {
    return await withOnlineFindings(world, options, loaded, () => {
      connection ??= lookConnection(world, config, reporter);
      return connection;
    });
  } finally {
    reporter.end();
    await connection?.close();
  }
}
