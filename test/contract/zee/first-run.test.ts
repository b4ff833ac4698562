// The first run of `zee` on a terminal: the choice of a local model server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { ZeeSandbox } from './sandbox.ts'

it('starts zdx with a local server that runs, when the first run chooses one', async () => {
  const place = new ZeeSandbox()
  const server = createServer((_request, response) => response.end('{"data":[{"id":"tiny"}]}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const zee = spawn('script', ['-qec', builtProgram('zee'), '/dev/null'], {
      cwd: place.project,
      env: {
        ...process.env,
        ...place.env,
        OLLAMA_BASE_URL: `http://127.0.0.1:${port}/v1`,
        TERM: 'xterm',
      },
    })
    let shown = ''
    zee.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
    const ended = once(zee, 'close')
    await expect.poll(() => shown, { timeout: 20_000 }).toContain('Choose 1, 2 or 3')
    expect(shown).toContain('ollama, which runs here (zdx --provider ollama)')
    zee.stdin.write('2\r')
    await expect.poll(() => shown, { timeout: 20_000 }).toContain('you>')
    zee.stdin.write('\u0004')
    await ended
  } finally {
    server.close()
    place.remove()
  }
}, 60_000)
