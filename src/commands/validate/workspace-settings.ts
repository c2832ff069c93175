// The settings of almanac.yaml that `validate` reports.

import { equalJson } from '../../model/values/json.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { ValidateDocument } from '../../model/workspace/validate-document.ts';
import { makeConfig } from '../../parse/parse-config.ts';

type Workspace = NonNullable<ValidateDocument['workspace']>;

const usual = makeConfig({}, undefined, undefined);

/** What a change of almanac.yaml could weaken before another change: the action compares it with the base branch. */
export function settingsOf({ safety, ignore, checks }: Config): Pick<Workspace, 'safety' | 'ignore' | 'checks'> {
  const limits = Object.entries(safety).filter(
    ([name, value]) => !equalJson(value, usual.safety[name as keyof Config['safety']]),
  );
  return {
    ...(limits.length === 0 ? {} : { safety: Object.fromEntries(limits) }),
    ...(ignore.length === 0 ? {} : { ignore }),
    ...(Object.keys(checks).length === 0 ? {} : { checks }),
  };
}
