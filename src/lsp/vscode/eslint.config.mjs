import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "*.mjs", "test/*.cjs"] },
  ...tseslint.configs.strictTypeChecked,
  { languageOptions: { parserOptions: { projectService: true } } },
  {
    files: ["test/**"],
    rules: {
      // `test` returns a promise that its runner awaits.
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", name: ["test", "describe"], package: "node:test" }] }],
    },
  },
);
