// Checks the files of states that `ignore` names: each must be a state of this organization.

import { type State, stateSchema } from '../../model/plan/state.ts';
import { parseJson } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import type { Workspace } from '../workspace.ts';

/** A state at another place than a file is read only by the runs that need it. */
export function checkIgnoredFiles(config: Config, workspace: Workspace): readonly Finding[] {
  const { file = '', ignore } = config;
  return ignore.flatMap(({ state: place }, index): readonly Finding[] => {
    if (place?.backend !== 'local') return [];
    const fault = faultOf(place.path, workspace, config);
    const at = placeOf({ file, document: 0, pointer: pointerTo('ignore', index, 'state') });
    return fault === undefined ? [] : [{ code: 'ignored-state', ...fault, place: at }];
  });
}

type Fault = Required<Pick<Finding, 'message' | 'hint'>>;

function faultOf(path: string, workspace: Workspace, config: Config): Fault | undefined {
  const read = workspace.readInRepository(path);
  if ('finding' in read) {
    const { message, hint = '' } = read.finding;
    return { message, hint };
  }
  let state: State;
  try {
    state = checkedDocument(stateSchema, parseJson(read.text), (problem) => new NotAState(problem));
  } catch (error) {
    if (!(error instanceof NotAState)) throw error;
    return {
      message: `${path} is not the state of a workspace: ${error.message}.`,
      hint: 'Name the file in which the other workspace keeps its state, such as `../finance/almanac.state.json`.',
    };
  }
  const { baseUrl } = state;
  const known = organizationsOf(config);
  if (known.includes(undefined) || known.includes(baseUrl)) return undefined;
  return {
    message: `${path} is the state of ${baseUrl}, and this workspace is about ${known.join(', ')}.`,
    hint: 'Remove the entry: what another organization has is never untracked here. Or correct the path.',
  };
}

class NotAState extends Error {}

/** Undefined for one that is not known in this run. */
function organizationsOf({ api, environment, environments, organizations }: Config): Config['organizations'] {
  if (environments.length === 0) return [api.baseUrl];
  return organizations.map((baseUrl, index) => (environments[index] === environment ? api.baseUrl : baseUrl));
}
