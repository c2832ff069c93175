// Why somebody receives something, in words: `audience partners`. Reports show the place beside it.

import type { DeliveryVia } from '../../../model/people/who-document.ts';

/** Empty for what the declaration itself says. */
export function viaWords({ kind, name }: DeliveryVia): string {
  if (kind === 'resource') return '';
  const words = kind === 'default' ? 'defaults' : kind === 'text-file' ? 'text' : kind;
  return name === undefined ? words : `${words} ${name}`;
}
