// Finds this action's comments on a pull request for one environment, by their first line and their author. Others may
// write the same line, so their comments do not count.

export function ownComments(comments, identity, author = process.env.ALMANAC_COMMENT_AUTHOR) {
  const login = author || 'github-actions[bot]';
  return comments.filter(({ body, user }) => user?.login === login && String(body ?? '').startsWith(`${identity} `));
}
