// `zeno serve --socket`: one shared server for several clients, and the commands that use it.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createConnection, createServer } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import type { Sandbox } from './sandbox.ts'
import { createSandbox, readEvents } from './sandbox.ts'

let box: Sandbox
let runtime: string
beforeEach(() => {
  box = createSandbox({ 'a.txt': 'one word\n', 'sub/b.txt': 'two words\n' })
  runtime = path.join(box.base, 'run')
  mkdirSync(runtime, { mode: 0o700 })
})
afterEach(() => box.remove())

interface Running {
  child: ChildProcess
  file: string
  stderr(): string
}

/** Starts a server and waits until it listens. */
async function start(socket: string, args: string[] = []): Promise<Running> {
  const child = spawn(
    builtProgram('zeno'),
    ['serve', '--root', box.root, '--socket', socket, ...args],
    { env: { ...process.env, XDG_RUNTIME_DIR: runtime }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let stderr = ''
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const file = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk)
      const found = /zeno: listening on (.*)\n/.exec(stderr)
      if (found !== null) resolve(found[1] as string)
    })
    child.once('exit', () => reject(new Error(stderr)))
  })
  return { child, file, stderr: () => stderr }
}

async function ask(file: string, lines: string): Promise<{ id: unknown; ok: boolean }[]> {
  const socket = createConnection({ path: file, allowHalfOpen: true })
  socket.end(lines)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: unknown; ok: boolean })
}

const grep = (id: string): string =>
  `${JSON.stringify({ id, op: 'grep', args: { pattern: 'word' } })}\n`

function send(args: string[] = []) {
  const request = ['send', '--root', box.root, '--op', 'grep', '--args', '{"pattern":"word"}']
  return box.zeno([...request, ...args], { env: { XDG_RUNTIME_DIR: runtime } })
}

describe('zeno serve --socket', () => {
  it('answers concurrent clients, each in the order of its requests', async () => {
    const { file } = await start(path.join(box.base, 'zeno.sock'))
    const clients = await Promise.all(
      [0, 1, 2, 3].map((client) => ask(file, grep(`${client}a`) + grep(`${client}b`) + 'no\n')),
    )
    for (const [client, answers] of clients.entries()) {
      expect(answers.map(({ id }) => id)).toEqual([`${client}a`, `${client}b`, null])
      expect(answers.map(({ ok }) => ok)).toEqual([true, true, false])
    }
  })

  it('creates a socket that only its owner can reach', async () => {
    const { file } = await start(path.join(box.base, 'zeno.sock'))
    expect(lstatSync(file).mode & 0o777).toBe(0o600)
    const usual = await start('auto')
    expect(path.dirname(usual.file)).toBe(path.join(runtime, 'zeno'))
    expect(lstatSync(path.dirname(usual.file)).mode & 0o777).toBe(0o700)
  })

  it('refuses to replace a live server', async () => {
    const { file } = await start(path.join(box.base, 'zeno.sock'))
    await expect(start(file)).rejects.toThrow('another server is listening')
    expect(await ask(file, grep('1'))).toMatchObject([{ id: '1', ok: true }])
  })

  it('refuses to remove a file that is not a socket', async () => {
    const file = path.join(box.base, 'precious')
    writeFileSync(file, 'precious')
    await expect(start(file)).rejects.toThrow('is not a socket')
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  it('replaces the stale socket of a killed server', async () => {
    const { child, file } = await start(path.join(box.base, 'zeno.sock'))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(file)).toBe(true)
    await start(file)
    expect(await ask(file, grep('1'))).toMatchObject([{ id: '1', ok: true }])
  })

  it('exits 0 on SIGTERM and removes its socket', async () => {
    const { child, file } = await start(path.join(box.base, 'zeno.sock'))
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(existsSync(file)).toBe(false)
  })

  it('gives every client a separate budget', async () => {
    const { file } = await start(path.join(box.base, 'zeno.sock'), ['--budget', 'ops=1'])
    for (const client of ['1', '2']) {
      expect(await ask(file, grep(client) + grep('more'))).toMatchObject([
        { ok: true },
        { ok: false },
      ])
    }
  })

  it('keeps serving when a client disconnects during a request', async () => {
    const { file } = await start(path.join(box.base, 'zeno.sock'))
    for (let count = 0; count < 20; count++) {
      const socket = createConnection(file)
      await once(socket, 'connect')
      socket.write(grep('1') + '{"id":')
      socket.destroy()
    }
    expect(await ask(file, grep('1'))).toMatchObject([{ id: '1', ok: true }])
  })
})

interface IndexFacts {
  state: string
  pending: number
  handed_over: number
  searching: number
}

async function indexOf(file: string): Promise<IndexFacts> {
  const [answer] = await ask(file, '{"id":"i","op":"index_stats"}\n')
  return ((answer as { result?: { index?: unknown } }).result?.index ?? {}) as IndexFacts
}

/** Sends requests until the index stats satisfy the condition. */
async function until(
  file: string,
  holds: (index: IndexFacts) => boolean,
  question = '',
): Promise<void> {
  while (!holds(await indexOf(file))) await ask(file, question)
}

const regex = (id: string, pattern: string): string => {
  const args = { pattern, regex: true, mode: 'count' }
  return `${JSON.stringify({ id, op: 'grep', args })}\n`
}

describe('a connection to zeno serve --socket', () => {
  it('gets an answer to a last request without a newline', async () => {
    const { file } = await start(path.join(box.base, 'zeno.sock'))
    const answers = await ask(file, grep('a') + grep('b').trimEnd())
    expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
      ['a', true],
      ['b', true],
    ])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'does not keep the server alive after %s',
    async (signal) => {
      const { child, file } = await start(path.join(box.base, 'zeno.sock'))
      const socket = createConnection(file)
      onTestFinished(() => void socket.destroy())
      socket.write(grep('a'))
      await once(socket, 'data')
      child.kill(signal)
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(existsSync(file)).toBe(false)
    },
  )
})

