// The ASCII form of an internationalised host name, for hints: mail and HTTP carry `xn--mnchen-3ya.de`, not `münchen.de`.

export function asciiHost(host: string): string | undefined {
  if (host.length > 253 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(host)) return undefined;
  const url = `http://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
