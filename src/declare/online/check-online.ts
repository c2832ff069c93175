// Compares the declarations with what the service reports. Pure: the requests were made before.

import type { ServiceView } from '../../model/service/documents.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { placeOfField } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { RuleFinding } from '../findings/rule.ts';
import { dashboardCheck } from './check-dashboard.ts';
import { checkIds, type DashboardReferences } from './check-ids.ts';

export function checkAgainstService(declared: readonly DashboardReferences[], view: ServiceView): readonly Finding[] {
  const checkDashboard = dashboardCheck(view);
  return declared.flatMap((each) => {
    const wrong = checkDashboard(each);
    const findings = wrong === undefined ? [...notChecked(each, view), ...checkIds(each, view)] : [wrong];
    return findings.map((finding) => placed(finding, each.resource));
  });
}

function notChecked({ identifier, references }: DashboardReferences, view: ServiceView): readonly RuleFinding[] {
  const asked = [
    ...(references.some(({ named }) => named !== 'query') ? [view.ids.get(identifier.id)] : []),
    ...(references.some(({ named }) => named === 'query') ? [view.queries.get(identifier.id)] : []),
  ];
  return asked.flatMap((answer) =>
    answer !== undefined && 'refused' in answer
      ? [
          {
            code: 'not-checked',
            message: `The declarations for this dashboard could not be checked. ${identifier.isSecret ? 'The service refused to return it.' : answer.refused}`,
            pointer: identifier.pointer,
          },
        ]
      : [],
  );
}

/** The place of the value, which may be in a default that several resources share. */
function placed({ pointer, at, ...words }: RuleFinding, resource: Resource): Finding {
  const { isInherited, ...places } = placeOfField(resource, pointer, { at });
  return { ...words, address: isInherited ? undefined : resource.address, ...places };
}
