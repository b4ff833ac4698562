// The flags, variables and configuration of `zcl run`, and the wrappers of `zcl shim`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Project, sha256, type CallEvent, type Json, type StartedAttempt } from './project.ts'

const project = new Project()
let attempt: StartedAttempt
beforeAll(async () => {
  attempt = await project.start()
})
afterAll(() => project.remove())

describe('zcl run', () => {
  test('prints one JSON object instead of the output with --envelope --json', async () => {
    const ran = await project.zcl(
      ['run', '--envelope', '--json', '--', 'sh', '-c', 'echo out; echo err >&2; exit 4'],
      { env: attempt.env },
    )
    expect(ran).toMatchObject({ code: 4, err: '' })
    const envelope = JSON.parse(ran.out) as Json
    expect(Object.keys(envelope)).toEqual([
      'ok',
      'code',
      'exitCode',
      'durationMs',
      'outBytes',
      'errBytes',
      'outPreview',
      'errPreview',
      'runId',
      'suiteId',
      'missionId',
      'attemptId',
    ])
    expect(envelope).toMatchObject({ ok: false, exitCode: 4, outPreview: 'out\n', outBytes: 4 })
  })

  test('stores redacted, capped output with its hash with --capture', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const ran = await project.zcl(
      [
        'run',
        '--capture',
        '--capture-max-bytes',
        '100',
        '--',
        'sh',
        '-c',
        `echo ${token}; yes | head -c 500; echo e >&2`,
      ],
      { env: attempt.env },
    )
    expect(ran.out).toContain(token)
    const index = readFileSync(attempt.file('captures.jsonl'), 'utf8')
    const capture = JSON.parse(index) as Json
    const stored = readFileSync(attempt.file(capture.stdoutPath as string))
    expect(stored.length).toBeLessThanOrEqual(100)
    expect(stored.toString()).toMatch(/^\[REDACTED:GITHUB_TOKEN\]\ny\n/)
    expect(capture).toMatchObject({
      stdoutTruncated: true,
      stderrTruncated: false,
      redacted: true,
      redactionsApplied: ['github_token'],
      maxBytes: 100,
      stdoutSha256: sha256(stored),
      stdoutBytes: stored.length,
    })
    expect(attempt.last().enrichment).toMatchObject({ capture: { stdoutPath: capture.stdoutPath } })
  })

  test('refuses --capture-raw in ci mode unless it is allowed', async () => {
    const args = ['run', '--capture', '--capture-raw', '--', 'echo', 'x']
    const refused = await project.zcl(args, { env: { ...attempt.env, CI: 'true' } })
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toMatch(/^ZCL_E_UNSAFE_EVIDENCE: /)
    const ci = await project.start(['--mode', 'ci'])
    expect((await project.zcl(args, { env: ci.env })).code).toBe(2)
    const allowed = { ...attempt.env, CI: 'true', ZCL_ALLOW_UNSAFE_CAPTURE: '1' }
    expect(await project.zcl(args, { env: allowed })).toMatchObject({ code: 0, out: 'x\n' })
  })

  test('refuses and records a call that failed too often in a row', async () => {
    const stuck = await project.start()
    const env = { ZCL_REPEAT_GUARD_MAX_STREAK: '3' }
    for (let round = 0; round < 3; round++) {
      expect((await project.run(stuck, ['false'], { env })).code).toBe(1)
    }
    const refused = await project.run(stuck, ['false'], { env })
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/^ZCL_E_TOOL_FAILED: .*ZCL_REPEAT_GUARD_MAX_STREAK/)
    expect(stuck.trace()).toHaveLength(4)
    expect((await project.run(stuck, ['true'], { env })).code).toBe(0)
    expect((await project.run(stuck, ['false'], { env })).code).toBe(1)
    const off = { ZCL_REPEAT_GUARD_MAX_STREAK: '0' }
    expect((await project.run(stuck, ['false'], { env: off })).code).toBe(1)
    const bad = await project.run(stuck, ['false'], { env: { ZCL_REPEAT_GUARD_MAX_STREAK: 'x' } })
    expect(bad.err).toMatch(/^ZCL_E_USAGE/)
  })

  test('records a stale answer as injected only where it repeats an older one', async () => {
    const { env, last } = await project.start()
    const args = ['run', '--inject', 'stale:1', '--', 'sh', '-c']
    expect((await project.zcl([...args, 'echo old'], { env })).out).toBe('old\n')
    expect(last().enrichment).toBeUndefined()
    expect((await project.zcl([...args, 'echo new'], { env })).out).toBe('old\n')
    expect(last().enrichment).toEqual({ injected: [{ kind: 'stale' }] })
  })

  test('serves what is left of a damaged trace and names a trace that is no file', async () => {
    const { env, folder } = await project.start()
    for (const word of ['one', 'two']) await project.zcl(['run', '--', 'echo', word], { env })
    const trace = path.join(folder, 'tool.calls.jsonl')
    const serve = (word: string) =>
      project.zcl(['run', '--serve-trace', folder, '--', 'echo', word])
    writeFileSync(trace, readFileSync(trace).subarray(0, -40))
    expect(await serve('one')).toMatchObject({ code: 0, out: 'one\n', err: '' })
    const lost = { code: 125, err: 'ZCL_E_NOT_RECORDED: not in the recorded trace: echo two\n' }
    expect(await serve('two')).toMatchObject(lost)
    writeFileSync(trace, '\u0000\n{\n"text"\n')
    expect(await serve('two')).toMatchObject(lost)
    rmSync(trace)
    mkdirSync(trace)
    const refused = { code: 1, err: `ZCL_E_IO: ${trace} is not a regular file\n` }
    expect(await serve('one')).toMatchObject(refused)
  })

  test('records a tool called through its wrapper, which does not call itself', async () => {
    const shims = path.join(project.folder, 'shims')
    const made = await project.json(['shim', 'install', '--dir', 'shims', 'ls', 'no-such-tool-x'])
    expect(made.json).toMatchObject({ ok: true, dir: shims })
    const before = attempt.trace().length
    const PATH = `${shims}:${shims}/:${process.env.PATH}`
    const ran = await project.run(attempt, ['sh', '-c', 'ls -d /; no-such-tool-x'], {
      env: { PATH },
    })
    expect(ran).toMatchObject({ code: 127, out: '/\n' })
    const events = attempt.trace().slice(before) as unknown as CallEvent[]
    expect(events.map(({ input }) => input.argv[0])).toEqual(['ls', 'no-such-tool-x', 'sh'])
    const own = project.write('shims/mine', '#!/bin/sh\n')
    const refused = await project.zcl(['shim', 'install', '--dir', 'shims', 'mine'])
    expect(refused.err).toMatch(/^ZCL_E_SHIM: /)
    expect(readFileSync(own, 'utf8')).toBe('#!/bin/sh\n')
    for (const bad of ['../x', 'zcl', '-x', 'a b']) {
      expect((await project.zcl(['shim', 'install', '--dir', 'shims', '--', bad])).code).toBe(2)
    }
  })

  test('applies configured redaction rules, prefers project rules, and stops at an invalid one', async () => {
    const rules = (...extraRules: Json[]) => ({ schemaVersion: 1, redaction: { extraRules } })
    mkdirSync(path.join(project.home, '.zcl'), { recursive: true })
    const global = path.join(project.home, '.zcl', 'config.json')
    writeFileSync(
      global,
      JSON.stringify(
        rules({ id: 'one', regex: 'alpha', replacement: 'GLOBAL' }, { id: 'two', regex: 'beta' }),
      ),
    )
    const file = project.write(
      'zcl.config.json',
      rules({ id: 'one', regex: 'alpha', replacement: 'PROJECT' }),
    )
    await project.run(attempt, ['echo', 'alpha beta'])
    expect(attempt.last().input.argv[1]).toBe('PROJECT [REDACTED:TWO]')
    expect(attempt.last().redactionsApplied).toEqual(['one', 'two'])
    const before = attempt.trace().length
    for (const broken of [rules({ id: 'x', regex: '(' }), rules({ id: 'Bad Id', regex: 'x' })]) {
      writeFileSync(file, JSON.stringify(broken))
      const ran = await project.run(attempt, ['echo', 'x'])
      expect(ran).toMatchObject({ code: 2, out: '' })
      expect(ran.err).toMatch(/^ZCL_E_CONTRACT: /)
      const doctor = await project.json(['doctor'])
      expect(doctor).toMatchObject({ code: 1, json: { ok: false } })
    }
    rmSync(file)
    rmSync(global)
    expect(attempt.trace()).toHaveLength(before)
    const named = project.write('named.json', rules({ id: 'one', regex: 'alpha' }))
    await project.program(['--config', named, 'run', '--', 'echo', 'alpha'], { env: attempt.env })
    expect(attempt.last().input.argv[1]).toBe('[REDACTED:ONE]')
    const refused = await project.zcl(['runs', '--config', 'missing.json'])
    expect(refused.err).toBe('ZCL_E_IO: --config: there is no file missing.json\n')
    expect(refused.code).toBe(1)
  })
})
