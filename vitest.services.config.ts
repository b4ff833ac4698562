// `npm run test:services`: tests that need real servers, a browser or other agents, and tests of packages
// and releases, which build the project again.
import { defineConfig } from 'vitest/config'
import { sharedTestOptions, sourceResolution } from './test/support/vitest-options.ts'

export default defineConfig({
  ...sourceResolution,
  test: {
    ...sharedTestOptions('services'),
    include: ['test/services/**/*.test.ts', 'test/packaging/**/*.test.ts'],
    passWithNoTests: true,
  },
})
