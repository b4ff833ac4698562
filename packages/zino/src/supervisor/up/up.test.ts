import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerOf, lastOf } from '../../../test/caller.ts'
import { fakeApi, says } from '../../../test/fake-api.ts'
import { Program } from '../../../test/program.ts'
import { until } from '../../../test/until.ts'
import { serviceNames } from '../../services/services.ts'

describe('zino up', () => {
  it('starts seven services, reports it once, and stops them cleanly', async () => {
    const zino = new Program()
    const up = await zino.up()
    expect(up.out.match(/zino is up/g)).toHaveLength(1)
    const pids = serviceNames.map((name) => zino.pidOf(name))
    expect(new Set(pids).size).toBe(7)
    for (const name of serviceNames) {
      expect(await zino.answers(name)).toBe(true)
      expect(statSync(zino.socket(name)).mode & 0o007).toBe(0)
    }
    const began = performance.now()
    const ended = await up.stop()
    expect(performance.now() - began).toBeLessThan(4000)
    expect(ended.code).toBe(0)
    expect(zino.processes()).toEqual([])
    for (const name of [...serviceNames, 'control']) {
      expect(existsSync(zino.socket(name))).toBe(false)
    }
    for (const line of ended.err.trim().split('\n')) {
      expect(line).toMatch(/^zino\.[a-z]+ (DEBUG|INFO|WARNING|ERROR) \S/)
    }
  })

  it('restarts a killed service and leaves the others alone', async () => {
    const zino = new Program()
    await zino.up()
    const before = new Map(serviceNames.map((name) => [name, zino.pidOf(name)]))
    for (const name of ['rtr', 'mem', 'daemon'] as const) {
      process.kill(before.get(name) as number, 'SIGKILL')
      await until(async () => {
        const pid = zino.pidOf(name)
        return pid !== undefined && pid !== before.get(name) && (await zino.answers(name))
      })
    }
    for (const name of ['agr', 'sys', 'exc', 'ctx']) {
      expect(zino.pidOf(name)).toBe(before.get(name as 'agr'))
    }
    const status = await zino.run(['status', '--json', '--config', zino.config])
    expect(status.code).toBe(0)
    const { services } = JSON.parse(status.out) as { services: Record<string, unknown>[] }
    const rtr = services.find(({ name }) => name === 'rtr')
    expect(rtr).toMatchObject({ state: 'up', restarts: 1, last_end: 'killed by SIGKILL' })
    expect(Number(rtr?.rss_bytes)).toBeGreaterThan(1e6)
  })

  it('leaves no service running when the supervisor is killed', async () => {
    const zino = new Program()
    const up = await zino.up()
    await up.stop('SIGKILL')
    await until(() => zino.processes().length === 0, 8000)
    for (const name of serviceNames) expect(existsSync(zino.socket(name))).toBe(false)
    const again = await zino.up()
    expect((await again.stop()).code).toBe(0)
  })

  it.each(['daemon', 'rtr', 'mem'])('stops within 5 s although %s hangs', async (name) => {
    const zino = new Program()
    const up = await zino.up()
    process.kill(zino.pidOf(name) as number, 'SIGSTOP')
    const began = performance.now()
    expect((await up.stop()).code).toBe(0)
    expect(performance.now() - began).toBeLessThan(5000)
    expect(zino.processes()).toEqual([])
  })

  it('refuses a second supervisor and leaves the first alone', async () => {
    const zino = new Program()
    await zino.up()
    const second = await zino.run(['up', '--config', zino.config])
    expect(second.code).toBe(1)
    expect(second.err).toMatch(/already up/)
    expect(await zino.answers('daemon')).toBe(true)
  })

  it('creates nothing when the configuration is invalid', async () => {
    const zino = new Program()
    writeFileSync(zino.config, '[sys\n')
    const broken = await zino.run(['up', '--config', zino.config])
    expect(broken).toMatchObject({ code: 1, out: '' })
    expect(broken.err).toMatch(/ZINO\.toml:1/)
    expect(existsSync(path.join(zino.folder, 'r'))).toBe(false)
    const long = new Program({ daemon: { socket: `${'x'.repeat(120)}.sock` } })
    expect((await long.run(['up', '--config', long.config])).err).toMatch(/107/)
  })

  it('keeps restarting a service that cannot start, with growing pauses', async () => {
    const zino = new Program()
    await zino.serve('sys')
    const up = zino.start(['up', '--config', zino.config])
    await until(() => (up.err.match(/sys ended/g) ?? []).length >= 2)
    expect(await zino.answers('ctx')).toBe(true)
    expect(up.err).toMatch(/sys ended \(exit code 1\); restarting in 0\.1 s/)
    expect(up.err).toMatch(/sys ended \(exit code 1\); restarting in 0\.2 s/)
    const status = await zino.run(['status', '--config', zino.config])
    expect(status.out).toContain('sys')
    expect((await up.stop()).code).toBe(0)
    expect(await zino.answers('sys')).toBe(true)
  })

  it('answers through all services and keeps the channel history', async () => {
    const api = await fakeApi(says('hello there'))
    const zino = new Program({ api: { base_url: api.base } })
    await zino.up()
    const daemon = zino.socket('daemon')
    const frames = await answerOf(daemon, { message: 'hi', channel_id: 'c', stream: true })
    expect(frames.at(-1)).toMatchObject({ type: 'done', full_text: 'hello there' })
    await answerOf(daemon, { message: 'again', channel_id: 'c' })
    expect(api.requests[1]?.body.messages).toEqual([
      { role: 'system', content: 'SYS ' },
      { role: 'user', content: 'example [KCR] draft' },
      { role: 'assistant', content: '#!/bin/bash\ntrue' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello there' },
      { role: 'user', content: 'again' },
    ])
  })
})

describe('zino reload', () => {
  it('restarts the services whose settings changed, and starts and stops the bridge', async () => {
    const zino = new Program({ http: { port: 0, enabled: false } })
    const up = await zino.up()
    const file = readFileSync(zino.config, 'utf8')
    const before = new Map(serviceNames.map((name) => [name, zino.pidOf(name)]))
    const reload = async (text: string) => {
      writeFileSync(zino.config, text)
      return (await zino.run(['reload', '--config', zino.config])).out
    }
    expect(await reload(file)).toBe('reloaded\n')
    const changed = `${file}\n[ctx.x]\n`.replace('[ctx]', '[ctx]\nhistory_limit = 7')
    expect(await reload(changed)).toBe('reloaded; restarted ctx\n')
    for (const name of serviceNames) {
      expect(zino.pidOf(name) === before.get(name), name).toBe(name !== 'ctx')
    }
    expect(zino.processes().length).toBe(8)
    const bridged = changed.replace('enabled = false', 'enabled = true')
    expect(await reload(bridged)).toBe('reloaded; restarted exc; started http\n')
    const { url } = await lastOf(zino.socket('http'), { type: 'address' })
    expect((await fetch(`${String(url)}healthz`)).status).toBe(200)
    const status = await zino.run(['status', '--config', zino.config])
    expect(status.out).toMatch(/^http +up/m)
    expect(await reload(changed)).toBe('reloaded; restarted exc; stopped http\n')
    expect(zino.processes().length).toBe(8)
    expect((await up.stop()).code).toBe(0)
  })
})

describe('zino up --detach', () => {
  it('returns when all services answer; status, logs and stop then work', async () => {
    const zino = new Program()
    const started = await zino.run(['up', '--detach', '--config', zino.config])
    expect(started).toMatchObject({ code: 0, err: '' })
    expect(started.out).toMatch(/^zino is up/)
    for (const name of serviceNames) expect(await zino.answers(name)).toBe(true)
    const status = await zino.run(['status', '--config', zino.config])
    expect(status.code).toBe(0)
    for (const name of serviceNames) expect(status.out).toContain(name)
    const logs = await zino.run(['logs', '--config', zino.config])
    expect(logs.out).toMatch(/^\d{4}-\d\d-\d\dT\S+Z zino\.\w+ (INFO|WARNING) /)
    const own = await zino.run(['logs', 'rtr', '--config', zino.config])
    expect(own.out).toContain('zino.rtr INFO listening')
    expect(own.out).not.toContain('zino.ctx')
    const stopped = await zino.run(['stop', '--config', zino.config])
    expect(stopped).toMatchObject({ code: 0, out: 'zino has stopped\n' })
    await until(() => zino.processes().length === 0)
    const down = await zino.run(['status', '--config', zino.config])
    expect(down.code).toBe(1)
    expect(down.out).toContain('no supervisor')
    const again = await zino.run(['stop', '--config', zino.config])
    expect(again).toMatchObject({ code: 0, out: 'zino is not up\n' })
  })

  it('reports why it did not start', async () => {
    const zino = new Program()
    await zino.up()
    const second = await zino.run(['up', '--detach', '--config', zino.config])
    expect(second).toMatchObject({ code: 1, out: '' })
    expect(second.err).toMatch(/^zino: zino is already up/)
  })

  it('lets zino logs --follow print new lines', async () => {
    const zino = new Program()
    await zino.run(['up', '-d', '--config', zino.config])
    const follow = zino.start(['logs', '-f', 'sys', '--config', zino.config])
    await until(() => follow.out.includes('listening'))
    await lastOf(zino.socket('sys'), { type: 'reload' })
    await until(() => (follow.out.match(/system prompt of/g) ?? []).length >= 2)
    follow.child.kill('SIGKILL')
    await zino.run(['stop', '--config', zino.config])
  })
})

describe('a single service', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('exits with code 0 after %s', async (signal) => {
    const zino = new Program()
    const sys = await zino.serve('sys')
    const ended = await sys.stop(signal)
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(existsSync(zino.socket('sys'))).toBe(false)
  })

  it('reloads its definitions on SIGHUP', async () => {
    const zino = new Program()
    const exc = await zino.serve('exc')
    const tool = { meta: { executor: 'sh', file_extension: '.sh' } }
    writeFileSync(path.join(zino.folder, 'tools/sh.json'), JSON.stringify(tool))
    exc.child.kill('SIGHUP')
    await until(async () => {
      const { executors } = await lastOf(zino.socket('exc'), { type: 'capabilities' })
      return Object.keys(executors as object).includes('sh')
    })
  })

  it('replaces the socket of a killed service and refuses that of a live one', async () => {
    const zino = new Program()
    const first = await zino.serve('ctx')
    await first.stop('SIGKILL')
    expect(existsSync(zino.socket('ctx'))).toBe(true)
    await zino.serve('ctx')
    const second = await zino.run(['ctx', '--config', zino.config])
    expect(second.code).toBe(1)
    expect(second.err).toMatch(/^zino: a service is already running at /)
    expect(await zino.answers('ctx')).toBe(true)
  })

  it.each([
    ['a missing file', ['sys', '--config', 'absent.toml'], /absent\.toml/],
    ['a value of the wrong kind', ['sys', '-c', 'kind.toml'], /kind\.toml:2.*template/],
    ['an unknown flag', ['sys', '--nope'], /--nope/],
    ['an unknown command', ['nope'], /nope/],
  ])('reports %s in one line and creates no socket', async (_name, args, words) => {
    const zino = new Program()
    writeFileSync(path.join(zino.folder, 'kind.toml'), '[sys]\ntemplate = 5\n')
    const ended = await zino.run(args)
    expect(ended.code).not.toBe(0)
    expect(ended.err).toMatch(words)
    expect(ended.err.trim().split('\n')).toHaveLength(1)
    expect(existsSync(path.join(zino.folder, 'r'))).toBe(false)
  })

  it('writes no API key to its log', async () => {
    const key = 'sk-very-secret-key-42'
    const zino = new Program(
      { api: { key, base_url: 'http://127.0.0.1:9' } },
      { ZINO_LOG_LEVEL: 'debug' },
    )
    const rtr = await zino.serve('rtr')
    await lastOf(zino.socket('rtr'), { type: 'infer', messages: [{ role: 'user', content: key }] })
    expect((await rtr.stop()).err).not.toContain(key)
  })

  it('keeps running when its stderr is closed', async () => {
    const zino = new Program()
    const sys = await zino.serve('sys')
    sys.child.stderr?.destroy()
    for (let n = 0; n < 5; n += 1) await lastOf(zino.socket('sys'), { type: 'reload' })
    expect(await zino.answers('sys')).toBe(true)
    expect(readFileSync(zino.config, 'utf8')).toContain('[sys]')
  })
})
