// The forms of texts in documents that programs write: the pattern that the schemas use, and the words for a text that
// does not match it.

interface TextForm {
  readonly pattern: string;
  /** After "is not". */
  readonly words: string;
}

export const instantForm: TextForm = {
  pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?Z$',
  words: 'a time such as 2026-01-31T09:00:00Z',
};

/** Looser than the address of a declaration: another version may have allowed other keys. */
export const addressForm: TextForm = {
  pattern: '^(?:schedules|dashboards|aiJobs)\\.(?:[\\s\\S]*[^.])$',
  words: 'an address such as schedules.weekly-sales',
};

export const digestForm: TextForm = { pattern: '^[0-9a-f]{64}$', words: 'a SHA-256 digest in hexadecimal' };

/** The name of the key of the fingerprints: the first digits of its digest. */
export const keyNameForm: TextForm = { pattern: '^[0-9a-f]{16}$', words: '16 hexadecimal digits' };

const forms = [instantForm, addressForm, digestForm, keyNameForm];

/** The words of the form that a schema names by its pattern. */
export function formWords(pattern: string): string | undefined {
  return forms.find((form) => form.pattern === pattern)?.words;
}
