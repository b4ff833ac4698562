import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { childProgram } from '../../../test/support/paths.ts'
import { fixture } from '../test/decoding.ts'
import { sse, startServer } from '../test/server.ts'

it('@zee/llm loads no network code before a request, no TLS for plain HTTP, and lets the process exit', async () => {
  const server = await startServer(sse(fixture('anthropic-text.sse')))
  const child = spawn(process.execPath, [childProgram('llm', 'loaded'), server.url], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  // The server keeps the connection open; the child must exit nevertheless.
  const [code] = (await once(child, 'close')) as [number]
  await server.close()
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({ before: [], after: ['http'], stopped: true })
})
