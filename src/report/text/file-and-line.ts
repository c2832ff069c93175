// Where something is declared, as editors and terminals recognise a place in a file.

/** `sales.yaml:11`; empty without a file. */
export function fileAndLine({ file, line }: { readonly file?: string; readonly line?: number }): string {
  if (file === undefined) return '';
  return line === undefined ? file : `${file}:${line}`;
}
