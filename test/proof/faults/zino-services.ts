// Services of zino in the sweep, started for real. A client sends one request over the socket.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askService } from '../../../packages/zino/src/client/client.ts'
import type { Scene, UseService } from './scene.ts'
import type { SweptCommand } from './sweep.ts'

const config = [
  '[service]\nmodel = "fake"\n',
  '[mem]\nsocket = "r/mem.sock"\ndata_dir = "data"\n',
].join('\n')

const socket = ({ project }: Scene) => path.join(project, 'r/mem.sock')

/** Waits until the service answers; it may end before that. */
async function ask(
  scene: Scene,
  request: object,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  for (let tries = 0; ; tries++) {
    try {
      return await askService(socket(scene), request)
    } catch (error) {
      if (tries === 1000 || signal?.aborted === true) throw error
      await sleep(20)
    }
  }
}

const request =
  (message: object): UseService =>
  async (scene, signal) => {
    await ask(scene, { type: 'ping' }, signal)
    signal?.throwIfAborted()
    // Not repeated: a lost answer is an error.
    const { type, message: error } = await askService(socket(scene), message)
    return type === 'ok' ? undefined : String(error)
  }

const append = (content: string) =>
  request({ type: 'append_history', channel_id: 'c', messages: [{ role: 'user', content }] })

/** Runs the service without faults for one request. */
async function withService<Result>(
  scene: Scene,
  use: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const child = scene.start('zino', mem)
  const ended = once(child, 'close')
  child.stdout?.resume()
  child.stderr?.resume()
  try {
    return await use(scene)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const mem = ['mem', '--config', 'ZINO.toml']

async function prepare(scene: Scene): Promise<void> {
  writeFileSync(path.join(scene.project, 'ZINO.toml'), config)
  const failure = await withService(scene, append('first message'))
  if (failure !== undefined) throw new Error(failure)
  await withService(scene, request({ type: 'set_soft', content: 'first soft' }))
}

async function stored(scene: Scene): Promise<string> {
  return withService(scene, async () => {
    const history = await ask(scene, { type: 'get_history', channel_id: 'c' })
    return JSON.stringify([history, await ask(scene, { type: 'get_soft' })])
  })
}

async function checkKept(scene: Scene): Promise<void> {
  const text = await stored(scene)
  if (!text.includes('first message')) throw new Error('the first message is gone')
  if (!/(?:first|second) soft/.test(text)) throw new Error('the soft memory is gone')
}

const base = { program: 'zino', args: mem, needsProcess: true, prepare, checkKept } as const

export const zinoServices: readonly SweptCommand[] = [
  {
    ...base,
    name: 'mem, append_history',
    use: append('second message'),
    isDone: async (scene) => (await stored(scene)).includes('second message'),
  },
  {
    ...base,
    name: 'mem, set_soft',
    use: request({ type: 'set_soft', content: 'second soft' }),
    isDone: async (scene) => (await stored(scene)).includes('second soft'),
  },
]
