// Omni may hold filter values that are not in the form of a filter: an example of its API is one. They are declared as they
// are, so the error about them is lowered in almanac.yaml.

import { deliveryFilters, isFilter } from '../../declare/rules/filter-shape.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import type { ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { editYaml } from '../../yaml/edit/edit-yaml.ts';
import { configOrder } from '../../yaml/format/source-order.ts';
import type { Importing } from './import.ts';

/** The configuration with what almanac.yaml says from now on. */
export async function allowFilters(
  sources: readonly SourceDraft[],
  { config, loaded, workspace, reporter }: Importing,
): Promise<Config> {
  const odd = sources.flatMap(({ resources: { schedules = [] } }) => schedules).filter(hasOddFilter);
  if (odd.length === 0 || config.checks['filter-shape'] !== undefined) return config;
  // An import needs operations full, which only a file can say.
  const { path, text: before } = loaded.fileNamed(config.file ?? '') ?? { path: 'almanac.yaml', text: '' };
  const edits = [{ document: 0, pointer: '/checks/filter-shape', value: 'warning' }];
  const after = editYaml(before, edits, configOrder);
  const found = `${countOf(odd.length, 'schedule')}, such as ${odd[0]?.key}, ${odd.length === 1 ? 'has' : 'have'} a filter value that is not in the form of a filter. It is declared as Omni has it.`;
  const line = '`checks: { filter-shape: warning }`';
  if (after === undefined) {
    reporter.emit({ type: 'note', message: `${found} To allow that, write ${line} in ${path}.` });
    return config;
  }
  await workspace.replace(path, before, after);
  reporter.emit({ type: 'note', message: `${found} To allow that, ${path} now says ${line}.` });
  return { ...config, checks: { ...config.checks, 'filter-shape': 'warning' } };
}

function hasOddFilter({ fields }: ResourceDraft): boolean {
  const filters = fields.find(({ name }) => name === 'filterConfig')?.value;
  return isJsonObject(filters) && !Object.values(filters).every((filter) => isFilter(filter, deliveryFilters));
}
