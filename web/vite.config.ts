/// <reference types="vitest/config" />
import { defineConfig } from 'vite';

export default defineConfig({
  // `npx vite` while working on the page: a running `rowbot serve` answers for the API.
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8080', ws: true } } },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2021',
    // The server's content security policy allows files of its own only: nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { include: ['tests/unit/**/*.test.ts'], environment: 'node' },
});
