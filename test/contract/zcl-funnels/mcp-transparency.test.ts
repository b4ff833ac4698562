import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, rawServer, request, type Lab } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

const strange = [
  '{"jsonrpc":"2.0",  "id" : 1,\t"method":"tools/list"}\r\n',
  'plain text, no JSON\n',
  '\n\r\n\n',
  '{"id":2,"method":"tools/call","params":{"text":"\\u00fc \\ud83d\\ude00 ü 😀"}}\n',
  '[{"id":3,"method":"ping"},{"method":"notifications/initialized"},7,[]]\n',
  '{"method":"notifications/progress","params":{}}\n',
  '{"id":9,"result":{"roots":[]}}\n',
  '{"id":4,"method":"x","params":{"b":1,"a":2}}   \n',
  '{"id":5,"method":"unfinished',
].join('')

function hostileBytes(): Buffer {
  return Buffer.concat([
    Buffer.from(strange),
    Buffer.from('\n'),
    randomBytes(300_000),
    Buffer.from([0x0a, 0xc3, 0x28, 0x0a, 0x00, 0x0a, 0xf0, 0x9f, 0x98]),
    Buffer.alloc(2_500_000, 'long line '),
    Buffer.from('\nno end of line'),
  ])
}

describe('the MCP proxy', () => {
  it('forwards any bytes in any chunks from client to server', async () => {
    const seen = path.join(lab.folder, 'seen')
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer(`--record=${seen}`)])
    const bytes = hostileBytes()
    for (let at = 0; at < bytes.length;) {
      const size = at < 2000 ? 1 + (at % 7) : 1 + ((at * 7919) % 65_536)
      proxy.write(bytes.subarray(at, at + size))
      at += size
      if (at < 2000 && at % 50 === 0) await new Promise(setImmediate)
    }
    proxy.end()
    expect((await proxy.ended).code).toBe(0)
    expect(readFileSync(seen).equals(bytes)).toBe(true)
  })

  it('forwards stdout and stderr of the server unchanged', async () => {
    const bytes = hostileBytes()
    const played = path.join(lab.folder, 'played')
    writeFileSync(played, bytes)
    const proxy = lab.start([
      'mcp',
      'proxy',
      '--',
      ...rawServer(`--play=${played}`, '--greet=hä?\n'),
    ])
    proxy.end()
    expect((await proxy.ended).code).toBe(0)
    expect(proxy.out().equals(bytes)).toBe(true)
    expect(proxy.err()).toBe('hä?\n')
  })

  it('forwards bytes unchanged when a limit or --sequential holds lines back', async () => {
    // This server never answers, so a second request would wait indefinitely.
    const bytes = Buffer.concat([
      Buffer.from(strange.replaceAll('"method"', '"verb"')),
      randomBytes(2_000_000),
      Buffer.from(`\n${request(1, 'tools/call')}end`),
    ])
    for (const flag of [['--max-tool-calls', '99'], ['--sequential']]) {
      const seen = path.join(lab.folder, `seen-${flag[0]}`)
      const proxy = lab.start(['mcp', 'proxy', ...flag, '--', ...rawServer(`--record=${seen}`)])
      proxy.write(bytes)
      proxy.end()
      expect((await proxy.ended).code).toBe(0)
      expect(readFileSync(seen).equals(bytes)).toBe(true)
    }
  })

  it('forwards a line of 64 MB both ways and records the size of the answer', async () => {
    const size = 64 * 1024 * 1024
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer()])
    proxy.write(request(1, 'tools/call', { large: size, idLast: true }))
    const large = await proxy.line()
    expect(large.length).toBe(size + '{"result":{"text":""},"jsonrpc":"2.0","id":1}'.length)
    proxy.write(request(2, 'tools/call', { ignored: 'y'.repeat(size) }))
    expect(await proxy.line()).toBe('{"jsonrpc":"2.0","id":2,"result":{}}')
    proxy.end()
    await proxy.ended
    const [, first, second] = lab.trace()
    expect(first).toMatchObject({ op: 'tools/call', result: { ok: true } })
    expect(first?.io.outBytes).toBe(large.length)
    expect(Buffer.byteLength(first?.io.outPreview ?? '')).toBeLessThanOrEqual(16_384)
    expect(first?.integrity).toEqual({ truncated: true })
    expect(second?.input).toEqual({ id: 2, method: 'tools/call' })
    expect(second?.warnings?.map(({ code }) => code)).toContain('ZCL_W_INPUT_TRUNCATED')
  }, 120_000)

  it('forwards bytes without waiting for the trace', async () => {
    const lock = `${lab.file('tool.calls.jsonl')}.lock`
    const holder = lab.start(['mcp', 'proxy', '--', ...rawServer()])
    await lab.traced(1)
    // zcl waits for a lock whose owner it cannot identify.
    writeFileSync(lock, 'unknown owner\n')
    for (let id = 1; id <= 20; id++) {
      holder.write(request(id, 'tools/list'))
      expect(await holder.line()).toContain(`"id":${id},`)
    }
    expect(lab.trace()).toHaveLength(1)
    await rm(lock)
    holder.end()
    await holder.ended
    expect(lab.trace()).toHaveLength(21)
  })
})
