// `npm run mutants`: the unit tests with one changed file, which the variable `ZEE_MUTANT` describes.
import { defineConfig } from 'vitest/config'
import { sharedTestOptions, sourceResolution } from './test/support/vitest-options.ts'

interface Mutant {
  file: string
  start: number
  end: number
  text: string
}

const mutant = JSON.parse(process.env.ZEE_MUTANT ?? '{}') as Partial<Mutant>

export default defineConfig({
  ...sourceResolution,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code, id) {
        const { file, start, end, text } = mutant
        if (file === undefined || id.split('?')[0] !== file) return undefined
        return code.slice(0, start) + text + code.slice(end)
      },
    },
  ],
  test: {
    ...sharedTestOptions('mutants'),
    isolate: false,
    include: ['**/*.test.ts'],
  },
})
