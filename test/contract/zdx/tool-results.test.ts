// Tool results as the model receives them: an envelope under the id of its call.
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../support/fake-anthropic.ts'
import { answer, say } from '../../support/fake-anthropic.ts'
import { runUnprivileged } from '../../support/run-program.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

interface ResultBlock {
  tool_use_id: string
  content: string
}

/** The results that the model receives for these calls, in order. */
async function resultsOf(calls: Block[], ...args: string[]) {
  at.respond = inTurn(answer(...calls), say('ok'))
  expect(await at.box.exec('go', ...args)).toMatchObject({ code: 0, stdout: 'ok\n' })
  return lastResults()
}

function lastResults() {
  const blocks = at.server.requests.at(-1)?.body.messages.at(-1)?.content as ResultBlock[]
  return blocks.map(({ tool_use_id: id, content }) => ({
    id,
    bytes: Buffer.byteLength(content),
    envelope: JSON.parse(content) as { ok: boolean; data: Record<string, unknown> },
  }))
}

describe('a tool result', () => {
  it('above 64 KiB is sent as its first and last 32 KiB inside an envelope', async () => {
    const command = 'seq 1 60000; exit 3'
    const [result] = await resultsOf([{ tool: 'bash', input: { command } }], '--session', 's')
    expect(result?.bytes).toBeLessThan(64 * 1024 + 60)
    expect(result?.envelope.data).toMatchObject({ stderr: '', exit_code: 3, timed_out: false })
    expect(result?.envelope.data.stdout).toMatch(
      /^1\n2\n[\s\S]*\n\[\.\.\. \d+ bytes left out \.\.\.\]\n[\s\S]*\n59999\n60000\n$/,
    )
    const stored = at.box.session('s')[3] as { output: { data: { stdout: string } } }
    expect(stored.output.data.stdout.split('\n')).toHaveLength(60_001)
    const before = at.server.requests.at(-1)?.raw ?? ''
    at.respond = say('ok')
    await at.box.exec('more', '--session', 's')
    const sent = /bytes left out/.exec(at.server.requests.at(-1)?.raw ?? '')?.index ?? 0
    expect(at.server.requests.at(-1)?.raw.slice(sent - 1000, sent + 1000)).toBe(
      before.slice(before.indexOf('bytes left out') - 1000).slice(0, 2000),
    )
  })

  it('of read is sent completely, even if JSON escapes make it larger', async () => {
    const text = '"\n'.repeat(25_600)
    at.box.put('quotes.txt', text)
    const [result] = await resultsOf([{ tool: 'read', input: { path: 'quotes.txt' } }])
    expect(result?.envelope.data).toMatchObject({ content: text, truncated: false, bytes: 51_200 })
  })

  it('answers its own call, also if a model repeats an id', async () => {
    const results = await resultsOf([
      { tool: 'bash', input: { command: 'echo one' }, id: 'same' },
      { tool: 'bash', input: { command: 'echo two' }, id: 'same' },
    ])
    expect(results.map(({ envelope }) => envelope.data.stdout)).toEqual(['one\n', 'two\n'])
    expect(new Set(results.map(({ id }) => id)).size).toBe(2)
  })

  it('of write and edit is an error for a read-only file', async () => {
    const file = at.box.put('fixed.txt', 'old')
    chmodSync(file, 0o444)
    at.respond = inTurn(
      answer(
        { tool: 'write', input: { path: 'fixed.txt', content: 'new' } },
        { tool: 'edit', input: { path: 'fixed.txt', old: 'old', new: 'new' } },
      ),
      say('ok'),
    )
    const options = { cwd: at.box.root, env: at.box.env }
    const ran = await runUnprivileged('zdx', ['exec', '-p', 'go'], options)
    expect(ran).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(lastResults().map(({ envelope }) => envelope)).toMatchObject([
      { ok: false, error: { code: 'write_error' } },
      { ok: false, error: { code: 'write_error' } },
    ])
    expect(readFileSync(file, 'utf8')).toBe('old')
  })

  it('has no time limit if the timeout exceeds the longest timer', async () => {
    at.box.config('tool_timeout_secs = 4294967295\n')
    const [result] = await resultsOf([{ tool: 'bash', input: { command: 'echo done' } }])
    expect(result?.envelope.data).toMatchObject({ stdout: 'done\n', timed_out: false })
  })

  it('of a file that reports size 0, as in /proc, has its content', async () => {
    const file = '/proc/version'
    if (!existsSync(file)) return
    const [result] = await resultsOf([{ tool: 'read', input: { path: file } }])
    expect(result?.envelope.data.content).toMatch(/^Linux/)
  })
})
