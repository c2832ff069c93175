// Which comments of a pull request are those of this action for one environment: by their first line and their author.
// Others may write the same line, and are not believed.

export function ownComments(comments, identity, author = process.env.ALMANAC_COMMENT_AUTHOR) {
  const login = author || 'github-actions[bot]';
  return comments.filter(({ body, user }) => user?.login === login && String(body ?? '').startsWith(`${identity} `));
}
