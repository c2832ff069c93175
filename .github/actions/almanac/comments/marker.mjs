// The first line of a comment, which readers do not see: the environment that it belongs to, and what was reviewed: the
// digest of the plan, the commit that was planned, and the digest of each change. The digest is '' if the plan failed.

import { decodeChanges, encodeChanges } from '../reviews/changes.mjs';

/** The part that is the same in all comments for one environment of one workspace. */
export function markerOf({ environment, directory }) {
  return `<!-- almanac:plan environment="${environment}" directory="${attribute(directory)}"`;
}

/** `head` is the commit of the pull request, '' if it is unknown; `changes` are those of the plan document. */
export function firstLine(identity, { digest, head, changes }) {
  return `${identity} digest="${digest}" head="${head}" changes="${encodeChanges(changes)}" -->`;
}

const marker =
  /^(<!-- almanac:plan environment="[^"]*" directory="[^"]*") digest="([0-9a-f]{64})?" head="([0-9a-f]{40,64})?" changes="([^"]*)" -->$/;

/** What a comment's first line says; undefined if it is not the marker of this environment, or is damaged. */
export function reviewIn(body, identity) {
  const [line = ''] = body.split(/\r?\n/, 1);
  const [, found, digest = '', head = '', text = ''] = marker.exec(line) ?? [];
  const changes = found === identity ? decodeChanges(text) : undefined;
  return changes === undefined ? undefined : { digest, head, changes };
}

/** The part before the digest; undefined if the line is not a marker. */
export function identityIn(line) {
  return marker.exec(line)?.[1];
}

/** The commit of the pull request that a marker names; '' if it names none. */
export function headIn(line) {
  return marker.exec(line)?.[3] ?? '';
}

/** Text inside the quotes of a marker: it can end neither them nor the comment. */
export function attribute(text) {
  return encodeURIComponent(text).replace(/[-']/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
