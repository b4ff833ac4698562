// mem on a disk whose flushes fail: strace makes fdatasync of each thread fail from its second call on.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sandbox, until } from '../contract/zino/sandbox.ts'
import { builtProgram } from '../support/paths.ts'

const hasStrace = spawnSync('strace', ['-V']).status === 0

let box: Sandbox
beforeAll(() => {
  box = new Sandbox()
})
afterAll(() => box.remove())

it.skipIf(!hasStrace)(
  'mem acknowledges only messages that are on the disk',
  async () => {
    const fault = ['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:when=2+']
    const line = [process.execPath, builtProgram('zino'), 'mem', '--config', box.config]
    const env = { ...process.env, ...box.env }
    const args = ['-f', '-o', '/dev/null', ...fault, ...line]
    const traced = spawn('strace', args, { cwd: box.folder, env, stdio: 'ignore' })
    await until(() => box.answers('mem'), 60_000)
    const stored: string[] = []
    const refused: unknown[] = []
    for (let n = 0; n < 8; n += 1) {
      const content = `message ${n}`
      const messages = [{ role: 'user', content }]
      const reply = await box.ask('mem', { type: 'append_history', channel_id: 'c', messages })
      if (reply.type === 'ok') stored.push(content)
      else refused.push(reply.message)
    }
    traced.kill('SIGTERM')
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused) expect(reason).toMatch(/the disk reported an error/)
    const list = JSON.parse(readFileSync(box.at('data/mem/channels/c.json'), 'utf8')) as object[]
    expect(list.map((message) => (message as { content: string }).content)).toEqual(
      expect.arrayContaining(stored),
    )
  },
  90_000,
)
