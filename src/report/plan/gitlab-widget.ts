// A plan as GitLab's widget of a merge request takes it (artifacts:reports:terraform): how much is created, updated and
// deleted, and nothing else, because everybody who sees the project may read the file.

import type { PlanDocument } from '../../model/plan/plan.ts';
import { renderJson } from '../text/render-json.ts';

/**
 * A replaced resource is created, and with operations full the old one deleted; what runs once is created. What happens
 * in the state alone isn't counted. Ends with a newline.
 */
export function renderGitlabWidget({ summary, operations }: PlanDocument): string {
  return renderJson({
    create: summary.create + summary.replace + summary.run,
    update: summary.update,
    delete: summary.delete + (operations === 'full' ? summary.replace : 0),
  });
}
