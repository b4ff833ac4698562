import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtProgram, childProgram } from '../../support/paths.ts'
import { startUpstream } from './http-upstream.ts'
import { createLab, rawServer, request, startProxy, until, type Lab } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

interface Step {
  index: number
  tool: string
  op: string
  replayable: boolean
  argv?: string[]
  method?: string
  ok?: boolean
  exitCode?: number
  error?: string
  matches?: boolean
  outputMatches?: boolean
}

async function replay(...flags: string[]) {
  const ran = await lab.zcl(['replay', ...flags, '--json', lab.attempt])
  const result = JSON.parse(ran.stdout) as { ok: boolean; dryRun: boolean; steps: Step[] }
  return { code: ran.code, stderr: ran.stderr, ...result }
}

function attemptHash(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(lab.attempt, { recursive: true }).map(String).sort()) {
    const file = path.join(lab.attempt, name)
    hash.update(name)
    if (statSync(file).isFile()) hash.update(readFileSync(file))
  }
  return hash.digest('hex')
}

const run = (...argv: string[]) => lab.zcl(['run', '--', ...argv])

describe('zcl replay', () => {
  it('lists the steps without running them', async () => {
    const marker = path.join(lab.folder, 'marker')
    await run('touch', marker)
    await run('echo', 'hi')
    writeFileSync(marker, 'untouched')
    const before = attemptHash()
    const ran = await lab.zcl(['replay', '--json', lab.attempt])
    const result = JSON.parse(ran.stdout) as Record<string, unknown>
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(Object.keys(result)).toEqual(['ok', 'attemptDir', 'dryRun', 'steps', 'startedAt'])
    expect(result).toMatchObject({ ok: true, attemptDir: lab.attempt, dryRun: true })
    expect(result.steps).toEqual([
      { index: 0, tool: 'cli', op: 'exec', replayable: true, argv: ['touch', marker] },
      { index: 1, tool: 'cli', op: 'exec', replayable: true, argv: ['echo', 'hi'] },
    ])
    expect(readFileSync(marker, 'utf8')).toBe('untouched')
    expect(attemptHash()).toBe(before)
  })

  it('runs only allowed commands and compares their results', async () => {
    const file = path.join(lab.folder, 'state')
    await run('echo', 'same')
    await run('sh', '-c', 'exit 3')
    await run('cat', file)
    await run('/bin/ls', '/')
    const before = attemptHash()
    const refused = await replay('--execute')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/^ZCL_E_TOOL_FAILED: .+\n$/)
    expect(refused.steps.map(({ ok, error }) => [ok, error?.includes('--allow')])).toEqual(
      Array.from({ length: 4 }, () => [false, true]),
    )
    writeFileSync(file, 'now it is there')
    const done = await replay('--execute', '--allow', 'echo,sh, cat', '--allow', 'ls')
    expect(done.dryRun).toBe(false)
    expect(
      done.steps.map(({ ok, exitCode, matches, outputMatches }) => [
        ok,
        exitCode,
        matches,
        outputMatches,
      ]),
    ).toEqual([
      [true, 0, true, true],
      [false, 3, true, true],
      [true, 0, false, false],
      [true, 0, true, true],
    ])
    expect([done.ok, done.code]).toEqual([false, 2])
    expect(attemptHash()).toBe(before)
  })

  it('exits 0 when every step succeeds', async () => {
    await run('true')
    expect(await replay('--execute', '--allow-all')).toMatchObject({
      code: 0,
      ok: true,
      stderr: '',
    })
  })

  it('does not replay redacted or truncated steps', async () => {
    await run('echo', `ghp_${'a1B2'.repeat(9)}`)
    await run('true', ...Array.from({ length: 300 }, () => 'x'.repeat(300)))
    const { steps, code } = await replay('--execute', '--allow-all')
    expect(steps.map(({ replayable, ok }) => [replayable, ok])).toEqual([
      [false, undefined],
      [false, undefined],
    ])
    expect(steps[0]?.error).toContain('redacted')
    expect(code).toBe(0)
  })

  it('records no replayed step into the attempt', async () => {
    await run('sh', '-c', 'env | grep ZCL_ || true')
    const { steps } = await replay('--execute', '--allow-all')
    expect(steps[0]).toMatchObject({ ok: true, matches: true, outputMatches: false })
  })

  it('stops after --max-steps, and passes stdin only with --stdin', async () => {
    for (let n = 0; n < 3; n++) await run('cat')
    const ran = await lab.zcl(
      ['replay', '--execute', '--allow-all', '--stdin', '--max-steps', '2', '--json', lab.attempt],
      { input: 'hello' },
    )
    const { steps } = JSON.parse(ran.stdout) as { steps: Step[] }
    expect(steps.map(({ outputMatches }) => outputMatches)).toEqual([false, true])
    expect((await replay()).steps).toHaveLength(3)
  })

  it('replays MCP requests in one session', async () => {
    const talk = [
      request(1, 'initialize', { protocolVersion: '2025-06-18' }),
      request(2, 'tools/list'),
      request('x', 'tools/call', { name: 'a', result: { content: [] } }),
      request(3, 'tools/call', { error: { code: -1, message: 'no' } }),
      request(4, 'ping'),
      request(5, 'tools/call', { token: 'abcdefgh' }),
      request(6, 'tools/call', { big: 'x'.repeat(70_000) }),
    ]
    await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], { input: talk.join('') })
    const before = attemptHash()
    const dry = await replay()
    expect(dry.steps.map(({ op, replayable, method }) => [op, replayable, method])).toEqual([
      ['spawn', true, undefined],
      ['initialize', true, 'initialize'],
      ['tools/list', true, 'tools/list'],
      ['tools/call', true, 'tools/call'],
      ['tools/call', true, 'tools/call'],
      ['unknown', false, undefined],
      ['tools/call', false, 'tools/call'],
      ['tools/call', false, 'tools/call'],
    ])
    const done = await replay('--execute', '--allow', path.basename(process.execPath))
    expect(done.steps.slice(0, 5).map(({ ok, matches }) => [ok, matches])).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [true, true],
      [false, true],
    ])
    // A recorded failure that fails again is as recorded.
    expect(done.code).toBe(0)
    const refused = await replay('--execute')
    expect(refused.steps.slice(0, 5).every(({ ok }) => ok === false)).toBe(true)
    expect(attemptHash()).toBe(before)
  })

  it('refuses an attempt without a trace and accepts an empty trace', async () => {
    const ran = await lab.zcl(['replay', '--json', lab.attempt])
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toMatch(/^ZCL_E_MISSING_ARTIFACT: /)
    writeFileSync(lab.file('tool.calls.jsonl'), '')
    expect(await replay()).toMatchObject({ code: 0, ok: true, steps: [] })
    expect((await lab.zcl(['replay', '--json', lab.home])).code).toBe(2)
  })

  it('prints server errors on one line without secrets', async () => {
    const message = `no\nsuch \u001b[31mkey ghp_${'a1B2'.repeat(9)}`
    const input = request(1, 'tools/call', { error: { code: -1, message } })
    await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], { input })
    // The trace holds no secret either; the running server may return a new one.
    const file = lab.file('tool.calls.jsonl')
    const trace = readFileSync(file, 'utf8')
    const put = (text: string) => JSON.stringify(text).slice(1, -1)
    const kept = put('[REDACTED:GITHUB_TOKEN]')
    writeFileSync(file, trace.replace(kept, put(`ghp_${'a1B2'.repeat(9)}`)))
    const { steps, stderr } = await replay('--execute', '--allow-all')
    expect(steps[1]).toMatchObject({ ok: false, matches: true })
    expect(steps[1]?.error).toMatch(/^no such .*key \[REDACTED:GITHUB_TOKEN\]$/)
    expect(stderr).toBe('')
  })
})

