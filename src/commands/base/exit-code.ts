// The exit code of a command that looks: what it found goes before what it could not find out.

/** `isWrong` if somebody must look at what was found, `isOpen` if something was not read, not judged or not done. */
export function exitCodeOf({ isWrong, isOpen }: { readonly isWrong: boolean; readonly isOpen: boolean }): 0 | 1 | 2 {
  if (isWrong) return 2;
  return isOpen ? 1 : 0;
}
