import { expect, it } from 'vitest'
import { helpText } from './help-text.ts'

it('puts a summary beside its command, or below it if a narrow terminal has no room', () => {
  expect(helpText(undefined)).toMatch(/^ {2}:undo +undo the file changes of the last turn$/m)
  expect(helpText(200)).toBe(helpText(undefined))
  expect(helpText(60)).toContain('\n  :undo           undo the file changes of the last turn\n')
  expect(helpText(60)).toMatch(/^ {2}:mcp \[server\].*\n {18}list or use prompts/m)
})

it.each([40, 60, 80, 100, 120])('breaks summaries between words at %i columns', (columns) => {
  const rows = helpText(columns).split('\n')
  const summaries = rows.filter((row) => /^ {3,}|\S {2,}\S/.test(row))
  expect(summaries.length).toBeGreaterThan(10)
  for (const row of summaries) expect(row.length).toBeLessThanOrEqual(columns)
})
