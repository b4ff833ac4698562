// Requests that would fill the context window: old tool results are elided, and the model recalls them.
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/fake-anthropic.ts'
import { event, messageEnd, openStream } from '../../support/fake-anthropic.ts'
import { withServer } from './with-server.ts'

const at = withServer()

interface Call {
  name: string
  input: object
}

/** An answer with one call, or with text, that reports `tokens` of input. */
const reply =
  (content: Call | string, tokens: number, id = 'toolu_1'): Answer =>
  (_request, response) => {
    const isText = typeof content === 'string'
    const block = isText
      ? { type: 'text', text: content }
      : { type: 'tool_use', id, name: content.name, input: content.input }
    openStream(response)
    response.end(
      event({
        type: 'message_start',
        message: { content: [], usage: { input_tokens: tokens, output_tokens: 1 } },
      }) +
        event({ type: 'content_block_start', index: 0, content_block: block }) +
        event({ type: 'content_block_stop', index: 0 }) +
        messageEnd(isText ? 'end_turn' : 'tool_use'),
    )
  }

const shell = (round: number): Call => ({
  name: 'bash',
  input: { command: `echo round ${round}; head -c 9000 /dev/zero | tr '\\0' x` },
})

/** Four rounds of bash; the last request reports 170,000 of 200,000 tokens. */
function fillWindow(...then: Answer[]): void {
  let count = 0
  at.respond = (request, response) => {
    const index = count++
    const next = index < 4 ? reply(shell(index + 1), 42_500 * (index + 1), `t${index}`) : undefined
    const answer = next ?? then[index - 4] ?? reply('done', 90_000)
    answer(request, response)
  }
}

const toolsOf = (index: number) => at.server.requests[index]?.body.tools?.map(({ name }) => name)

describe('a context window that is 85 % full', () => {
  it('has the oldest results elided, says so, and offers recall from then on', async () => {
    fillWindow(reply({ name: 'recall', input: { event: 4 } }, 90_000, 'r1'))
    const ran = await at.box.exec('go', '--session', 's')
    expect(ran).toMatchObject({ code: 0, stdout: 'done\n' })
    expect(ran.stderr).toMatch(/Warning: The context window is almost full: elided \d old tool/)
    const line = '[elided: result of event 4 (bash "echo round 1; head'
    const sent = at.server.requests[4]?.raw ?? ''
    expect(at.server.requests[3]?.raw).not.toContain('[elided:')
    expect(sent).toContain(JSON.stringify(line).slice(1, -1))
    expect(sent).toContain('Use recall with event 4.]')
    expect(sent).toContain('round 4')
    expect(toolsOf(3)).not.toContain('recall')
    expect(toolsOf(4)).toContain('recall')
    expect(at.server.requests[5]?.raw).toContain('round 1')
    const lines = at.box.session('s')
    expect(lines.find(({ type }) => type === 'elided')).toMatchObject({ events: [4, 6] })
    expect(JSON.stringify(lines)).toContain('round 1')
  })

  it('stays elided when the session is resumed', async () => {
    fillWindow()
    await at.box.exec('go', '--session', 's')
    const before = at.server.requests.at(-1)?.body.messages ?? []
    await at.box.exec('again', '--session', 's')
    const after = at.server.requests.at(-1)
    expect(after?.body.messages.slice(0, before.length)).toEqual(before)
    expect(after?.body.tools?.map(({ name }) => name)).toContain('recall')
  })
})
