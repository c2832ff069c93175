// The references of a text in a source file, as it is written. interpolate.ts decides what they are worth.

export interface Reference {
  readonly namespace: 'var' | 'env' | 'file' | 'audience' | 'each';
  readonly name: string;
}

export interface References {
  readonly all: readonly Reference[];
  /** The one reference that is the whole text. */
  readonly whole?: Reference;
}

const form = /\$\$\{|\$\{(var|env|file|audience|each)\.([^}\n]+)\}/g;

export function referencesIn(text: string): References {
  const found = text.includes('${') ? [...text.matchAll(form)].filter(([written]) => written !== '$${') : [];
  const all = found.map(([, namespace, name = '']) => ({ namespace: namespace as Reference['namespace'], name }));
  const [first] = all;
  return found[0]?.[0] === text && first !== undefined ? { all, whole: first } : { all };
}

/** The text with other texts in the place of its `${each.…}`. */
export function replaceEach(text: string, textOf: (name: string) => string): string {
  return text.replaceAll(form, (written, namespace: string | undefined, name: string | undefined) =>
    namespace === 'each' && name !== undefined ? textOf(name) : written,
  );
}