describe('a client that disconnects', () => {
  it('cancels its search, whether its sending side was open or half-closed', async () => {
    // Every line matches, so the search takes seconds.
    const text = 'a\n'.repeat(900_000)
    box.put(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`many/f${at}`, text])))
    const log = path.join(box.base, 'trace.jsonl')
    const { file } = await start(path.join(box.base, 'zeno.sock'), ['--log', log])
    await until(file, (index) => index.handed_over > 0, regex('warm', '[xyz]q'))
    for (const half of [false, true]) {
      const before = await indexOf(file)
      const socket = createConnection({ path: file, allowHalfOpen: true })
      if (half) socket.end(regex('left', '[a-z]'))
      else socket.write(regex('left', '[a-z]'))
      await until(file, (index) => index.handed_over > before.handed_over && index.searching > 0)
      socket.destroy()
      await until(file, ({ searching }) => searching === 0)
    }
    const events = readFileSync(log, 'utf8').split('\n')
    const ofClient = events.filter((line) => line.includes('"id":"left"'))
    expect(ofClient.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
      'request',
      'request',
    ])
    expect(await ask(file, grep('1'))).toMatchObject([{ id: '1', ok: true }])
  })
})

describe('zeno send with a shared server', () => {
  it('uses the server on the default socket unless --private is set', async () => {
    const { file } = await start('auto', ['--log', path.join(box.base, 'trace.jsonl')])
    const { code, stdout } = await send()
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      result: { hits: [{ path: 'a.txt' }, {}] },
    })
    // The server records the response of a request after it has sent it.
    const requests = (): string[] =>
      readFileSync(path.join(box.base, 'trace.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"event":"request"'))
    const [greeting, search, ...others] = requests()
    expect([greeting, search, others]).toEqual([
      expect.stringContaining('"op":"stat"'),
      expect.stringContaining('"op":"grep"'),
      [],
    ])
    await send(['--private'])
    expect(requests()).toHaveLength(2)
    expect(existsSync(file)).toBe(true)
  })

  it.each(['..trace.jsonl', 'sub/trace.jsonl'])(
    'reads the files itself if its trace %s is inside the root',
    async (name) => {
      await start('auto')
      symlinkSync(box.root, path.join(box.base, 'link'))
      for (const folder of ['root', 'link']) {
        const log = path.join(box.base, folder, name)
        const { stdout } = await send([
          '--log',
          log,
          '--args',
          '{"pattern":"word","include_hidden":true}',
        ])
        expect(JSON.parse(stdout)).toMatchObject({ result: { hits: [{}, {}] } })
      }
    },
  )

  it('sees every write that ended before the request', async () => {
    await start('auto')
    for (let round = 0; round < 10; round++) {
      box.put({ 'new.txt': `word number ${round}\n` })
      const { stdout } = await send()
      expect(stdout).toContain(`word number ${round}`)
    }
  })

  it('reads the files itself if no zeno server is listening', async () => {
    const { file, child } = await start('auto')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect((await send()).code).toBe(0)
    const other = createServer((socket) => socket.end('{"id":1,"ok":true,"result":{}}\n'))
    await new Promise<void>((resolve) => {
      other.listen(path.join(box.base, 'other.sock'), () => resolve())
    })
    onTestFinished(() => void other.close())
    const { stdout } = await send(['--socket', path.join(box.base, 'other.sock')])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: { hits: [{}, {}] } })
    expect(existsSync(file)).toBe(true)
  })

  it('ignores a socket in a folder that other users can write to', async () => {
    const { stderr } = await start('auto', ['--log', path.join(box.base, 'trace.jsonl')])
    chmodSync(path.join(runtime, 'zeno'), 0o777)
    expect((await send()).code).toBe(0)
    expect(existsSync(path.join(box.base, 'trace.jsonl'))).toBe(true)
    expect(readFileSync(path.join(box.base, 'trace.jsonl'), 'utf8')).toBe('')
    expect(stderr()).toContain('listening')
  })

  it('passes on the call_id of a request, and the events of an agent', async () => {
    const log = path.join(box.base, 'trace.jsonl')
    await start('auto', ['--log', log])
    const env = { XDG_RUNTIME_DIR: runtime }
    const requests = [
      { id: 'r1', op: 'read_file', args: { path: 'a.txt' }, call_id: 'S7' },
      { id: 'r2', op: 'event', args: { event: 'claim', claim_id: 'C1' }, call_id: 'S8' },
    ]
    for (const request of requests) {
      const args = ['send', '--root', box.root, '--request', JSON.stringify(request)]
      expect(await box.zeno(args, { env })).toMatchObject({ code: 0 })
    }
    const rows = readEvents(log)
    const read = { op: 'read_file', call_id: 'S7' }
    expect(rows).toContainEqual(expect.objectContaining({ event: 'request', ...read }))
    expect(rows).toContainEqual(expect.objectContaining({ event: 'response', ...read }))
    expect(rows).toContainEqual(expect.objectContaining({ op: 'event', call_id: 'S8' }))
    expect(rows).toContainEqual(expect.objectContaining({ event: 'claim', claim_id: 'C1' }))
  })

  it('prints the error answers of the shared server and exits 1', async () => {
    await start('auto')
    const args = ['send', '--root', box.root, '--op', 'read_file', '--args', '{"path":"../x"}']
    const { code, stdout } = await box.zeno(args, { env: { XDG_RUNTIME_DIR: runtime } })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: 'path outside root' } })
  })
})
