// How long requests take under the rate limit, computed from the limit alone.

/** The length of the window that the service counts requests in. */
export const rateWindowSeconds = 60;

/**
 * The seconds until the last of `requests` may be sent, not counting the time that the requests themselves take: the
 * first `rateLimit` go at once, each further batch a window later. A `rateLimit` of 0 means no limit.
 */
export function secondsFor(requests: number, rateLimit: number): number {
  if (requests <= 0 || rateLimit <= 0) return 0;
  return Math.floor((requests - 1) / rateLimit) * rateWindowSeconds;
}
