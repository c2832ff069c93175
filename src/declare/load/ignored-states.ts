// The states of other workspaces of the repository that `ignore` names. They are read as data, for the ids that they
// track: no setting of their almanac.yaml is used.

import { type State, stateSchema } from '../../model/plan/state.ts';
import { parseJson } from '../../model/values/json.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, placeOf, type WithFindings } from '../../model/workspace/diagnostic.ts';
import { checkedDocument } from '../../yaml/document-problem.ts';
import type { Workspace } from '../workspace.ts';

export interface IgnoredState {
  /** The path in `ignore`, relative to the workspace. */
  readonly path: string;
  readonly state: State;
}

export function readIgnoredStates(config: Config, workspace: Workspace): WithFindings<readonly IgnoredState[]> {
  const { file = '', ignore } = config;
  const value: IgnoredState[] = [];
  const findings: Finding[] = [];
  for (const [index, { state: path }] of ignore.entries()) {
    if (path === undefined) continue;
    const read = readState(path, workspace, config);
    if ('resources' in read) value.push({ path, state: read });
    else {
      const place = placeOf({ file, document: 0, pointer: pointerTo('ignore', index, 'state') });
      findings.push({ code: 'ignored-state', ...read, place });
    }
  }
  return { value, findings };
}

type Fault = Required<Pick<Finding, 'message' | 'hint'>>;

function readState(path: string, workspace: Workspace, config: Config): State | Fault {
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
  if (known.includes(undefined) || known.includes(baseUrl)) return state;
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
