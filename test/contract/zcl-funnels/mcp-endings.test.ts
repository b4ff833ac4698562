import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, isAlive, rawServer, request, until, type Lab } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

const ops = () => lab.trace().map(({ op, result }) => [op, result.ok, result.code])

describe('the MCP proxy', () => {
  it('exits with the exit code of its server', async () => {
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer()])
    proxy.write(request(1, 'tools/call', { silent: true }))
    proxy.write(request(2, 'tools/call', { exit: 9 }))
    expect(await proxy.ended).toEqual({ code: 9, signal: null })
    expect(ops()).toEqual([
      ['spawn', true, undefined],
      ['tools/call', false, 'MCP_NO_RESPONSE'],
      ['tools/call', false, 'MCP_NO_RESPONSE'],
    ])
  })

  it('closes the input of the server when the client ends', async () => {
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer('--exit=5')])
    proxy.write(request(1, 'tools/list'))
    proxy.end()
    expect((await proxy.ended).code).toBe(5)
    expect(proxy.out().toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n')
  })

  it('delivers answers that an injected delay holds after client and server have ended', async () => {
    const inject = ['--inject', 'delay=800ms:1', '--inject-seed', '1']
    const proxy = lab.start(['mcp', 'proxy', ...inject, '--', ...rawServer()])
    for (const id of [1, 2]) proxy.write(request(id, 'tools/call', {}))
    proxy.end()
    await proxy.ended
    expect(proxy.out().toString()).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result":{}}\n',
    )
    const injected = [{ kind: 'delay', ms: 800 }]
    expect(lab.trace().slice(1)).toMatchObject([
      { op: 'tools/call', result: { ok: true }, enrichment: { injected } },
      { op: 'tools/call', result: { ok: true }, enrichment: { injected } },
    ])
  })

  it('exits 128+N when signal N ended the server', async () => {
    const pidFile = path.join(lab.folder, 'pid')
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer(`--pid=${pidFile}`)])
    proxy.write(request(1, 'tools/list'))
    await proxy.line()
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
    expect((await proxy.ended).code).toBe(137)
  })

  it('stops the server on SIGTERM, even one that ignores it, and completes the trace', async () => {
    const pidFile = path.join(lab.folder, 'pid')
    const flags = ['--ignore-term', '--ignore-eof', `--pid=${pidFile}`]
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer(...flags)])
    for (let id = 1; id <= 50; id++) proxy.write(request(id, 'tools/list'))
    for (let id = 1; id <= 50; id++) await proxy.line()
    proxy.write(request(51, 'tools/call', { silent: true }))
    proxy.write(request(52, 'tools/list'))
    await proxy.line()
    proxy.child.kill('SIGTERM')
    await proxy.ended
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
    expect(lab.trace()).toHaveLength(53)
    expect(ops().at(-1)).toEqual(['tools/call', false, 'MCP_NO_RESPONSE'])
  })

  it('ends when its client closes both pipes', async () => {
    const pidFile = path.join(lab.folder, 'pid')
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer(`--pid=${pidFile}`)])
    proxy.write(request(1, 'tools/list'))
    await proxy.line()
    proxy.child.stdout?.destroy()
    proxy.write(request(2, 'tools/call', { large: 1_000_000 }))
    proxy.child.stdin?.destroy()
    await proxy.ended
    await until(() => !isAlive(Number(readFileSync(pidFile, 'utf8'))), 'the server is gone')
    expect(ops().slice(0, 2)).toEqual([
      ['spawn', true, undefined],
      ['tools/list', true, undefined],
    ])
  })

  it('exits 124 at the deadline of the attempt', async () => {
    await lab.remove()
    lab = await createLab(['--timeout-ms', '1500'])
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer('--ignore-term')])
    proxy.write(request(1, 'tools/call', { silent: true }))
    expect((await proxy.ended).code).toBe(124)
    expect(ops()).toEqual([
      ['spawn', true, undefined],
      ['tools/call', false, 'MCP_NO_RESPONSE'],
      ['timeout', false, 'ZCL_E_TIMEOUT'],
    ])
    expect(proxy.err()).toMatch(/^ZCL_E_TIMEOUT: .+\n$/)
    // After the deadline, the server is not started.
    const late = await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], { input: '' })
    expect(late.code).toBe(124)
    expect(ops().slice(3)).toEqual([['timeout', false, 'ZCL_E_TIMEOUT']])
  })

  it('exits at once when the server cannot be started', async () => {
    const missing = await lab.zcl(['mcp', 'proxy', '--', './no-such-server', 'x'])
    expect(missing.code).toBe(127)
    expect(missing.stderr).toMatch(/^ZCL_E_SPAWN: .+\n$/)
    const folder = await lab.zcl(['mcp', 'proxy', '--', '/'])
    expect(folder.code).toBe(126)
    expect(ops()).toEqual([
      ['spawn', false, 'ZCL_E_SPAWN'],
      ['spawn', false, 'ZCL_E_SPAWN'],
    ])
    expect(lab.trace()[0]?.input).toEqual({ argv: ['./no-such-server', 'x'] })
  })

  it('refuses to start without an attempt, a server or a writable trace', async () => {
    const without = await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], {
      env: { ZCL_OUT_DIR: undefined },
    })
    expect([without.code, without.stdout]).toEqual([2, ''])
    expect(without.stderr).toMatch(/^ZCL_E_USAGE: /)
    expect((await lab.zcl(['mcp', 'proxy'])).code).toBe(2)
    expect((await lab.zcl(['mcp', 'proxy', '--nope', '--', 'x'])).code).toBe(2)
    expect((await lab.zcl(['mcp', 'proxy', '--idle-timeout-ms', 'x', '--', 'x'])).code).toBe(2)
    expect(lab.trace()).toEqual([])
    const file = lab.file('tool.calls.jsonl')
    rmSync(file, { force: true })
    mkdirSync(file)
    const unwritable = await lab.zcl(['mcp', 'proxy', '--', ...rawServer()])
    expect(unwritable.code).toBe(1)
    expect(unwritable.stderr).toMatch(/^ZCL_E_IO: /)
    rmSync(file, { recursive: true })
  })

  it('exits 1 when the trace could not be written, and forwards everything', async () => {
    const file = lab.file('tool.calls.jsonl')
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer()])
    await lab.traced(1)
    rmSync(file)
    mkdirSync(file)
    proxy.write(request(1, 'tools/list'))
    expect(await proxy.line()).toContain('"id":1')
    proxy.end()
    expect((await proxy.ended).code).toBe(1)
    expect(proxy.err()).toMatch(/^ZCL_E_IO: an action was not recorded: .+\n$/)
    rmSync(file, { recursive: true })
  })

  it('leaves complete lines and no server when it is killed', async () => {
    const pidFile = path.join(lab.folder, 'pid')
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer(`--pid=${pidFile}`)])
    for (let id = 1; id <= 200; id++) proxy.write(request(id, 'tools/list'))
    for (let id = 1; id <= 100; id++) await proxy.line()
    proxy.child.kill('SIGKILL')
    await proxy.ended
    await until(() => !isAlive(Number(readFileSync(pidFile, 'utf8'))), 'the server is gone')
    for (const { tool } of lab.trace()) expect(tool).toBe('mcp')
    expect((await lab.zcl(['run', '--', 'true'])).code).toBe(0)
    expect((await lab.zcl(['validate', '--json', lab.attempt])).code).toBe(0)
  })

  it('does not wait for a background child of the server', async () => {
    const script = 'sleep 60 & echo $!; exit 3'
    const proxy = lab.start(['mcp', 'proxy', '--', 'sh', '-c', script])
    const pid = Number(await proxy.line())
    expect((await proxy.ended).code).toBe(3)
    expect(isAlive(pid)).toBe(true)
    process.kill(pid, 'SIGKILL')
  })

  it('delivers all output to a slow client before it ends', async () => {
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer()])
    proxy.child.stdout?.pause()
    proxy.write(request(1, 'tools/call', { large: 8_000_000 }))
    proxy.end()
    await lab.traced(1)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(proxy.child.exitCode).toBeNull()
    proxy.child.stdout?.resume()
    expect((await proxy.ended).code).toBe(0)
    expect(proxy.out().length).toBeGreaterThan(8_000_000)
    expect(lab.trace()[1]).toMatchObject({ op: 'tools/call', result: { ok: true } })
  })

  it('records 10,000 pending calls', async () => {
    const proxy = lab.start(['mcp', 'proxy', '--', ...rawServer()])
    const calls = 10_000
    for (let id = 0; id < calls; id++)
      proxy.write(request(id, 'tools/call', { delayMs: 50, n: id }))
    proxy.end()
    expect((await proxy.ended).code).toBe(0)
    const trace = lab.trace()
    expect(trace).toHaveLength(calls + 1)
    expect(new Set(trace.map(({ input }) => input.id)).size).toBe(calls + 1)
    expect(trace.every(({ result }) => result.ok)).toBe(true)
  }, 120_000)
})
