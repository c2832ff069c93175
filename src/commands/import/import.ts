// `almanac import`: what exists in Omni as declarations.

import { load } from '../../declare/load/load.ts';
import { environmentNames } from '../../declare/load/load-config.ts';
import { type SchemaSettings, workspaceSchema } from '../../declare/workspace-schema.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { schemaText } from '../../report/text/schema-text.ts';
import { importReporter, renderImport } from '../base/import-text.ts';
import type { Run } from '../base/run.ts';
import type { ImportOptions } from './command.ts';
import { importSchedules } from './import-schedules.ts';

export async function importCommand(run: Run, options: ImportOptions): Promise<number> {
  const session = await run.loadAnywhere();
  const { workspace, loaded } = session;
  const { environment, clock } = run;
  const reporter = importReporter(run, session.shown);
  try {
    const asked = {
      loaded,
      reload: (values: ReadonlyMap<string, string>) =>
        load({
          workspace,
          environment: (name) => values.get(name) ?? environment(name),
          clock,
          environmentName: options.env,
        }),
      workspace,
      store: await run.store(session, options.writeState === true ? 'changes' : 'reads'),
      progress: await run.progress(session, 'import'),
      environment,
      clock,
      randomness: run.randomness,
      reporter,
      toolVersion: run.version,
      schemaText: (settings: SchemaSettings) =>
        schemaText(workspaceSchema(publishedSchemas['resources'] ?? {}, settings)),
      identifiers: options.identifier ?? [],
      dashboards: options.dashboards === true,
      folder: options.out === undefined ? undefined : workspace.locate(options.out),
      writeState: options.writeState === true,
      resume: options.resume === true,
      force: options.force === true,
      signal: run.signal,
    };
    const imported = await run.asking({ loaded, reporter }, (service) => importSchedules({ ...asked, service }));
    const document = session.shown(imported);
    const page = {
      ...run.page(),
      writesState: options.writeState === true,
      isOnlyEnvironment: (await environmentNames(workspace)).length === 0,
    };
    run.print(options.format, document, () => renderImport(document, page));
    return 0;
  } finally {
    reporter.end();
  }
}
