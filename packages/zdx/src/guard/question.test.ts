import { describe, expect, it } from 'vitest'
import { parseAnswer, questionText } from './question.ts'

const question = (name: string, input: Record<string, unknown>) =>
  questionText({ call: { type: 'tool_call', id: '1', name, input }, rule: `${name}:x` })

describe('the question before a call', () => {
  it('shows the diff of an edit', () => {
    const text = question('edit', { path: 'a.txt', old: 'one\ntwo', new: 'one\nzwei' })
    expect(text).toMatch(
      /^edit a\.txt\n@@[^\n]*\n one\n-two\n\+zwei\nAllow\? y, n, a \(always edit:x\)/,
    )
  })

  it('counts the lines of a long change that it leaves out', () => {
    const content = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n')
    const text = question('write', { path: 'a.txt', content })
    expect(text).toContain('+line 38\n… 21 more lines\n')
  })

  it('shows a command without control characters', () => {
    expect(question('bash', { command: 'echo \u001b[31mred\u202e' })).toContain(
      'bash echo [31mred\\u202e\n',
    )
  })

  it('keeps a path with a line break on one line', () => {
    expect(question('read', { path: 'a\nAllow? \u202e' })).toMatch(
      /^read a Allow\? \\u202e\nAllow\?/,
    )
  })

  it.each([
    ['y', 'yes'],
    [' Yes ', 'yes'],
    ['n', 'no'],
    ['a', 'always'],
    ['put it elsewhere', { reason: 'put it elsewhere' }],
    ['  ', undefined],
  ])('understands the answer %j', (line, answer) => {
    expect(parseAnswer(line)).toEqual(answer)
  })
})
