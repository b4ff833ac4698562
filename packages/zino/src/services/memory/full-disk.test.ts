// A file size limit cuts writes short: requests fail with a reason and nothing is damaged.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { childProgram } from '../../../../../test/support/paths.ts'
import { Program } from '../../../test/program.ts'
import { until } from '../../../test/until.ts'
import { askService } from '../../client/client.ts'

/** `ulimit -f` counts blocks of 512 bytes in a POSIX shell. */
const limited = ['-c', 'ulimit -f 400; exec "$@"', 'sh']

async function serveLimited(program: Program): Promise<void> {
  const service = [childProgram('zino', 'zino'), 'mem', '--config', program.config]
  const child = spawn('sh', [...limited, process.execPath, ...service], {
    cwd: program.folder,
    env: program.env,
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  await until(() => program.answers('mem'), 20_000)
}

it('mem answers an error and keeps its data when a file cannot grow', async () => {
  const program = new Program({ mem: { data_dir: 'data' } })
  await serveLimited(program)
  const ask = (request: object) => askService(program.socket('mem'), request)
  const stored: string[] = []
  const append = async (content: string) => {
    const messages = [{ role: 'user', content }]
    const { type } = await ask({ type: 'append_history', channel_id: 'c', messages })
    if (type === 'ok') stored.push(content)
    return type
  }
  const histories = async () => {
    const file = readFileSync(path.join(program.folder, 'data/channels/c.json'), 'utf8')
    const { messages } = await ask({ type: 'get_history', channel_id: 'c' })
    const contents = (list: unknown) =>
      (list as { content: string }[]).map(({ content }) => content.length)
    expect(contents(JSON.parse(file))).toEqual(stored.map((text) => text.length))
    expect(contents(messages)).toEqual(stored.map((text) => text.length))
  }
  // The journal reaches the limit first; a checkpoint empties it when mem is idle.
  let refused = 0
  await until(async () => {
    const answers = [await append('x'.repeat(30_000)), await append('y'.repeat(29_000))]
    await histories()
    if (answers.includes('error')) refused += 1
    return refused > 3 && stored.length >= 6
  }, 30_000)
  expect(await append('z'.repeat(100_000))).toBe('error')
  await histories()
  await until(async () => (await append('small')) === 'ok')
  await histories()
  expect(await ask({ type: 'set_soft', content: 'x'.repeat(300_000) })).toMatchObject({
    type: 'error',
  })
  expect(await ask({ type: 'get_soft' })).toEqual({ type: 'soft_memory', content: '' })
})
