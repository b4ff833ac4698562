import { expect, it } from 'vitest'
import { helpText } from './help-text.ts'

it('puts a summary beside its command, and below it on a narrow terminal', () => {
  expect(helpText(undefined)).toMatch(/^ {2}:undo +undo the file changes of the last turn$/m)
  expect(helpText(200)).toBe(helpText(undefined))
  expect(helpText(60)).toContain('\n  :undo\n    undo the file changes of the last turn\n')
})
