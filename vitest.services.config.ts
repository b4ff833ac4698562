// `npm run test:services`: what needs a real Redis or a real browser.
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
