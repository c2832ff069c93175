// `almanac validate`: parses and checks every source, or only the named ones.

import { diagnosticReport } from '../../engine/load/diagnostic-report.ts';
import type { Loaded } from '../../engine/load/load.ts';
import { placeFindings } from '../../engine/load/place-findings.ts';
import { refuseWithoutEnvironment } from '../../engine/load/require-environment.ts';
import { unreadSources } from '../../engine/load/sources.ts';
import { placeName } from '../../model/workspace/state-place.ts';
import type { ValidateDocument } from '../../model/workspace/validate-document.ts';
import { withOnlineFindings } from '../base/online.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';
import type { ValidateOptions } from './command.ts';
import { renderValidation } from './validate-reports.ts';
import { settingsOf } from './workspace-settings.ts';

/** The variables in which CI systems name the folder of the checkout. */
const checkoutFolders = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'];

export async function validate(run: Run, options: ValidateOptions, paths: readonly string[]): Promise<number> {
  const { report = [], strict = false } = options;
  await run.checkFiles(report.map(({ file }) => file));
  const session = await run.load({ paths });
  const { workspace } = session;
  if (options.online) refuseWithoutEnvironment(session.loaded.missingEnvironment);
  const loaded = await checkedOnline(run, options, session);
  const unread = paths.length === 0 ? await unreadSources(workspace, loaded.files) : [];
  const placed = await placeFindings([...loaded.findings, ...unread], loaded.fileNamed, loaded.desired.loops);
  const diagnostics = options.online ? session.shown(placed) : placed;
  const open = diagnostics.filter(({ accepted }) => accepted === undefined);
  const count = (severity: string) => open.filter((diagnostic) => diagnostic.severity === severity).length;
  const [errors, warnings, accepted] = [count('error'), count('warning'), diagnostics.length - open.length];
  const valid = errors === 0 && !(strict && warnings > 0);
  const summary = {
    files: loaded.files.length,
    resources: loaded.desired.resources.length,
    errors,
    warnings,
    accepted,
  };
  const document: ValidateDocument = { formatVersion: 1, valid, summary, ...placeOf(loaded), diagnostics };
  const roots = checkoutFolders.flatMap((name) => run.environment(name) || []);
  const validation = {
    document,
    source: loaded,
    forPrograms: diagnosticReport({
      toolVersion: run.version,
      strict,
      diagnostics,
      files: loaded.files,
      configFile: workspace.configFile,
      folder: workspace.inRepository(roots),
    }),
  };
  await run.publish(options, (format, page) => renderValidation(format, validation, page));
  return valid ? 0 : 1;
}

/** Left out if there is no almanac.yaml, or if it has errors. */
function placeOf({ config }: Loaded): Pick<ValidateDocument, 'workspace'> {
  if (config?.file === undefined) return {};
  const { api, state } = config;
  const backend = state.backend === 'local' ? {} : { backend: state.backend };
  return { workspace: { baseUrl: api.baseUrl ?? null, state: placeName(state), ...backend, ...settingsOf(config) } };
}

async function checkedOnline(run: Run, options: ValidateOptions, { loaded, shown }: Session): Promise<Loaded> {
  if (!options.online || loaded.config === undefined) return loaded;
  return run.asking({ loaded, reporter: progressReporter(run, shown) }, (service) =>
    withOnlineFindings(run, options, loaded, service),
  );
}
