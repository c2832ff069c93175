// Whether a member may see a document: either everyone in the organization may, or only its owner and the members it is
// shared with.

import type { EmulatedDocument } from '../store/store.ts';

export function canView(memberId: string, { scope, ownerId, sharedWith }: EmulatedDocument): boolean {
  return scope === 'organization' || ownerId === memberId || sharedWith.includes(memberId);
}
