// `npm run test:long`: the crash and stress tests with 10,000 rounds, and tests that take hours.
import { defineConfig } from 'vitest/config'
import { sharedTestOptions, sourceResolution } from './test/support/vitest-options.ts'

process.env.ZEE_ROUNDS ??= '10000'

export default defineConfig({
  ...sourceResolution,
  test: {
    ...sharedTestOptions('long'),
    include: [
      'packages/*/src/**/{crash,*-crash}.test.ts',
      'packages/*/src/**/*-fuzz.test.ts',
      'packages/core/src/lock/contention.test.ts',
      'packages/corpus/src/index/live-index.test.ts',
      'test/contract/**/crash.test.ts',
      'test/contract/zeno/certificates.test.ts',
      'test/long/**/*.test.ts',
      'test/proof/**/*.test.ts',
    ],
    testTimeout: 3_600_000,
  },
})
