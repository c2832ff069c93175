// Parses a URL without throwing. Not by URL.canParse: on Node 20 its compiled form, which a process reaches after some
// thousand calls, refuses texts with letters such as ü.

export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The ASCII form of an internationalised host name: mail and HTTP carry `xn--mnchen-3ya.de`, not `münchen.de`. */
export function asciiHost(host: string): string | undefined {
  if (host.length > 253 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(host)) return undefined;
  return parseUrl(`http://${host}/`)?.hostname;
}

/** The URL as it is sent: only a host beyond ASCII changes. */
export function asciiUrl(url: string): string {
  const { start, host, rest } =
    /^(?<start>https?:\/\/(?:[^/?#]*@)?)(?<host>[^/?#:[\]]+)(?<rest>.*)$/is.exec(url)?.groups ?? {};
  if (start === undefined || host === undefined || rest === undefined || !/[^!-~]/.test(host)) return url;
  return `${start}${asciiHost(host) ?? host}${rest}`;
}
