// `almanac import`: what exists in Omni as declarations.

import { importReporter, renderImport } from '../base/import-text.ts';
import type { Run } from '../base/run.ts';
import type { ImportOptions } from './command.ts';
import { importSchedules } from './import-schedules.ts';

export async function importCommand(run: Run, options: ImportOptions): Promise<number> {
  const session = await run.loadAnywhere();
  const { workspace, loaded } = session;
  const writesState = options.writeState === true;
  const reporter = importReporter(run, session.shown);
  try {
    const store = await run.store(session, writesState ? 'changes' : 'reads');
    const progress = await run.progress(session, 'import');
    const folder = options.out === undefined ? undefined : workspace.locate(options.out);
    const imported = await run.asking({ loaded, reporter }, (service) =>
      importSchedules({ ...run, workspace, loaded, options, folder, store, progress, service, reporter }),
    );
    const document = session.shown(imported);
    const isOnlyEnvironment = loaded.config?.environments.length === 0;
    run.print(options.format, document, (page) => renderImport(document, { ...page, writesState, isOnlyEnvironment }));
    return 0;
  } finally {
    reporter.end();
  }
}
