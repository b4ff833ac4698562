// The processes of the built program: sockets, signals, the supervisor, logs, unusable folders.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { fakeOpenAi, slowly } from '../../support/fake-openai.ts'
import type { SandboxOptions } from './sandbox.ts'
import { Sandbox, services, until } from './sandbox.ts'
import { Caller } from './wire.ts'

let model: FakeOpenAi
let box: Sandbox
beforeEach(async () => {
  model = await fakeOpenAi()
})
afterEach(async () => {
  await box.remove()
  await model.close()
})

function sandbox(options: SandboxOptions = {}): Sandbox {
  box = new Sandbox({ base: model.base, ...options })
  return box
}

const modeOf = (file: string) => statSync(file).mode & 0o777

describe('a service as a process', () => {
  it('gives others no rights on its socket and folder, and removes the socket on exit', async () => {
    const zino = sandbox()
    const before = process.umask(0)
    const [running] = await zino.serve('sys').finally(() => process.umask(before))
    expect(modeOf(zino.at('r'))).toBe(0o750)
    expect(modeOf(zino.socket('sys')) & 0o007).toBe(0)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const again = signal === 'SIGTERM' ? running : (await zino.serve('sys'))[0]
      expect(await again?.stop(signal)).toMatchObject({ code: 0, signal: null })
      expect(existsSync(zino.socket('sys'))).toBe(false)
    }
  })

  it('replaces the socket of a dead service, never that of a live one or a file', async () => {
    const zino = sandbox()
    const [first] = await zino.serve('sys')
    await first?.stop('SIGKILL')
    expect(existsSync(zino.socket('sys'))).toBe(true)
    await zino.serve('sys')
    const second = await zino.zino(['sys', '--config', zino.config])
    expect(second.code).not.toBe(0)
    expect(second.stderr).toMatch(/^zino: [^\n]*already[^\n]*\n$/m)
    expect(await zino.answers('sys')).toBe(true)
    writeFileSync(zino.socket('ctx'), 'precious')
    const third = await zino.zino(['ctx', '--config', zino.config])
    expect(third.code).not.toBe(0)
    expect(readFileSync(zino.socket('ctx'), 'utf8')).toBe('precious')
  })

  it('reports a socket path that is too long and a folder that cannot be created', async () => {
    const zino = sandbox({ over: { sys: { socket: `${'/tmp/'.padEnd(120, 'x')}/s.sock` } } })
    const long = await zino.zino(['sys', '--config', zino.config])
    expect(long.code).not.toBe(0)
    expect(long.stderr).toMatch(/bytes/)
    await zino.remove()
    for (const socket of ['/proc/zino/sys.sock', '/dev/null/sys.sock']) {
      const other = sandbox({ over: { sys: { socket } } })
      const ran = await other.zino(['sys', '--config', other.config])
      expect(ran.code).toBe(1)
      expect(ran.stderr).toMatch(/^zino: cannot [^\n]+\n$/m)
      await other.remove()
    }
  })

  it('finishes a short request, fails a long one, and exits within 4 s', async () => {
    const zino = sandbox()
    const [rtr] = await zino.serve('rtr')
    model.answer = ({ body }) =>
      body.messages[0]?.content === 'short' ? slowly(300, 'a', 'b') : slowly(60_000, 'a', 'b')
    const callers = []
    for (const content of ['short', 'long']) {
      const caller = await Caller.open(zino.socket('rtr'))
      caller.send({ type: 'infer', messages: [{ role: 'user', content }], stream: true })
      expect(await caller.next()).toMatchObject({ type: 'chunk' })
      callers.push(caller)
    }
    const idle = await Caller.open(zino.socket('rtr'))
    const began = performance.now()
    const ended = rtr?.stop()
    expect(await idle.next()).toBeUndefined()
    expect((await callers[0]?.answer())?.at(-1)).toMatchObject({ type: 'done', full_text: 'ab' })
    expect((await callers[1]?.answer())?.at(-1)).toMatchObject({ type: 'error' })
    expect(await ended).toMatchObject({ code: 0 })
    expect(performance.now() - began).toBeLessThan(4000)
  })

  it('logs at the level of ZINO_LOG_LEVEL, else of the file, and contents only at debug', async () => {
    const zino = sandbox({ over: { logging: { level: 'debug' } } })
    const [sys, ctx] = await zino.serve('sys', 'ctx')
    await zino.ask('ctx', { type: 'build', user_message: 'a\nb' })
    const { stderr } = (await ctx?.stop()) ?? { stderr: '' }
    for (const line of stderr.trimEnd().split('\n'))
      expect(line).toMatch(/^zino\.ctx (DEBUG|INFO|WARNING|ERROR) \S/)
    expect((await sys?.stop())?.stderr).toContain('zino.sys DEBUG')
    zino.env.ZINO_LOG_LEVEL = 'Error'
    const [quiet] = await zino.serve('sys')
    expect((await quiet?.stop())?.stderr).toBe('')
    zino.env.ZINO_LOG_LEVEL = 'nonsense'
    const [defaultLevel] = await zino.serve('sys')
    const lines = (await defaultLevel?.stop())?.stderr
    expect(lines).toContain('zino.sys INFO')
    expect(lines).not.toContain('DEBUG')
  })
})

