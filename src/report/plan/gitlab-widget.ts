// A plan for GitLab's widget of a merge request (artifacts:reports:terraform). It only has the numbers of created,
// updated and deleted resources, because everybody who sees the project may read the file.

import type { PlanDocument } from '../../model/plan/plan.ts';
import { renderJson } from '../text/render-json.ts';

/**
 * A replaced resource is created, and with operations full the old one deleted; one that runs once is created. Changes
 * in the state alone are not counted. Ends with a newline.
 */
export function renderGitlabWidget({ summary, operations }: PlanDocument): string {
  return renderJson({
    create: summary.create + summary.replace + summary.run,
    update: summary.update,
    delete: summary.delete + (operations === 'full' ? summary.replace : 0),
  });
}
