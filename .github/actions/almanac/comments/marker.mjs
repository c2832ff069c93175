// The first line of a comment, which readers do not see: the environment that it belongs to, and the reviewed digest.

/** The part that is the same in all comments for one environment of one workspace. */
export function markerOf({ environment, directory }) {
  return `<!-- almanac:plan environment="${environment}" directory="${attribute(directory)}"`;
}

export function firstLine(identity, digest) {
  return `${identity} digest="${digest}" -->`;
}

/** The digest in a comment's first line; '' if there is none. */
export function digestIn(body, identity) {
  const [line = ''] = body.split(/\r?\n/, 1);
  return line.startsWith(`${identity} `) ? (/ digest="([0-9a-f]{64})" -->$/.exec(line)?.[1] ?? '') : '';
}

/** The part before the digest; undefined if the line is not a marker. */
export function identityIn(line) {
  return /^(<!-- almanac:plan environment="[^"]*" directory="[^"]*") digest="[0-9a-f]*" -->$/.exec(line)?.[1];
}

function attribute(text) {
  return encodeURIComponent(text).replace(/[-']/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
