import { expect, it } from 'vitest'
import { withoutRepeats } from './tick-labels.ts'

it('keeps the first of equal neighbours', () => {
  expect(withoutRepeats(['7', '7', '7', '8', '8', '7'])).toEqual(['7', '', '', '8', '', '7'])
  expect(withoutRepeats([])).toEqual([])
})
