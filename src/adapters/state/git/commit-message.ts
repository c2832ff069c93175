// What people read in the history of the branch.

const longestTitle = 200;

/** On one line. CI systems start nothing for a commit that says so. */
export function messageOf(title: string): string {
  return `${title.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, longestTitle)} [skip ci]\n`;
}
