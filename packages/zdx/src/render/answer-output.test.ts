import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openAnswerOutput } from './answer-output.ts'
import { terminalHost } from './terminal-host.fixtures.ts'

describe('an answer written to a pipe', () => {
  it('is written byte for byte for every split, with one newline at the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }),
        async (pieces) => {
          const { host, stdout } = terminalHost({ isTTY: false })
          const answer = await openAnswerOutput(host)
          for (const piece of pieces) await answer.write(piece)
          await answer.endLine()
          const text = pieces.join('')
          const expected = text === '' || text.endsWith('\n') ? text : `${text}\n`
          // A lone surrogate has no UTF-8 encoding.
          expect(stdout()).toBe(Buffer.from(expected).toString())
        },
      ),
    )
  })
})

describe('an answer on a terminal', () => {
  it('shows the current line as it arrives and styles it once it is finished', async () => {
    const { host, stdout } = terminalHost()
    const answer = await openAnswerOutput(host)
    await answer.write('**bo')
    expect(stdout()).toBe('**bo')
    expect(answer.isAtLineStart()).toBe(false)
    await answer.write('ld**\nrest')
    expect(stdout()).toBe('ld**\r\u001b[J\u001b[1mbold\u001b[22m\nrest')
    await answer.endLine()
    expect(stdout()).toBe('\n')
    expect(answer.isAtLineStart()).toBe(true)
  })

  it('moves up over all rows of a wrapped line before it styles it', async () => {
    const { host, stdout } = terminalHost({ columns: 10 })
    const answer = await openAnswerOutput(host)
    await answer.write(`**${'x'.repeat(21)}**\n`)
    expect(stdout()).toContain('\u001b[2A\r\u001b[J\u001b[1m')
  })

  it('does not restyle a line whose start has scrolled off the screen', async () => {
    const { host, stdout } = terminalHost({ columns: 10, rows: 3 })
    const answer = await openAnswerOutput(host)
    await answer.write(`**${'x'.repeat(40)}**\n`)
    expect(stdout()).toBe(`**${'x'.repeat(40)}**\n`)
  })

  it('drops control characters of the model', async () => {
    const { host, stdout } = terminalHost()
    const answer = await openAnswerOutput(host)
    await answer.write('a\u001b[2Jb\u0007')
    expect(stdout()).toBe('a[2Jb')
  })

  it('is not styled with NO_COLOR', async () => {
    const { host, stdout } = terminalHost({ env: { NO_COLOR: '1' } })
    const answer = await openAnswerOutput(host)
    await answer.write('**x**\n')
    expect(stdout()).toBe('**x**\n')
  })
})
