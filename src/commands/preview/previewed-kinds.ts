// Which kinds have a report that Omni can render on request.

import type { Kind } from '../../model/values/address.ts';

export const previewed: Readonly<Record<Kind, boolean>> = {
  dashboard: false,
  schedule: true,
  aiJob: false,
  routine: false,
};
