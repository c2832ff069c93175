// Finds this action's comments on a pull request for one environment, by their first line and their author. Others may
// write the same line, so their comments do not count.

import { readAuthor } from '../runner/inputs.mjs';

export function ownComments(comments, identity, author = readAuthor()) {
  return comments.filter(({ body, user }) => user?.login === author && String(body ?? '').startsWith(`${identity} `));
}
