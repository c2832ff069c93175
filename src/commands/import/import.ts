// `almanac import`: what exists in Omni as declarations.

import { importSchedules } from '../../engine/import/import-schedules.ts';
import { load } from '../../engine/load/load.ts';
import { environmentNames } from '../../engine/load/load-config.ts';
import { withService } from '../../engine/service/service.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { renderImport } from '../../render/apply/import-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { schemaText } from '../../render/text/schema-text.ts';
import { type SchemaSettings, workspaceSchema } from '../../validate/workspace-schema.ts';
import { pageOf } from '../base/page.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openProgress, openSessionAnywhere, openState } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { ImportOptions } from './command.ts';
import { importReporter } from './import-progress.ts';

export async function importCommand(world: World, options: ImportOptions): Promise<number> {
  const session = await openSessionAnywhere(world, options);
  const { workspace, loaded } = session;
  const { environment, clock } = world;
  const reporter = importReporter(world, options, session.shown);
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
      store: await openState(world, options, session, options.writeState === true ? 'changes' : 'reads'),
      progress: await openProgress(world, options, session, 'import'),
      environment,
      clock,
      randomness: world.randomness,
      reporter,
      toolVersion: world.version,
      schemaText: (settings: SchemaSettings) =>
        schemaText(workspaceSchema(publishedSchemas['resources'] ?? {}, settings)),
      identifiers: options.identifier ?? [],
      dashboards: options.dashboards === true,
      folder: options.out === undefined ? undefined : workspace.locate(options.out),
      writeState: options.writeState === true,
      resume: options.resume === true,
      force: options.force === true,
      signal: world.signal,
    };
    const imported = await withService(serviceOptions(world, loaded, reporter), (service) =>
      importSchedules({ ...asked, service }),
    );
    const document = session.shown(imported);
    const page = {
      ...pageOf(world.stdout, world, options),
      writesState: options.writeState === true,
      isOnlyEnvironment: (await environmentNames(workspace)).length === 0,
    };
    if (options.format === 'json') world.stdout.data(renderJson(document));
    else world.stdout.write(renderImport(document, page));
    return 0;
  } finally {
    reporter.end();
  }
}
