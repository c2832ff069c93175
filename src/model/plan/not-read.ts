// The verdict on what Omni shows and a run could not read. What Omni never shows is a column of the table of fields.

/** Omni shows it, and this run could not read it. It never counts as right, and is never silent. */
export interface NotRead {
  readonly is: 'not-read';
  /** The code of the failure. */
  readonly code: string;
  /** The reason, as a sentence. */
  readonly message: string;
  /** True if Omni answered and refused, or answered nonsense; false if nothing answered. */
  readonly isRefused: boolean;
}
