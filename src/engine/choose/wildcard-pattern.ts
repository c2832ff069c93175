// Patterns that people type: `*` stands for any characters, and everything else for itself.

/** Matches the whole of a text. */
export function wildcardPattern(text: string, flags: '' | 'i' = ''): RegExp {
  const parts = text.split('*').map((part) => part.replaceAll(/[\\^$.+?()|[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, flags);
}
