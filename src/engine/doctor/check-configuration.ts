// Whether almanac.yaml and the declarations are valid. What is wrong with the base URL is left to its own check.

import type { Config } from '../../model/workspace/config.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import { countOf } from '../../render/text/count-words.ts';
import type { Loaded } from '../load/load.ts';
import type { LoadedConfig } from '../load/load-config.ts';
import { failed, passed, type Verdict } from './verdict.ts';

/** Undefined where almanac.yaml has an error other than in the base URL. */
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
    const hint = [first.hint ?? '', 'almanac validate shows every error with its place.'].join(' ').trimStart();
    return failed(`${where}${first.message}${more}`, hint);
  }
  const sources = `${countOf(files.length, 'source file')}, ${countOf(desired.resources.length, 'resource')}`;
  const warnings = findings.filter(
    (finding) => severityOf(finding) === 'warning' && finding.accepted === undefined && !isSaidElsewhere(finding),
  ).length;
  const listed = warnings === 0 ? '' : ` ${countOf(warnings, 'warning')}: almanac validate.`;
  return passed(`${configFile ?? 'No almanac.yaml'}; ${sources}.${listed}`);
}

export function errorsIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => severityOf(finding) === 'error' && !isAboutBaseUrl(finding));
}

function isAboutBaseUrl({ code }: Finding): boolean {
  return code === 'base-url-conflict' || code === 'invalid-base-url';
}

/** By the check of the secrets. */
function isSaidElsewhere({ code }: Finding): boolean {
  return code === 'missing-variable';
}
