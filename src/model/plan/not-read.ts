// The two verdicts on what a run does not know of Omni. Whoever asks Omni returns one of them and decides nothing else.

/** Omni shows it, and this run could not read it. It never counts as right, and is never silent. */
export interface NotRead {
  readonly is: 'not-read';
  /** The code of the failure. */
  readonly code: string;
  /** Why, as a sentence. */
  readonly message: string;
  /** True if Omni answered and refused, or answered nonsense; false if nothing answered. */
  readonly isRefused: boolean;
}

/** Omni shows it in no answer. It is counted once a run, and has no exit code. */
export interface NeverShown {
  readonly is: 'never-shown';
  /** The field, as the table of fields names it. */
  readonly field: string;
}
