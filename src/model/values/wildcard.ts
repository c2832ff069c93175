// Patterns that people write, and the ways to choose resources. In a pattern, `*` stands for any characters, and
// everything else for itself.

/**
 * Tests whether the whole of a text matches. Works without a regular expression, which would take forever for a pattern
 * with many stars.
 */
export function wildcard(pattern: string, { ignoresCase = false } = {}): (text: string) => boolean {
  const plain = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const [first = '', ...rest] = plain(pattern).split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => plain(text) === first;
  return (given) => {
    const text = plain(given);
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const part of rest) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return text.length - from >= last.length && text.endsWith(last);
  };
}

// The ways to choose resources on a command line: addresses and labels. src/plan/select.ts says what each label looks
// at.

export const labelNames = ['tag', 'owner', 'to', 'dashboard', 'via', 'kind', 'shows'] as const;
export type LabelName = (typeof labelNames)[number];

/** The forms as help and hints name them. */
export const selectorForms = `an address such as schedules.fin-*, or ${labelNames.map((name) => `${name}:`).join(' ')}`;
