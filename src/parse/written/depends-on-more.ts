// Whether what a file declares depends on more than the file and the defaults below it.

/** `json`: a value as JSON. True where it holds a reference or a loop: to a variable, an audience, another file. */
export function dependsOnMore(json: string): boolean {
  return json.includes('${') || json.includes('"forEach');
}
