// `ended: pause` of `safety.rows`: pauses deliveries whose line of the table has ended.

import { fieldsOf } from '../../model/fields/fields.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, placeOf } from '../../model/workspace/diagnostic.ts';
import type { Resource } from '../../model/workspace/resource.ts';

/** A schedule can be paused only with operations full. */
export function pauseFindings({ api, safety, file = '' }: Pick<Config, 'api' | 'safety' | 'file'>): readonly Finding[] {
  if (safety.rows?.ended !== 'pause' || api.operations === 'full') return [];
  return [
    {
      code: 'paused-needs-full',
      message: 'This workspace uses operations core, which cannot pause a schedule whose permission has ended.',
      hint: 'Set `api: { operations: full }` in almanac.yaml, or remove `ended`.',
      place: placeOf({ file, document: 0, pointer: pointerTo('safety', 'rows', 'ended') }),
    },
  ];
}

/** The resources as planned with `ended: pause`: paused if a line has ended. `findings` are as the team wants them. */
export function pausedWhereEnded(
  resources: readonly Resource[],
  findings: readonly Finding[],
  { safety, deliver }: Pick<Config, 'safety' | 'deliver'>,
): readonly Resource[] {
  // A sink receives it in place of the declared receivers.
  if (safety.rows?.ended !== 'pause' || deliver !== undefined) return resources;
  const ended = new Set(
    findings.flatMap(({ lapsed, severity, address, concerns = [] }) =>
      lapsed === undefined || severity === 'off' ? [] : [address ?? [], concerns].flat(),
    ),
  );
  return resources.map((resource) =>
    ended.has(resource.address) && fieldsOf[resource.kind]['paused'] !== undefined
      ? { ...resource, attributes: { ...resource.attributes, paused: true } }
      : resource,
  );
}