describe('zino up', () => {
  it('starts seven services, reports it once, and stops all of them within 4 s', async () => {
    const zino = sandbox()
    const up = await zino.up()
    for (const name of services) expect(await zino.answers(name)).toBe(true)
    const began = performance.now()
    const ran = await up.stop()
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout.match(/zino is up/g)).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(4000)
    expect(zino.processes()).toEqual([])
    for (const name of services) expect(existsSync(zino.socket(name))).toBe(false)
  })

  it('hides the API key from executed code and passes it to rtr', async () => {
    const zino = sandbox({ over: { api: { key: '' } } })
    await zino.up({ LLM_API_KEY: 'sk-env-012345678' })
    const code = 'cat /proc/$PPID/environ'
    const result = await zino.ask('exc', { type: 'execute', executor: 'bash', code })
    expect(result).toMatchObject({ exit_code: 0 })
    expect(String(result.stdout)).toContain('ZINO_CONTRACT_MARK')
    expect(String(result.stdout)).not.toContain('sk-env')
    await zino.ask('daemon', { message: 'hello' })
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-env-012345678')
  })

  it('gives others no rights on the files of mem', async () => {
    const zino = sandbox()
    await zino.serve('mem')
    const messages = [{ role: 'user', content: 'x' }]
    await zino.ask('mem', { type: 'append_history', channel_id: 'a/b', messages })
    await zino.ask('mem', { type: 'store_hard', messages })
    await zino.ask('mem', { type: 'set_soft', content: 'x' })
    const folder = zino.at('data/mem')
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      expect([name, modeOf(path.join(folder, name)) & 0o077]).toEqual([name, 0])
    }
  })

  it('leaves no service running when the supervisor is killed', async () => {
    const zino = sandbox()
    const up = await zino.up()
    expect(zino.processes()).toHaveLength(8)
    up.child.kill('SIGKILL')
    await until(() => zino.processes().length === 0, 5000)
  })

  it('restarts a killed service within 3 s and leaves the others alone', async () => {
    const zino = sandbox()
    await zino.up()
    const before = new Map(services.map((name) => [name, zino.pidOf(name)]))
    process.kill(before.get('sys') as number, 'SIGKILL')
    const began = performance.now()
    await until(async () => zino.pidOf('sys') !== before.get('sys') && (await zino.answers('sys')))
    expect(performance.now() - began).toBeLessThan(3000)
    for (const name of services) expect(zino.pidOf(name) === before.get(name)).toBe(name !== 'sys')
    const { stdout, code } = await zino.zino(['status', '--json'])
    expect(code).toBe(0)
    const report = JSON.parse(stdout) as { services: { name: string; restarts: number }[] }
    expect(report.services.find(({ name }) => name === 'sys')?.restarts).toBe(1)
  })

  it('runs the other services when one cannot start', async () => {
    const zino = sandbox()
    const file = zino.socket('rtr')
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o750 })
    writeFileSync(file, 'not a socket')
    const up = zino.start(['up', '--config', zino.config])
    await until(() => (up.stderr.match(/rtr ended/g)?.length ?? 0) >= 2)
    expect(await zino.answers('sys')).toBe(true)
    expect(up.stderr).toContain(file)
    const status = await zino.zino(['status'])
    expect(status.code).toBe(1)
    expect(status.stdout).toMatch(/^rtr +(waiting|starting)/m)
    expect(status.stdout).toContain('exit code')
  })

  it('restarts services with the configuration it started with', async () => {
    const zino = sandbox()
    await zino.up()
    writeFileSync(zino.config, 'broken')
    const pid = zino.pidOf('sys') as number
    process.kill(pid, 'SIGKILL')
    await until(async () => zino.pidOf('sys') !== pid && (await zino.answers('sys')))
  })

  it('refuses a second supervisor', async () => {
    const zino = sandbox()
    await zino.up()
    const ran = await zino.zino(['up', '--config', zino.config])
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toMatch(/^zino: zino is already up[^\n]*\n$/)
    expect(await zino.answers('daemon')).toBe(true)
  })
})

