// Interrupts in every phase: zdx exits at once, records one line and leaves no process.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/fake-anthropic.ts'
import {
  answer,
  messageStart,
  openStream,
  say,
  status,
  textDelta,
  textStart,
} from '../../support/fake-anthropic.ts'
import { childProgram } from '../../support/paths.ts'
import { isRunning } from './processes.ts'
import { until } from './sandbox.ts'
import { withServer } from './with-server.ts'

const at = withServer()

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stderr: string
  ms: number
}

/** Starts exec, waits until `reached`, sends the signal, waits for the end. */
async function interruptWhen(
  reached: (child: ChildProcess, stderr: () => string) => Promise<unknown>,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<Ended> {
  const child = at.box.start(['exec', '-p', 'go', '--session', 's'])
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  await reached(child, () => stderr)
  const started = performance.now()
  child.kill(signal)
  const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal: by, stderr, ms: performance.now() - started }
}

const requested = () => until(() => at.server.requests.length > 0)

const phases: [string, Answer, (child: ChildProcess, stderr: () => string) => Promise<unknown>][] =
  [
    ['waiting for the answer', () => {}, requested],
    [
      'streaming',
      (_request, response) => {
        openStream(response)
        response.write(messageStart() + textStart() + textDelta('half'))
      },
      (child) => once(child.stdout as NodeJS.ReadableStream, 'data'),
    ],
    [
      'waiting for a retry',
      status(529, 'busy', { 'retry-after': '9' }),
      (_child, stderr) => until(() => stderr().includes('trying again')),
    ],
    [
      'running a tool',
      answer({ tool: 'bash', input: { command: 'trap "" TERM; sleep 300 & echo $! > pid; wait' } }),
      async () => {
        await requested()
        await until(() => pidOf() > 0)
      },
    ],
  ]

function pidOf(): number {
  try {
    return Number(readFileSync(`${at.box.root}/pid`, 'utf8'))
  } catch {
    return 0
  }
}

describe.each(phases)('an interrupt while %s', (_name, how, reached) => {
  it('exits 130 at once, writes one session line and leaves no process', async () => {
    at.respond = how
    const { code, stderr, ms } = await interruptWhen(reached)
    expect(code).toBe(130)
    expect(ms).toBeLessThan(5000)
    expect(stderr).toContain('\n^C Interrupted.\n')
    expect(stderr).not.toMatch(/Error|execute prompt|    at /)
    const lines = at.box.session('s')
    expect(lines.filter(({ type }) => type === 'interrupted')).toEqual([
      { type: 'interrupted', role: 'system', text: 'Interrupted', ts: expect.any(String) },
    ])
    if (pidOf() > 0) expect(isRunning(pidOf())).toBe(false)
    at.respond = say('back')
    expect(await at.box.exec('again', '--session', 's')).toMatchObject({
      code: 0,
      stdout: 'back\n',
    })
  })
})

describe('an interrupt during connect', () => {
  /** The number of connections to a port in state SYN_SENT. */
  function waiting(port: number): number {
    const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 02 `
    return readFileSync('/proc/net/tcp', 'utf8').split(remote).length - 1
  }

  it('exits at once', async () => {
    const listener = spawn(process.execPath, [childProgram('llm', 'full-backlog')])
    const [line] = (await once(listener.stdout, 'data')) as [Buffer]
    const port = Number(line.toString())
    const fillers: Socket[] = []
    try {
      while (waiting(port) === 0) {
        fillers.push(connect(port, '127.0.0.1').on('error', () => {}))
        await sleep(20)
      }
      const before = waiting(port)
      at.box.env.ANTHROPIC_BASE_URL = `http://127.0.0.1:${port}`
      const { code, stderr } = await interruptWhen(() => until(() => waiting(port) > before))
      expect(code).toBe(130)
      expect(stderr).toContain('\n^C Interrupted.\n')
      expect(stderr).not.toMatch(/Error|trying again/)
      expect(at.box.session('s').at(-1)).toMatchObject({ type: 'interrupted' })
    } finally {
      for (const socket of fillers) socket.destroy()
      listener.kill('SIGKILL')
      await once(listener, 'close')
    }
  })
})

describe('a termination signal', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s cleans up like SIGINT and exits %i', async (signal, expected) => {
    at.respond = () => {}
    const { code } = await interruptWhen(requested, signal)
    expect(code).toBe(expected)
    expect(at.box.session('s').at(-1)).toMatchObject({ type: 'interrupted' })
  })
})

describe('an interrupt in a chat', () => {
  it('stops the turn and returns to the prompt', async () => {
    at.respond = () => {}
    const child = at.box.start([])
    let stderr = ''
    let stdout = ''
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    child.stdout?.on('data', (chunk) => (stdout += chunk))
    child.stdin?.write('first\n')
    await requested()
    at.respond = say('second answer')
    child.kill('SIGINT')
    await until(() => stderr.includes('^C Interrupted.'))
    child.stdin?.end('second\n:q\n')
    const [code] = await once(child, 'close')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'second answer\n' })
  })

  it('quits at an idle prompt', async () => {
    const child = at.box.start([])
    let stderr = ''
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    await until(() => stderr.includes('you> '))
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
  })
})

describe('an interrupt while the prompt is read from standard input', () => {
  it('exits at once without a request or a session', async () => {
    const child = at.box.start(['exec', '-p', '-'])
    // More than the pipe buffer holds: once it is written, the program is reading.
    await new Promise((resolve) => child.stdin?.write('x'.repeat(4_000_000), resolve))
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    expect(at.server.requests).toHaveLength(0)
    expect(at.box.sessionIds()).toEqual([])
  })
})

describe('a second interrupt', () => {
  it('exits at once and kills a command that ignores SIGTERM', async () => {
    at.respond = answer({
      tool: 'bash',
      input: { command: 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done' },
    })
    const child = at.box.start(['exec', '-p', 'go', '--session', 's'])
    await until(() => pidOf() > 0)
    child.kill('SIGINT')
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    await until(() => !isRunning(pidOf()))
  })
})

describe('an interrupt before the first request', () => {
  it.each(['exec', 'chat'])('exits %s at once and creates no session', async (what) => {
    const listing = createServer()
    await once(listing.listen(0, '127.0.0.1'), 'listening')
    const { port } = listing.address() as AddressInfo
    at.box.config(
      `[providers.mine]\nwire = "openai-chat"\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
    )
    const args = what === 'exec' ? ['exec', '-p', 'go'] : []
    const child = at.box.start([...args, '--provider', 'mine', '--session', 's'])
    const stderr = text(child.stderr as Readable)
    await once(listing, 'request')
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
    expect(await stderr).toBe('\n^C Interrupted.\n')
    expect(at.box.sessionIds()).toEqual([])
    listing.closeAllConnections()
    listing.close()
  })
})
