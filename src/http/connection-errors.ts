// What the error of a connection means: whether the request may have reached somebody, and what a person can do. Decided by
// code, never by the text of a message.

const codesBeforeSending: ReadonlySet<string> = new Set(
  [
    'ECONNREFUSED ECONNRESET ECONNABORTED EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ETIMEDOUT EADDRNOTAVAIL EPIPE',
    'EPROTO ENOTFOUND ENODATA UND_ERR_CONNECT_TIMEOUT UND_ERR_PRX_TLS ABORT_ERR',
    'INVALID_PURPOSE',
  ].flatMap((codes) => codes.split(' ')),
);

/** Errors of DNS and handshakes. */
const prefixesBeforeSending = ['EAI_', 'ERR_TLS_', 'ERR_SSL_'];

/** Whether an error code means an untrusted certificate. */
function isCertificateCode(code: string): boolean {
  return /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code);
}

/** A proxy that refuses its tunnel, if the request did not start. */
const refusedByProxy = 'UND_ERR_ABORTED';

/**
 * `started`: the request reached an open connection. Some codes can occur before and after that point. A certificate is not
 * trusted the next time either, and a password that a proxy refuses again and again may lock an account.
 */
export function judgeError(code: string, started: boolean): 'unsent' | 'lost' | 'refused' {
  if (started) return 'lost';
  if (isCertificateCode(code) || code === refusedByProxy) return 'refused';
  const early = codesBeforeSending.has(code) || prefixesBeforeSending.some((prefix) => code.startsWith(prefix));
  return early ? 'unsent' : 'lost';
}

export const proxyHint =
  'The proxy of HTTPS_PROXY or HTTP_PROXY refuses the connection. With 407, check the user and the password in its URL, http://USER:PASSWORD@HOST:PORT, in which special characters are %-escapes. With 403, it does not let this host through.';

/** For what was certainly not sent, and is not sent again; undefined for anything else. */
export function connectionHint(code: string): string | undefined {
  if (code === refusedByProxy) return proxyHint;
  return isCertificateCode(code)
    ? 'The certificate is not trusted. Behind a proxy that intercepts TLS, or with an authority of your own, set NODE_EXTRA_CA_CERTS to the file of its certificate.'
    : undefined;
}
