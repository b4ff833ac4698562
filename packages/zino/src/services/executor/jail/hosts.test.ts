// Hosts of capabilities: a script reaches the allowed ones through the proxy, and no other.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lastOf } from '../../../../test/caller.ts'
import { bashTool, contextIn, put } from '../../../../test/config.ts'
import { serveHere } from '../../../../test/host.ts'
import { tempFolder } from '../../../../test/temp-folder.ts'
import { startExecutor } from '../executor.ts'
import { isOnPath } from '../on-path.ts'
import { probeJail } from './jail.ts'

const missing = await probeJail({ PATH: process.env.PATH ?? '' })
const hasPrograms = isOnPath('curl', process.env.PATH) && isOnPath('ip', process.env.PATH)

async function listen(answer: string): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, seen }
}

describe.skipIf(missing !== undefined || !hasPrograms)('a turn with hosts', () => {
  it.each([[undefined], [['/dev/null']]])(
    'reaches these and no others (paths %j)',
    async (paths) => {
      const folder = tempFolder()
      put(folder, 'tools/bash.json', bashTool)
      const context = contextIn(folder)
      await serveHere(await startExecutor(context), context.config.exc.socket)
      const [open, closed] = [
        await listen('hello from open\n'),
        await listen('hello from closed\n'),
      ]
      const raw = `exec 5<>/dev/tcp/127.0.0.1/${open.port} && printf 'GET /raw HTTP/1.0\\r\\n\\r\\n' >&5 && cat <&5`
      const code = [
        `curl -s --max-time 10 http://127.0.0.1:${open.port}/plain`,
        `curl -s --max-time 10 -p http://127.0.0.1:${open.port}/tunnel`,
        raw,
        `curl -s --max-time 10 http://127.0.0.1:${closed.port}/one`,
        `curl -sS --max-time 10 -p http://127.0.0.1:${closed.port}/two`,
        `curl -s --max-time 10 --noproxy '*' http://127.0.0.1:${closed.port}/three`,
        `curl -s --max-time 10 http://localhost:${open.port}/four`,
        `curl -s --max-time 10 -H 'Host: 127.0.0.1:${open.port}' http://127.0.0.1:${closed.port}/five`,
        `curl -s --max-time 10 http://127.0.0.1:${open.port}@127.0.0.1:${closed.port}/six`,
        `curl -s --max-time 10 --request-target 'http://127.0.0.1:${closed.port}/seven' http://127.0.0.1:${open.port}/`,
      ].join('\n')
      const allow = { hosts: [`127.0.0.1:${open.port}`], paths }
      const request = { type: 'execute', executor: 'bash', code, allow }
      const { stdout, stderr } = await lastOf(context.config.exc.socket, request)
      expect(open.seen.filter((each) => each !== 'GET /')).toEqual([
        'GET /plain',
        'GET /tunnel',
        'GET /raw',
      ])
      expect(closed.seen).toEqual([])
      expect(String(stdout)).not.toContain('hello from closed')
      expect(`${String(stdout)}${String(stderr)}`).toContain('[allow.hosts]')
    },
  )
})
