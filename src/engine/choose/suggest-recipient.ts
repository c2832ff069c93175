// What was probably meant by a recipient whom nobody has.

import { didYouMean } from '../../validate/findings/suggest.ts';
import { nearestPerson } from './nearest-person.ts';

/** A whole sentence; undefined where nothing is like it. */
export function suggestRecipient(pattern: string, known: readonly string[]): string | undefined {
  const domain = pattern.replace(/^@/, '');
  const isDomain = known.some((name) => name.toLowerCase().endsWith(`@${domain.toLowerCase()}`));
  if (isDomain) return `For everybody in that domain: '*@${domain}'.`;
  const part = pattern.toLowerCase();
  const isPart = !pattern.includes('*') && known.some((name) => name.toLowerCase().includes(part));
  return likeIt(pattern, known) ?? (isPart ? `For every name with that in it: '*${pattern}*'.` : undefined);
}

function likeIt(pattern: string, known: readonly string[]): string | undefined {
  if (!/^[^@*]+@[^@*]+$/.test(pattern)) return didYouMean(pattern, known);
  const person = nearestPerson(pattern, known);
  return person === undefined ? undefined : `Did you mean \`${person}\`?`;
}
