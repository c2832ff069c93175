// A reference without its braces is a text like any other.

const bareReference = /^\$?\{?(?<name>(?:audience|each|env|var)\.[A-Za-z_][\w-]*)\}?$/;

/** A question for a hint, ``Did you mean `${audience.sales}`?``, for `audience.sales`; undefined for a text that looks like no reference. */
export function meantReference(text: string): string | undefined {
  const name = bareReference.exec(text)?.groups?.['name'];
  return name === undefined ? undefined : `Did you mean \`\${${name}}\`?`;
}
