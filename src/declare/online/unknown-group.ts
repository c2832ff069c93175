// A finding for a user group name that does not mean exactly one group. Only groups with access to a dashboard count.

import { groupById } from '../../model/fields/ids.ts';
import type { Principal } from '../../model/service/remote.ts';
import { command } from '../../model/values/command.ts';
import { pointerTo } from '../../model/values/pointer.ts';
import { quote } from '../../model/values/words.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { findingAt } from '../../model/workspace/field-place.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { didYouMean } from '../findings/suggest.ts';

/** `groups` have access to the dashboard. The finding is at the place of the name, if the resource is known. */
export function unknownGroupFinding(
  text: string,
  groups: readonly Principal[],
  dashboard: string,
  resource: Resource | undefined,
): Finding {
  return { ...groupWords(text, groups, dashboard), ...(resource && placeOfGroup(resource, text)) };
}

/** The finding about a name where Omni does not say who has access to the dashboard. */
export function groupNotTold(text: string, resource: Resource | undefined): Finding {
  return {
    code: 'not-read',
    message: `Omni does not show who has access to the dashboard, so ${quote(text)} could not be checked.`,
    hint: 'See that the token may view the dashboard, and run again.',
    ...(resource && placeOfGroup(resource, text)),
  };
}

function groupWords(
  text: string,
  groups: readonly Principal[],
  dashboard: string,
): Pick<Finding, 'code' | 'message' | 'hint'> {
  const code = 'unknown-group';
  const named = groups.filter(({ name }) => name === text);
  const [one, ...otherGroups] = named;
  if (one === undefined) {
    const names = groups.map(({ name }) => name);
    const suggestion = didYouMean(text, names);
    return {
      code,
      message: `No user group called \`${text}\` has access to the dashboard ${dashboard}. Upper and lower case count.`,
      hint: `${suggestion ?? `Write a name that \`${command('list groups', '--dashboard', dashboard)}\` prints.`} If a different group is meant, give it access to the dashboard in Omni, or write its id.`,
    };
  }
  const ids = named.map(({ id }) => id).join(', ');
  return otherGroups.length > 0
    ? {
        code,
        message: `${named.length} user groups called \`${text}\` have access to the dashboard ${dashboard}: ${ids}.`,
        hint: 'Write the id of the group that is meant.',
      }
    : {
        code,
        message: `Omni lists the user group \`${text}\` with \`${one.id}\`, which is not a UUID, so Almanac cannot tell whether schedules take it.`,
        hint: `Write the id of the group, a UUID; or, if schedules take this one, \`${groupById(one.id)}\`.`,
      };
}

export function placeOfGroup(resource: Resource, text: string): ReturnType<typeof findingAt> {
  const list = resource.attributes['userGroups'];
  const index = Array.isArray(list) ? list.indexOf(text) : -1;
  return findingAt(resource, index < 0 ? pointerTo('userGroups') : pointerTo('userGroups', index));
}
