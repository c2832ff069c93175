// Declares templates imported as text. Vite does that by `?raw`, and esbuild by the loader that scripts/build.mjs sets.
declare module '*.yml?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the form of Vite and esbuild
  export default text;
}

declare module '*.md?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the form of Vite and esbuild
  export default text;
}
