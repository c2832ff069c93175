// The kinds of token, as far as the service documents their difference.

/** What organization keys begin with; what other tokens begin with is not documented. */
export const organizationKeyPrefix = 'omni_osk_';

/** Only these may look people up and act for others. */
export function isOrganizationKey(token: string): boolean {
  return token.startsWith(organizationKeyPrefix);
}
