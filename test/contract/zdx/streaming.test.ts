// Streaming to stdout: at once, lossless, and quiet when the reader closes the pipe.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  answer,
  messageEnd,
  messageStart,
  openStream,
  say,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import { inTurn, withServer } from './with-server.ts'

const at = withServer()

describe('a streamed answer', () => {
  it('is printed delta by delta as it arrives', async () => {
    let release = () => {}
    at.respond = async (_request, response) => {
      openStream(response)
      response.write(messageStart() + textStart())
      for (const piece of ['one ', 'two ', 'three']) {
        const seen = new Promise<void>((resolve) => (release = resolve))
        response.write(textDelta(piece))
        await seen
      }
      response.end(messageEnd())
    }
    const child = at.box.start(['exec', '-p', 'x'])
    let out = ''
    child.stdout?.on('data', (chunk) => {
      out += chunk
      release()
    })
    const [code] = await once(child, 'close')
    expect({ code, out }).toEqual({ code: 0, out: 'one two three\n' })
  })

  it('is complete under a slow reader', async () => {
    const piece = 'é'.repeat(500)
    const count = 4000
    at.respond = (_request, response) => {
      openStream(response)
      response.write(messageStart() + textStart())
      for (let index = 0; index < count; index++) response.write(textDelta(piece))
      response.end(messageEnd())
    }
    const child = at.box.start(['exec', '-p', 'x', '--session', 's'])
    let bytes = 0
    if (child.stdout === null) throw new Error('no stdout')
    for await (const chunk of child.stdout) {
      bytes += (chunk as Buffer).length
      await sleep(2)
    }
    expect(bytes).toBe(count * 1000 + 1)
    expect(at.box.session('s')).toHaveLength(3)
  })

  it('ends quietly with a valid session when the reader closes the pipe', async () => {
    at.respond = (_request, response) => {
      openStream(response)
      response.write(messageStart() + textStart())
      const timer = setInterval(() => response.write(textDelta('more '.repeat(1000))), 5)
      response.on('close', () => clearInterval(timer))
    }
    const child = at.box.start(['exec', '-p', 'x', '--session', 's'])
    let stderr = ''
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    child.stdout?.destroy()
    await once(child, 'close')
    expect(stderr).not.toMatch(/EPIPE|Error|Interrupted|    at /)
    await at.server.requests[0]?.closed
    at.respond = say('fine')
    expect(await at.box.exec('next', '--session', 's')).toMatchObject({ code: 0, stdout: 'fine\n' })
  })

  it(
    'may follow a tool result of 50 MB, which is stored completely and sent as head and tail',
    {
      timeout: 240_000,
    },
    async () => {
      const command = 'head -c 50000000 /dev/zero | tr "\\\\0" x'
      at.respond = inTurn(answer({ tool: 'bash', input: { command } }), say('done'))
      expect(await at.box.exec('x', '--session', 's')).toMatchObject({ code: 0, stdout: 'done\n' })
      expect(at.server.requests[1]?.raw.length).toBeLessThan(100_000)
      const stored = readFileSync(`${at.box.zdxHome}/sessions/s.jsonl`)
      expect(stored.length).toBeGreaterThan(50_000_000)
    },
  )
})
