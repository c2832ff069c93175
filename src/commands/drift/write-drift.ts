// `almanac drift --write`: writes changes that others made in Omni into the source files. It chooses their places,
// proves the edits, then writes the files, each as a whole and only if nobody changed it since it was read.

import { parsedOnce } from '../../declare/load/load-again.ts';
import { valuePlaces } from '../../declare/value-places.ts';
import { environmentWords, type InEnvironment } from '../../edit/in-environment.ts';
import { openProposals } from '../../edit/propose.ts';
import { type FileToWrite, writeFiles } from '../../edit/write-files.ts';
import type { DriftDocument, DriftedField, NotWritten, WrittenField } from '../../model/plan/drift-document.ts';
import { groupBy } from '../../model/values/collections.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { hasErrors, type SourceFile } from '../../model/workspace/diagnostic.ts';
import { tokensIn } from '../../observe/token-source.ts';
import { secretsOf } from '../../plan/fingerprints.ts';
import { trackedAs } from '../../plan/match.ts';
import type { Proposal } from '../../plan/proposal.ts';
import { selectMatches } from '../../plan/selection.ts';
import { makeLocator } from '../../yaml/locate.ts';
import { loadEverywhere } from '../base/every-environment.ts';
import type { Run, Session } from '../base/run.ts';
import { choosePlaces } from './choose-place.ts';
import { driftedField, driftGoals } from './drift-goals.ts';
import { fileOf, type PlaceEdit } from './place-edit.ts';
import { driftProposal } from './prove-edits.ts';

interface DriftToWrite {
  readonly session: Session;
  readonly proposal: Proposal;
}

export interface WrittenDrift extends Required<Pick<DriftDocument, 'written' | 'notWritten'>> {
  readonly alsoReadBy: readonly string[];
}

export async function writeDrift(run: Run, { session, proposal }: DriftToWrite): Promise<WrittenDrift> {
  const workspace = parsedOnce(session.workspace);
  const { inputs, observation, selection } = proposal;
  const { written } = selection;
  if (observation === undefined) throw new Error('drift was written without a look at the service');
  const { loaded, config, desired } = inputs;
  const { fileNamed } = loaded;
  const named = written && new Set(written);
  const matches = selectMatches(inputs, written).filter(
    (entry) => named === undefined || [entry.address, trackedAs(entry)].some((name) => named.has(name)),
  );
  const { goals, refused } = driftGoals(matches, observation, secretTexts(session, run));
  // A resource of another environment reads the files as well, so a value that it shares is not changed for this one
  // alone.
  const places = valuePlaces({ resources: [...desired.resources, ...(desired.absent ?? [])], fileNamed });
  const byLoop = groupBy(desired.resources, ({ item }) => item?.loop.address);
  const chosen = choosePlaces(goals, {
    places,
    config,
    sources: new Set(loaded.files),
    instancesOf: (loop) => byLoop.get(loop) ?? [],
    readOnlyReason: memoize((path) => workspace.readOnlyReason(path)),
  });
  const current: InEnvironment = {
    name: config.environment,
    loaded,
    state: inputs.state,
    observation,
    inputs: async () => inputs,
    load: (edited) => run.loadFrom(edited, { everywhere: true }),
  };
  const otherEnvironments = chosen.places.length === 0 ? [] : await loadEverywhere(run, workspace, current);
  const valid = otherEnvironments.filter(({ loaded: { findings } }) => !hasErrors(findings));
  const propose = openProposals(workspace, [current, ...valid], loaded);
  const { keptEdits, files, ...proven } = await propose(driftProposal(chosen.places, current, places.documents));
  const unproven = proven.refused.map(({ about, ...why }) => ({
    ...why,
    about: about.flatMap(({ goals: of }) => of.map(driftedField)),
  }));
  await writeFiles(run, workspace, files, 'drift looked at Omni');
  for (const { name } of files.length === 0 ? [] : otherEnvironments.filter((side) => !valid.includes(side)))
    run.say(
      `warning: The declarations of ${environmentWords(name)} have errors, so nobody checked what the edits change there.`,
      run.stderr,
    );
  const { environment } = config;
  const isForAll = ({ place }: PlaceEdit) =>
    environment === undefined ||
    place.kind === 'text-file' ||
    !place.origin.pointer.startsWith(`${pointerTo('environments', environment)}/`);
  return {
    written: sorted(writtenAt(keptEdits, files, fileNamed)),
    notWritten: sorted([...refused, ...chosen.refused, ...unproven].flatMap(notWrittenRows)),
    alsoReadBy: keptEdits.some(isForAll) ? config.environments.filter((name) => name !== environment) : [],
  };
}

function writtenAt(
  edits: readonly PlaceEdit[],
  files: readonly FileToWrite[],
  fileNamed: (path: string) => SourceFile | undefined,
): readonly WrittenField[] {
  const texts = new Map(files.map(({ path, after }) => [path, after]));
  const locator = makeLocator((path) => {
    const text = texts.get(path);
    return text === undefined ? fileNamed(path) : { ...fileNamed(path), path, text };
  });
  const inOrder = [...edits].sort((a, b) => byCodeUnit(fileOf(a), fileOf(b)));
  return inOrder.flatMap((edit) => {
    const { place, goals } = edit;
    const line = place.kind === 'text-file' ? 1 : (locator.locate({ ...place.origin, at: 'key' })?.line ?? 1);
    const file = fileOf(edit);
    return goals.map((goal) => ({ ...driftedField(goal), file, line }));
  });
}

function notWrittenRows({ about, reason, message }: NotWritten): WrittenDrift['notWritten'] {
  return about.map((field) => ({ ...field, reason, message }));
}

function sorted<T extends DriftedField>(fields: readonly T[]): readonly T[] {
  return [...fields].sort((a, b) => byCodeUnit(a.address, b.address) || byCodeUnit(a.path, b.path));
}

/** The tokens that are set, and every secret that is declared. */
function secretTexts({ loaded: { config, desired } }: Session, { environment }: Run): readonly string[] {
  const tokens = config === undefined ? [] : tokensIn(config, environment);
  const declared = secretsOf(desired).flatMap((secret) => secret.revealAll());
  return [...tokens, ...declared].filter(({ length }) => length >= shortestSecret);
}

/** Shorter ones are parts of many words. */
const shortestSecret = 4;
