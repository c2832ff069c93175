// The first line of a comment, which readers do not see: whose plan it shows, and the digest that was reviewed there.

/** What is the same in all comments of one environment of one workspace. */
export function markerOf({ environment, directory }) {
  return `<!-- almanac:plan environment="${environment}" directory="${attribute(directory)}"`;
}

export function firstLine(identity, digest) {
  return `${identity} digest="${digest}" -->`;
}

/** Of a comment's first line; '' where it names none. */
export function digestIn(body, identity) {
  const [line = ''] = body.split(/\r?\n/, 1);
  return line.startsWith(`${identity} `) ? (/ digest="([0-9a-f]{64})" -->$/.exec(line)?.[1] ?? '') : '';
}

/** What a first line has before its digest; undefined where it is none. */
export function identityIn(line) {
  return /^(<!-- almanac:plan environment="[^"]*" directory="[^"]*") digest="[0-9a-f]*" -->$/.exec(line)?.[1];
}

function attribute(text) {
  return encodeURIComponent(text).replace(/[-']/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
