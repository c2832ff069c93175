// How long requests take under the rate limit, worked out from the limit alone.

/** The length of the window that the service counts requests in. */
export const rateWindowSeconds = 60;

/**
 * The seconds until the last of so many requests may be sent, the time of the requests themselves left out: the first
 * `rateLimit * tokens` go at once, each further lot a window later. A `rateLimit` of 0 is none.
 */
export function secondsFor(requests: number, rateLimit: number, tokens: number): number {
  if (requests <= 0 || rateLimit <= 0) return 0;
  const atOnce = rateLimit * Math.max(1, tokens);
  return Math.floor((requests - 1) / atOnce) * rateWindowSeconds;
}
