// A few names for many things: `a, b, c and 87 more`.

const mostNamed = 3;

/** `count`: of all, where `names` holds only some of them. */
export function nameSome(names: readonly string[], count = names.length, most = mostNamed): string {
  const named = names.slice(0, most);
  const rest = count - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}
