// `npm run test:services`: tests that need a real Redis server or a real browser.
import { defineConfig } from 'vitest/config'
import { sharedTestOptions, sourceResolution } from './test/support/vitest-options.ts'

export default defineConfig({
  ...sourceResolution,
  test: {
    ...sharedTestOptions('services'),
    include: ['test/services/**/*.test.ts'],
    passWithNoTests: true,
  },
})
