// Dangers in what dashboards make of the filters of reports that a plan sends. What counts as an error is grave.

import type { DashboardFinding } from '../../declare/rows/on-dashboards.ts';
import { addressWords, type DangerCode, type Gravity } from '../../model/plan/danger.ts';
import { countOf } from '../../model/values/words.ts';
import { severityOf } from '../../model/workspace/diagnostic.ts';
import { onlyTakes } from '../requests.ts';
import type { DangerRule } from './world.ts';

const titles = {
  'filters-joined': 'joins filters of reports, so that they let more rows through',
  'tile-unfiltered': 'has tiles that a filter of reports does not limit',
  'pages-left-out': 'has pages that a PDF or PNG lacks',
} as const satisfies Partial<Record<DangerCode, string>>;

export const madeOfFilters: DangerRule = (steps, { dashboards = [] }) => {
  if (dashboards.length === 0) return [];
  const sent = new Set(
    steps.flatMap(({ change, calls }) => (calls.some((call) => !onlyTakes(call)) ? change.address : [])),
  );
  const touched = dashboards.flatMap((each) => {
    const isBrought = each.by !== undefined && sent.has(each.by);
    const reports = each.reports.filter((address) => isBrought || sent.has(address));
    return reports.length === 0 ? [] : [{ ...each, reports }];
  });
  return (Object.keys(titles) as (keyof typeof titles)[]).flatMap((code) =>
    (['grave', 'caution'] as const).map((gravity) => {
      const of = touched.filter((each) => each.finding.code === code && gravityOf(each) === gravity);
      return {
        code,
        gravity,
        title: `${countOf(of.length, 'dashboard')} ${titles[code]}`,
        items: of.map(({ identifier, what, reports }) => ({
          subject: identifier,
          detail: `${what}, in ${addressWords(reports)}`,
        })),
      };
    }),
  );
};

function gravityOf({ finding }: DashboardFinding): Gravity {
  return severityOf(finding) === 'error' ? 'grave' : 'caution';
}
