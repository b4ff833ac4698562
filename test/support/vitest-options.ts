// Options of all test runs: child programs bundled once, a report for the test counts.
import type { ViteUserConfig } from 'vitest/config'
import { sourceConditions } from '../../build/bundle.mjs'

// Node 20 parses the extra certificates at each start, which takes 40 ms. The tests start thousands of
// processes and use loopback only.
delete process.env.NODE_EXTRA_CA_CERTS

// Concurrent test runs must not share the folder of bundled child programs.
process.env.ZEE_TEST_RUN ??= String(process.pid)

/** `ZEE_TEST_REPORTS` names a folder for `<name>.json`, from which CI sums up the test counts. */
export function sharedTestOptions(name: string): NonNullable<ViteUserConfig['test']> {
  const reports = process.env.ZEE_TEST_REPORTS
  return {
    globalSetup: ['test/support/build-children.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters:
      reports === undefined
        ? ['default']
        : ['default', ['json', { outputFile: `${reports}/${name}.json` }]],
  }
}

/** Tests import the sources of the packages, not their library builds. */
export const sourceResolution: Pick<ViteUserConfig, 'resolve' | 'ssr'> = {
  resolve: { conditions: sourceConditions },
  ssr: { resolve: { conditions: sourceConditions } },
}
