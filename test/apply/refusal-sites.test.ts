// Every refusal in apply, plan and observe, and what it stops.
// That is the whole run, or the one resource that has the trouble.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** By file and function: `whole` stops everything, `one` leaves or fails the change of one resource. */
const sites: Readonly<Record<string, 'whole' | 'one'>> = {
  'apply/apply.ts applyLocked': 'whole',
  'apply/check-against-omni.ts checkAgainstOmni': 'whole',
  'apply/check-against-omni.ts checkPlan': 'whole',
  'apply/check-against-omni.ts tooLarge': 'whole',
  'apply/check-before-asking.ts checkFirst': 'whole',
  'apply/check-before-asking.ts checkReviewed': 'whole',
  'apply/check-secrets.ts checkSecrets': 'whole',
  'apply/check-against-omni.ts keptDraft': 'one',
  'apply/execute.ts request': 'one',
  'apply/execute.ts sendRest': 'one',
  // Of a resource that the state lacks: the state may be lost. Of one that somebody made again: one.
  'apply/judge-claims.ts existing': 'whole',
  // Two ids or more, and more than safety.maxDeletePercent of those that were looked at.
  'apply/judge-claims.ts judgeClaims': 'whole',
  'apply/judge-claims.ts refusalOf': 'one',
  'apply/judge-claims.ts unclearRows': 'whole',
  'apply/other-dashboards.ts leftOnRenamed': 'one',
  'apply/other-dashboards.ts leftOnTaken': 'one',
  'apply/read-back.ts firstNotStored': 'one',
  'apply/read-back.ts leftTest': 'one',
  'apply/read-lists.ts unlisted': 'one',
  'apply/recover.ts ambiguous': 'one',
  // Interrupted.
  'apply/recover.ts lookForAll': 'whole',
  'apply/recover.ts notLookedFor': 'one',
  'apply/recover.ts settleDelete': 'one',
  'apply/recover.ts stillOpen': 'one',
  'apply/resolve-groups.ts leftByUnknownGroup': 'one',
  'apply/resolve-groups.ts leftByTaker': 'one',
  'apply/resolve-groups.ts reasonNotSent': 'one',
  'apply/send-call.ts ownerNotFound': 'one',
  'apply/send-call.ts stillListed': 'one',
  'apply/send-call.ts stoppedByService': 'one',
  'apply/send-call.ts wrongMember': 'one',
  'apply/through-sink.ts refuseUnlessThroughSink': 'whole',
  'apply/trigger.ts blockedBy': 'one',
  'apply/trigger.ts chooseTriggers': 'whole',
  'apply/trigger.ts lookAtTargets': 'whole',
  'apply/trigger.ts refuseMany': 'whole',
  'apply/trigger.ts refuseOutsideSink': 'whole',
  'apply/trigger.ts selectedIn': 'whole',
  'apply/trigger.ts usableConfig': 'whole',
  // With --expect, --fail-fast or a saved plan, one that is left leaves all.
  'apply/leave.ts leave': 'whole',
  'apply/leave.ts leftAsRotation': 'one',
  'apply/leave.ts leftAsUndoing': 'one',
  'apply/leave.ts leftForFollower': 'one',
  'apply/leave.ts leftUnread': 'one',
  'observe/details/answers.ts another': 'whole',
  'observe/details/answers.ts unfinished': 'whole',
  'observe/details/answers.ts unreadable': 'whole',
  'observe/details/read-details.ts readInParallel': 'whole',
  'observe/downloads/render.ts asLongAs': 'whole',
  'observe/downloads/unzip.ts unreadable': 'one',
  // A token of another kind.
  'observe/owners/check-owners.ts needsKey': 'whole',
  'observe/owners/check-owners.ts needsOwner': 'one',
  'observe/owners/check-owners.ts unfit': 'one',
  'observe/owners/owners.ts memberIdOf': 'one',
  'observe/owners/owners.ts ownerIdOf': 'one',
  'observe/owners/owners.ts requireOwner': 'one',
  'observe/service.ts noBaseUrl': 'whole',
  'observe/service.ts requireFullOperations': 'whole',
  'observe/token-source.ts tokenSource': 'whole',
  'plan/block.ts blockedByProtection': 'whole',
  'plan/block.ts blockedBySink': 'whole',
  'plan/dangers/find-dangers.ts blockedBy': 'whole',
  'plan/dangers/find-dangers.ts blockedItems': 'whole',
  'plan/dangers/find-dangers.ts endedDangers': 'whole',
  'plan/guard-plan.ts guardPlan': 'whole',
  // Operations core.
  'plan/open-changes.ts blockedByOpenUpdate': 'whole',
  // Operations core; with operations full it leaves one.
  'plan/open-changes.ts blockedByUnresolved': 'whole',
  'plan/plan.ts refreshWork': 'whole',
  'plan/plan.ts unresolvedWork': 'whole',
  'plan/plan.ts workOn': 'whole',
  'plan/saved-plan.ts checkEnvironment': 'whole',
  'plan/saved-plan.ts readSavedPlan': 'whole',
  'plan/saved-plan.ts stale': 'whole',
  'plan/saved-plan.ts unexpected': 'whole',
  'plan/select.ts readAll': 'whole',
  'plan/select.ts resolve': 'whole',
  'plan/select.ts resolveOne': 'whole',
  'plan/selection.ts checkReplaced': 'whole',
  'plan/selection.ts checkWritten': 'whole',
};

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : path;
  });
}

/** The functions in which a line makes a Failure, or calls what refuses or blocks. */
function sitesIn(path: string): readonly string[] {
  let inFunction = '';
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      inFunction = /^(?:export )?(?:async )?(?:function|const|class) (\w+)/.exec(line)?.[1] ?? inFunction;
      const isCode = !/^(?:import|\s*(?:\/\/|\*|\/\*))/.test(line);
      const isSite = isCode && /\b(?:refuse(?:[A-Z]\w*)?|block(?:ed)?[A-Z]\w*|new Failure)\(/.test(line);
      return isSite ? `${path.replace('src/', '')} ${inFunction}` : [];
    });
}

it('each place that refuses says whether it stops the whole run, or the one resource that has the trouble', () => {
  const found = ['src/apply', 'src/plan', 'src/observe'].flatMap(filesIn).flatMap(sitesIn);
  expect([...new Set(found)].sort()).toEqual(Object.keys(sites).sort());
});