describe('zcl serve-trace', () => {
  const server = [process.execPath, childProgram('zcl', 'sdk-server')]

  async function talk([command = '', ...args]: string[]): Promise<unknown[]> {
    const client = new Client({ name: 'test', version: '1' })
    const env = Object.fromEntries(
      Object.entries({ ...process.env, ...lab.env }).filter((each) => each[1] !== undefined),
    ) as Record<string, string>
    await client.connect(new StdioClientTransport({ command, args, env, cwd: lab.folder }))
    const told: unknown[] = [client.getServerVersion(), await client.listTools()]
    for (const text of ['one', 'two', 'one']) {
      told.push(await client.callTool({ name: 'echo', arguments: { text } }))
    }
    told.push(await client.callTool({ name: 'fail', arguments: {} }))
    await client.close()
    return told
  }

  it('gives an MCP client the recorded answers', async () => {
    const then = await talk([builtProgram('zcl'), 'mcp', 'proxy', '--', ...server])
    const now = await talk([builtProgram('zcl'), 'mcp', 'serve-trace', lab.attempt])
    expect(now).toEqual(then)
  })

  it('answers unrecorded requests with an error', async () => {
    await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], { input: request(1, 'tools/list') })
    const ran = await lab.zcl(['mcp', 'serve-trace', lab.attempt], {
      // The last line has no line ending.
      input: `${request('a', 'tools/list', { _meta: { progressToken: 1 } })}nonsense\n${request(2, 'tools/call', { name: 'echo' })}${request(3, 'ping').trim()}`,
    })
    expect(ran.code).toBe(0)
    const answers = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(answers[0]).toEqual({ jsonrpc: '2.0', id: 'a', result: {} })
    expect(answers[1]).toMatchObject({
      id: 2,
      error: { message: 'not in the recorded trace: tools/call echo' },
    })
    expect(answers[2]).toEqual({ jsonrpc: '2.0', id: 3, result: {} })
  })

  it('gives an HTTP client the recorded answers', async () => {
    const upstream = await startUpstream()
    lab.closeWith(() => upstream.close())
    const proxy = await startProxy(lab, 'http', upstream.url, ['--max-requests', '3'])
    const paths = ['/a?b=1', '/status?code=418', '/large?bytes=30000']
    const then = []
    for (const each of paths) then.push(await answerTo(proxy.url.origin + each))
    await proxy.ended
    const served = lab.start(['http', 'serve-trace', lab.attempt])
    await until(() => served.out().toString().endsWith('}\n'), 'the service')
    const { url } = JSON.parse(served.out().toString()) as { url: string }
    expect(await answerTo(url + paths[0])).toEqual(then[0])
    expect(await answerTo(url + paths[1])).toEqual(then[1])
    expect((await answerTo(url + paths[2])).status).toBe(501)
    expect((await answerTo(`${url}/never`)).status).toBe(404)
    served.child.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
  })

  it('refuses an attempt without recorded requests', async () => {
    await run('true')
    for (const group of ['mcp', 'http']) {
      const ran = await lab.zcl([group, 'serve-trace', lab.attempt])
      expect(ran.code).toBe(2)
      expect(ran.stderr).toMatch(/^ZCL_E_MISSING_EVIDENCE: /)
    }
  })
})

async function answerTo(url: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(url)
  return { status: answer.status, body: await answer.text() }
}
