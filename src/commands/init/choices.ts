// The words between which the options and the questions of `almanac init` let people choose.

export const editors = ['vscode', 'jetbrains', 'none'] as const;
export const ciSystems = ['github', 'gitlab', 'none'] as const;
/** An example, or what is in Omni already. */
export const starts = ['example', 'omni'] as const;
export const yesOrNo = ['no', 'yes'] as const;
