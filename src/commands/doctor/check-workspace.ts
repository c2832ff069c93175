// Checks the Almanac version, the files and the secrets of a workspace. The files are almanac.yaml, the declarations,
// the schemas for editors and the nightly job.

import { unsetVariables } from '../../apply/check-secrets.ts';
import type { Loaded } from '../../declare/load/load.ts';
import type { Environment, LoadedConfig } from '../../declare/load/load-config.ts';
import { dashboardsToWatch } from '../../declare/rows/on-dashboards.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { State } from '../../model/plan/state.ts';
import { command } from '../../model/values/command.ts';
import { equalJson, type Json } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { configSchemaFile, editorFolder, resourcesSchemaFile } from '../../model/workspace/source-draft.ts';
import { keyingOf, secretsOf } from '../../plan/fingerprints.ts';
import { requestsToLookDeep } from '../../plan/looks.ts';
import { editorSchemaText } from '../../report/text/editor-schema.ts';
import { supportedNode } from '../../version.ts';
import { oldZonesWords } from '../base/cron-words.ts';
import type { Run } from '../base/run.ts';
import { failed, passed, skipped, together, type Verdict, warned } from './verdict.ts';

/** `declared` is empty if the declarations cannot be read. */
export function checkVersions(
  { version: almanac, node, runtime, zoneRelease }: Pick<Run, 'version' | 'node' | 'runtime' | 'zoneRelease'>,
  state: State | undefined,
  declared: readonly Resource[],
): Verdict {
  const zones = zoneRelease === undefined ? '' : ` with time zones of ${zoneRelease}`;
  const runtimeWords = `almanac ${almanac} on ${runtime.name} ${runtime.version}${zones}.`;
  if (isOlder(node, supportedNode.replace(/^>=\s*/, ''))) {
    return failed(runtimeWords, `Almanac needs Node ${supportedNode}. Run it with a newer version of Node.`);
  }
  const inUse = declared.map(({ attributes }) => attributes['timezone']);
  const oldZones = oldZonesWords(inUse, { runtime, zoneRelease });
  return together([
    passed(runtimeWords),
    ...(oldZones === undefined
      ? []
      : [warned(oldZones, `A newer release of ${runtime.name} may have newer time zones.`)]),
    ...(state === undefined || !isOlder(almanac, state.toolVersion)
      ? []
      : [
          warned(
            `The state was written by almanac ${state.toolVersion}, which is newer.`,
            'Use the same version everywhere: an older one does not know what the newer one has recorded.',
          ),
        ]),
  ]);
}

/** The schemas that `almanac init` wrote for editors: after an upgrade they explain the earlier version. */
export function checkEditorSchemas(workspace: Pick<Workspace, 'exists' | 'read'>, config: Config): readonly Verdict[] {
  const schemas = [
    [resourcesSchemaFile, 'resources'],
    [configSchemaFile, 'almanac'],
  ] as const;
  const old = schemas.filter(
    ([file, name]) => workspace.exists(file) && !holds(workspace, file, editorSchemaText(name, config)),
  );
  if (old.length === 0) return [];
  const files = old.map(([file]) => file).join(' and ');
  const isOne = old.length === 1;
  return [
    warned(
      `Editors read ${files}, which ${isOne ? 'is' : 'are'} of another version of Almanac or of almanac.yaml.`,
      `\`${command('schema', '--workspace', '--out', editorFolder)}\` writes ${isOne ? 'it' : 'them'} again.`,
    ),
  ];
}

function holds(workspace: Pick<Workspace, 'read'>, file: string, wanted: string): boolean {
  const read = workspace.read(file);
  try {
    return 'text' in read && equalJson(JSON.parse(read.text) as Json, JSON.parse(wanted) as Json);
  } catch {
    return false;
  }
}

/** The minutes that the runner needs before the look and after it. */
const spareMinutes = 5;

/** Checks the GitHub job of `almanac init`, at the repository's root: one that is too short is killed every night. */
export function checkNightlyJob(
  workspace: Pick<Workspace, 'exists' | 'read'>,
  { api: { rateLimit, operations }, safety }: Config,
  state: State | undefined,
  resources: readonly Resource[],
): readonly Verdict[] {
  const file = '.github/workflows/almanac-drift.yml';
  const read = operations === 'full' && workspace.exists(file) ? workspace.read(file) : undefined;
  const allowed = read !== undefined && 'text' in read ? /^ +timeout-minutes: (\d+)$/m.exec(read.text)?.[1] : undefined;
  if (allowed === undefined || rateLimit === 0) return [];
  const layouts = dashboardsToWatch(resources, safety);
  const requests = requestsToLookDeep(state, { refresh: { depth: 'deep', only: true } }) + layouts.size;
  const needed = Math.ceil(requests / rateLimit) + spareMinutes;
  if (needed <= Number(allowed)) return [];
  return [
    warned(
      `A deep look takes ${countOf(requests, 'request')}, at ${rateLimit} a minute, and ${file} ends it after ${allowed} minutes.`,
      `Write \`timeout-minutes: ${needed}\` there.`,
    ),
  ];
}