describe('zino up --detach', () => {
  it('returns when all services answer; status, logs and stop then work', async () => {
    const zino = sandbox()
    expect((await zino.zino(['status'])).code).toBe(1)
    expect(await zino.zino(['stop'])).toMatchObject({ code: 0, stdout: 'zino is not up\n' })
    const noLogs = await zino.zino(['logs'])
    expect(noLogs).toMatchObject({ code: 1, stdout: '' })
    const up = await zino.zino(['up', '-d', '--config', zino.config])
    expect(up).toMatchObject({ code: 0, stderr: '' })
    expect(up.stdout).toMatch(/^zino is up: all 7 services answer/)
    const status = await zino.zino(['status'])
    expect(status.code).toBe(0)
    for (const name of services)
      expect(status.stdout).toMatch(
        new RegExp(`^${name} +up +\\d+ +0 +\\d+s +[\\d.]+ MiB +${name}\\.sock$`, 'm'),
      )
    expect(status.stdout).toContain(`sockets in ${zino.at('r')}\n`)
    const logs = await zino.zino(['logs', 'sys', '-n', '1'])
    expect(logs.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z zino\.sys INFO [^\n]+\n$/)
    expect(modeOf(zino.at('r/logs'))).toBe(0o750)
    expect(await zino.zino(['stop'])).toMatchObject({ code: 0, stdout: 'zino has stopped\n' })
    // The supervisor answers before its own process has exited.
    await expect.poll(() => zino.processes(), { timeout: 10_000 }).toEqual([])
  })

  it('reports why it did not start', async () => {
    const zino = sandbox()
    zino.put('r/control.sock', 'a file')
    const ran = await zino.zino(['up', '--detach', '--config', zino.config])
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^zino: [^\n]*control\.sock[^\n]*not a socket[^\n]*\n$/)
    const blocked = sandbox({ over: { logging: { dir: '/proc/zino' } } })
    const second = await blocked.zino(['up', '--detach', '--config', blocked.config])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(/^zino: cannot make the log folder[^\n]*\n$/)
  })

  it('keeps serving when its logs cannot be written', async () => {
    const zino = sandbox({ over: { logging: { dir: 'logs' } } })
    mkdirSync(zino.at('logs'))
    // Writing to it fails as on a full disk.
    for (const name of [...services, 'up']) symlinkSync('/dev/full', zino.at('logs', `${name}.log`))
    expect(await zino.zino(['up', '-d', '--config', zino.config])).toMatchObject({ code: 0 })
    for (let round = 0; round < 20; round += 1)
      expect(await zino.ask('daemon', { message: 'x' })).toMatchObject({ content: 'ok' })
    expect(await zino.zino(['stop'])).toMatchObject({ code: 0 })
  })
})

describe('zino in an unusual environment', () => {
  it('starts without HOME and with a read-only working directory', async () => {
    const zino = sandbox({ env: { HOME: undefined } })
    chmodSync(zino.at('home'), 0o500)
    const up = zino.start(['up', '--config', zino.config], { cwd: zino.at('home') })
    await until(() => up.stdout.includes('zino is up') || up.isOver)
    expect(await zino.answers('daemon')).toBe(true)
  })

  it('leaves the socket of another program alone', async () => {
    const zino = sandbox()
    mkdirSync(zino.at('r'))
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(zino.socket('mem'), resolve))
    const ran = await zino.zino(['mem', '--config', zino.config])
    expect(ran.code).not.toBe(0)
    expect(existsSync(zino.socket('mem'))).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })
})
