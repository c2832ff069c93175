// How long requests take under the rate limit, computed from the limit alone.

/** The length of the window that the service counts requests in. */
export const rateWindowSeconds = 60;

/**
 * The seconds until the last of `requests` may be sent, not counting the time that the requests themselves take: the
 * first `rateLimit * tokens` go at once, each further batch a window later. A `rateLimit` of 0 means no limit.
 */
export function secondsFor(requests: number, rateLimit: number, tokens: number): number {
  if (requests <= 0 || rateLimit <= 0) return 0;
  const atOnce = rateLimit * Math.max(1, tokens);
  return Math.floor((requests - 1) / atOnce) * rateWindowSeconds;
}
