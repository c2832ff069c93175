// The two places of a move: the one that almanac.yaml names, and the one that has the state so far.

import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { placeName, type StatePlace } from '../../model/workspace/state-place.ts';
import { makeConfig } from '../../parse/parse-config.ts';
import { parsePlace, placeForms } from '../../parse/parse-place.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { validateConfigValue } from '../../validate/validate-config.ts';
import type { GlobalOptions } from '../base/command.ts';
import type { Run } from '../base/run.ts';

/** Where a state is unless almanac.yaml says otherwise. */
const usualFile = 'local:almanac.state.json';

export interface Places {
  readonly from: StateStore;
  readonly to: StateStore;
  /** Whether a commit has to go with the move, because the old place is a file of the workspace. */
  readonly fromFile: boolean;
  readonly toFile: boolean;
}

/** Throws Failure usage where `from` is not a place, or is the one that almanac.yaml names. */
export async function openPlaces(run: Run, options: GlobalOptions, from: string | undefined): Promise<Places> {
  if (options.state !== undefined) {
    throw new Failure('usage', '--state names a file for one command, and a move is for every command.', {
      hint: 'Name the old place with --from and the new one in almanac.yaml.',
    });
  }
  const workspace = await run.workspace();
  await run.requireWorkspace();
  const { state, api } = await run.config();
  if (from === undefined && state.backend === 'local') {
    throw new Failure('usage', `almanac.yaml keeps the state in ${state.path}; say where it is so far.`, {
      hint: `To move it to a shared place, name that place under \`state\` in almanac.yaml first. To move it back to the file, add --from with one of ${placeForms}.`,
    });
  }
  const old = placeNamed(from ?? usualFile, api.timeout);
  if (placeName(old) === placeName(state)) {
    throw new Failure('usage', `The state cannot be moved from ${placeName(state)} to itself.`, {
      hint: 'almanac.yaml names the new place under `state`, and --from the old one.',
    });
  }
  const open = (place: StatePlace): Promise<StateStore> =>
    place.backend === 'local'
      ? run.openState({ path: `${workspace.root}/${place.path}`, name: place.path, within: workspace.root })
      : run.openSharedState({ place, root: workspace.root });
  return {
    from: await open(old),
    to: await open(state),
    fromFile: old.backend === 'local',
    toFile: state.backend === 'local',
  };
}

/** By the same rules as almanac.yaml. No message repeats the text: a URL in it may hold a password. */
function placeNamed(text: string, timeout: number): StatePlace {
  const state = parsePlace(text);
  if (state === undefined) throw new Failure('usage', '--from is not a place of a state.', { hint: wayToWrite });
  const findings = validateConfigValue({ state }, { file: '--from', document: 0, pointer: '' }, undefined);
  const [wrong] = findings;
  if (hasErrors(findings) && wrong !== undefined)
    throw new Failure('usage', `--from: ${wrong.message}`, { hint: wrong.hint ?? wayToWrite });
  return makeConfig({ api: { timeout }, state }, undefined, undefined).state;
}

const wayToWrite = `Write one of ${placeForms}. Other settings of almanac.yaml follow a question mark, as in s3://acme-state/almanac?region=eu-central-1.`;
