// The kinds of token, as far as the service documents their difference.

/** The beginning of organization keys; that of other tokens is not documented. */
export const organizationKeyPrefix = 'omni_osk_';

/** True for a token that may look people up and act for others. */
export function isOrganizationKey(token: string): boolean {
  return token.startsWith(organizationKeyPrefix);
}
