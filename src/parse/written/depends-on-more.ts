// Whether what a file declares depends on more than the file and the defaults below it.

/**
 * `json`: a value as JSON. True where it holds a loop, or a reference to a variable, an audience or another file; also for
 * a text that only looks like one, which costs nothing but a check.
 */
export function dependsOnMore(json: string): boolean {
  return json.includes('${') || json.includes('"forEach');
}
