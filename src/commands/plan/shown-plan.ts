// A plan as it is printed. What Omni wrote is masked; what is declared is not, because a reviewer approves it: a variable
// that happens to hold somebody's address must not hide that address. The secrets of declarations are sealed anyway.

import type { Shown } from '../../engine/propose/known-secrets.ts';
import type { Danger } from '../../model/plan/danger.ts';
import type { Change, PlanDocument } from '../../model/plan/plan.ts';

export function shownPlan(document: PlanDocument, shown: Shown): PlanDocument {
  const { changes, dangers, ...rest } = document;
  return {
    // First, because it decides the order in which the document is printed.
    ...document,
    ...shown(rest),
    dangers: dangers.map((danger) => shownDanger(danger, shown)),
    changes: changes.map((change) => shownChange(change, shown)),
  };
}

function shownChange(change: Change, shown: Shown): Change {
  const { before, diff, ownedBy, blocked } = change;
  return {
    ...change,
    before: shown(before),
    diff: diff.map((each) => ({ ...each, ...(each.before === undefined ? {} : { before: shown(each.before) }) })),
    ...(ownedBy === undefined ? {} : { ownedBy: shown(ownedBy) }),
    ...(blocked === undefined ? {} : { blocked: shown(blocked) }),
    // The state alone is brought in line with what was observed.
    ...(change.reason === 'refreshed' ? shown({ after: change.after, diff }) : {}),
  };
}

/** Recipients, hosts, owners and variables that are declared are named in full. */
const aboutDeclared = /^(?:outside|inside|new)-|^recipient-added$|^secret-elsewhere$/;

function shownDanger(danger: Danger, shown: Shown): Danger {
  return aboutDeclared.test(danger.code) ? danger : shown(danger);
}
