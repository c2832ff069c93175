// The exit code of a command that looks: what it found goes before what it could not find out.

/** The answers of a command that decide its exit code: found what somebody must look at, or could not find out or do. */
export interface Verdicts {
  readonly isWrong: boolean;
  /** Something was not read, not judged or not done. */
  readonly isOpen: boolean;
}

export function exitCodeOf({ isWrong, isOpen }: Verdicts): 0 | 1 | 2 {
  if (isWrong) return 2;
  return isOpen ? 1 : 0;
}
