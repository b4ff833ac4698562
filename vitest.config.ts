// `npm test`: unit tests beside the source, and contract tests over the programs. They are one project, which
// transforms every source file once.
import { defineConfig } from 'vitest/config'
import { sharedTestOptions, sourceResolution } from './test/support/vitest-options.ts'

export default defineConfig({
  ...sourceResolution,
  test: {
    ...sharedTestOptions('unit-and-contract'),
    // One process runs many files: a new process per file costs 0.3 s of CPU time.
    isolate: false,
    include: [
      'packages/*/src/**/*.test.ts',
      'test/contract/**/*.test.ts',
      'test/proof/**/*.test.ts',
    ],
  },
})