/** Checks the GitHub job of `almanac init` for an apply: after a rename of the default branch, no merge starts it. */
export async function checkApplyJob(
  workspace: Pick<Workspace, 'exists' | 'read'>,
  defaultBranch: () => Promise<string | undefined>,
): Promise<readonly Verdict[]> {
  const file = '.github/workflows/almanac-apply.yml';
  const read = workspace.exists(file) ? workspace.read(file) : undefined;
  const text = read !== undefined && 'text' in read ? read.text : '';
  const [, listed] = /^ +branches: \[([^\]]+)\] *$/m.exec(text) ?? [];
  const branches = listed?.split(',').map((each) => each.trim().replace(/^(['"])(.*)\1$/, '$2'));
  if (branches === undefined || branches.some((each) => /[*?+[!]/.test(each))) return [];
  const branch = await defaultBranch();
  if (branch === undefined || branches.includes(branch)) return [];
  return [
    warned(
      `${file} starts for pushes to ${branches.join(', ')}, and the default branch is ${branch}: a merge there applies nothing.`,
      `Write \`${branch}\` into its \`branches\`.`,
    ),
  ];
}

/** Compares major, minor and patch. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const parts = version.split('.', 3).map((part) => Number.parseInt(part, 10) || 0);
  return [0, 1, 2].map((index) => parts[index] ?? 0);
}

/** Undefined if almanac.yaml has an error other than in the base URL. */
export function usableConfig({ findings, usable }: LoadedConfig): Config | undefined {
  return errorsIn(findings).length === 0 ? usable : undefined;
}

export function baseUrlError(findings: readonly Finding[]): Finding | undefined {
  return findings.find(isAboutBaseUrl);
}

export function checkConfiguration(configFile: string | undefined, loaded: Loaded): Verdict {
  const { findings, files, desired } = loaded;
  const [first, ...others] = errorsIn(findings);
  if (first !== undefined) {
    const where = first.place === undefined ? '' : `${first.place.file}: `;
    const more = others.length === 0 ? '' : ` There ${others.length === 1 ? 'is' : 'are'} ${others.length} more.`;
    const hint = [first.hint ?? '', `${command('validate')} shows every error with its place.`].join(' ').trimStart();
    return failed(`${where}${first.message}${more}`, hint);
  }
  const sources = `${countOf(files.length, 'source file')}, ${countOf(desired.resources.length, 'resource')}`;
  // The check of the secrets reports missing variables.
  const said = findings.filter(({ accepted, code }) => accepted === undefined && code !== 'missing-variable');
  const warnings = said.filter((finding) => severityOf(finding) === 'warning').length;
  const listed = warnings === 0 ? '' : ` ${countOf(warnings, 'warning')}: ${command('validate')}.`;
  return passed(`${configFile ?? 'No almanac.yaml'}; ${sources}.${listed}`);
}

function errorsIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => severityOf(finding) === 'error' && !isAboutBaseUrl(finding));
}

function isAboutBaseUrl({ code }: Finding): boolean {
  return code === 'base-url-conflict' || code === 'emulator-token' || code === 'invalid-base-url';
}

export interface DeclaredHere {
  readonly loaded: Loaded;
  readonly settings: LoadedConfig;
}

export function checkSecrets(
  { loaded, settings }: DeclaredHere,
  environment: Environment,
  state: State | undefined,
): Verdict {
  const unset = unsetVariables(loaded.desired, environment);
  if (unset.length > 0) {
    const names = unset.map(({ name, addresses }) => `${name} (${countOf(addresses.length, 'resource')})`);
    return failed(
      `Not set, or empty: ${names.join(', ')}.`,
      `Set ${names.length === 1 ? 'it' : 'them'} where ${command('apply')} runs.`,
    );
  }
  // Some names may be missing.
  if (usableConfig(settings) === undefined || errorsIn(loaded.findings).length > 0)
    return skipped('Not every declaration could be read: see the configuration.');
  const set = new Set(secretsOf(loaded.desired).flatMap(({ variables }) => variables)).size;
  const found = passed(
    set === 0 ? 'The declarations need none.' : `${countOf(set, 'variable')} ${set === 1 ? 'is' : 'are'} set.`,
  );
  const keying = keyingOf({ state, salt: state?.salt ?? '', key: loaded.stateKey, resends: false });
  return together([found, ...keying.findings.map(({ message, hint = '' }) => warned(message, hint))]);
}
