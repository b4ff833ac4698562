// `zcl run` from outside: the command behaves as without zcl, and one trace event is written.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { runFile } from '../../support/run-program.ts'
import { Project, readJson, sha256, until, type StartedAttempt } from './project.ts'

const project = new Project()
let attempt: StartedAttempt
beforeAll(async () => {
  attempt = await project.start(['--agent-id', 'agent'])
})
afterAll(() => project.remove())

const node = (script: string, ...args: string[]) => [process.execPath, '-e', script, ...args]

describe('zcl run', () => {
  test('passes stdout, stderr and exit code unchanged', async () => {
    const ran = await project.run(attempt, ['sh', '-c', 'printf out; printf err >&2; exit 7'])
    expect(ran).toMatchObject({ code: 7, out: 'out', err: 'err' })
    expect(attempt.last()).toMatchObject({
      tool: 'cli',
      op: 'exec',
      input: { argv: ['sh', '-c', 'printf out; printf err >&2; exit 7'] },
      result: { ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode: 7 },
      io: { outBytes: 3, errBytes: 3, outPreview: 'out', errPreview: 'err' },
      agentId: 'agent',
      redactionsApplied: [],
    })
  })

  test('passes megabytes of binary input and output byte for byte', async () => {
    const bytes = randomBytes(3_000_001)
    const ran = await project.run(attempt, ['cat'], { input: bytes })
    expect(sha256(ran.stdout)).toBe(sha256(bytes))
    expect(attempt.last().io.outBytes).toBe(bytes.length)
    expect(attempt.last().integrity.truncated).toBe(true)
  })

  test('passes arguments with any content unchanged', async () => {
    const words = ['', ' ', '--json', '--', '-x', '$HOME', '`id`', '*', 'ü€𝒳', 'a\nb', '"\'\\']
    const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
    const ran = await project.run(attempt, node(script, '--', ...words))
    expect(JSON.parse(ran.out)).toEqual(words)
    expect(attempt.last().input.argv.slice(4)).toEqual(words)
  })

  test('passes the environment and the working folder', async () => {
    const script =
      'process.stdout.write(process.cwd()+" "+process.env.MY_OWN+" "+process.env.ZCL_RUN_ID)'
    const ran = await project.run(attempt, node(script), { env: { MY_OWN: 'x y' } })
    expect(ran.out).toBe(`${project.folder} x y ${attempt.runId}`)
  })

  test('adds and changes no environment variable', async () => {
    const print = 'process.stdout.write(JSON.stringify(process.env))'
    const env = { PATH: process.env.PATH, PWD: '/somewhere/else', ...attempt.env, X: '' }
    const emptied = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
    const ran = await project.run(attempt, node(print), { env: { ...emptied, ...env } })
    expect(JSON.parse(ran.out)).toEqual(env)
  })

  test('records success as ok without a code', async () => {
    await project.run(attempt, ['true'])
    expect(attempt.last().result).toEqual({
      ok: true,
      exitCode: 0,
      durationMs: expect.any(Number) as number,
    })
  })

  test('records the start time of the action', async () => {
    const before = Date.now()
    await project.run(attempt, ['sleep', '0.3'])
    expect(Date.parse(attempt.last().ts)).toBeLessThan(before + 5000)
    expect(attempt.last().result.durationMs).toBeGreaterThanOrEqual(290)
  })
})

describe('zcl run with signals, pipes and lost output', () => {
  test('exits 128+N and records the signal when the command is killed', async () => {
    const ran = await project.run(attempt, ['sh', '-c', 'kill -9 $$'])
    expect(ran.code).toBe(137)
    expect(attempt.last()).toMatchObject({
      result: { ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode: 137 },
      enrichment: { signal: 'SIGKILL' },
    })
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('forwards %s to the command and writes the event', async (name, code) => {
    const mark = path.join(project.root, `started-${name}`)
    const ran = await project.run(attempt, ['sh', '-c', `: > ${mark}; exec sleep 30`], {
      onStart: (child) =>
        void until(() => existsSync(mark), 'the command').then(() => child.kill(name)),
    })
    expect(ran.code).toBe(code)
    expect(attempt.last()).toMatchObject({
      enrichment: { signal: name },
      result: { exitCode: code },
    })
  })

  test('exits with the code of a command that handles the signal', async () => {
    const mark = path.join(project.root, 'started-trap')
    const script = `process.on('SIGTERM', () => process.exit(5)); require('fs').writeFileSync('${mark}', ''); setInterval(() => {}, 1000)`
    const ran = await project.run(attempt, node(script), {
      onStart: (child) =>
        void until(() => existsSync(mark), 'the command').then(() => child.kill('SIGTERM')),
    })
    expect(ran.code).toBe(5)
    expect(attempt.last().result.exitCode).toBe(5)
  })

  test('does not wait for a background child that holds the pipe', async () => {
    const started = Date.now()
    const ran = await project.run(attempt, ['sh', '-c', 'echo first; sleep 20 & echo last'])
    expect(ran.out).toBe('first\nlast\n')
    expect(Date.now() - started).toBeLessThan(10_000)
  })

  test('writes the event although the reader has closed the pipe', async () => {
    const before = attempt.trace().length
    const ran = await project.run(attempt, ['sh', '-c', 'while :; do echo y; done'], {
      onStart: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    })
    expect(attempt.trace()).toHaveLength(before + 1)
    expect(ran.code).toBe(141)
  })

  test.runIf(existsSync('/dev/full'))('reports output that could not be written', async () => {
    const onFullDisk = (script: string) => {
      const line = `exec "$0" run -- sh -c "$1" >/dev/full`
      const env = { ...attempt.env, HOME: project.home }
      return runFile('/bin/sh', ['-c', line, builtProgram('zcl'), script], {
        cwd: project.folder,
        env,
      })
    }
    const { code, stderr } = await onFullDisk('echo x')
    expect(code).toBe(1)
    expect(stderr).toBe('ZCL_E_IO: output could not be passed on: ENOSPC\n')
    expect(attempt.last()).toMatchObject({
      result: { ok: true, exitCode: 0 },
      io: { outBytes: 2 },
      enrichment: { lostOutput: 'ENOSPC' },
    })
    expect((await onFullDisk('echo x; exit 5')).code).toBe(5)
    expect((await onFullDisk('exit 0')).code).toBe(0)
  })
})

describe('zcl run with a command that cannot start', () => {
  test('exits 127 when the command is not found, without an exit code in the event', async () => {
    const ran = await project.run(attempt, ['no-such-command-anywhere'])
    expect(ran.code).toBe(127)
    expect(ran.err).toMatch(/^ZCL_E_SPAWN: .*\n$/)
    expect(attempt.last().result).toMatchObject({ ok: false, code: 'ZCL_E_SPAWN' })
    expect(attempt.last().result).not.toHaveProperty('exitCode')
  })

  test('exits 126 when the command is not executable', async () => {
    const file = project.write('plain.txt', 'x')
    chmodSync(file, 0o644)
    expect((await project.run(attempt, [file])).code).toBe(126)
    expect((await project.run(attempt, [project.folder])).code).toBe(126)
    expect(attempt.last().result.code).toBe('ZCL_E_SPAWN')
  })

  test.each([
    ['no command', ['run']],
    ['nothing after --', ['run', '--']],
    ['no --', ['run', 'echo', 'x']],
    ['an unknown flag', ['run', '--frob', '--', 'echo']],
    ['--json without --envelope', ['run', '--json', '--', 'echo']],
    ['--capture-raw alone', ['run', '--capture-raw', '--', 'echo']],
    ['a bad number', ['run', '--capture', '--capture-max-bytes', '0', '--', 'echo']],
  ])('reports a usage error for %s', async (_, args) => {
    const before = attempt.trace().length
    const ran = await project.zcl(args, { env: attempt.env })
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toMatch(/^ZCL_E_USAGE: [^\n]+\n$/)
    expect(attempt.trace()).toHaveLength(before)
  })

  test('does not start the command without an attempt or with a mismatching one', async () => {
    const mark = path.join(project.folder, 'ran')
    const touch = ['touch', mark]
    const other = { ...attempt.env, ZCL_MISSION_ID: 'other' }
    for (const env of [{}, other, { ...attempt.env, ZCL_OUT_DIR: project.folder }]) {
      const ran = await project.zcl(['run', '--', ...touch], { env })
      expect(ran.code).toBe(2)
      expect(ran.err).toMatch(/^ZCL_E_[A-Z_]+: [^\n]+\n$/)
    }
    expect(existsSync(mark)).toBe(false)
  })

  test('does not start the command when the trace is not writable', async () => {
    const broken = await project.start()
    mkdirSync(broken.file('tool.calls.jsonl'))
    const mark = path.join(project.folder, 'ran-anyway')
    expect(await project.run(broken, ['touch', mark])).toMatchObject({ code: 1 })
    rmSync(broken.file('tool.calls.jsonl'), { recursive: true })
    const outside = project.write('outside.txt', 'untouched')
    symlinkSync(outside, broken.file('tool.calls.jsonl'))
    const ran = await project.run(broken, ['touch', mark])
    expect(ran.err).toMatch(/^ZCL_E_/)
    expect(existsSync(mark)).toBe(false)
    expect(readFileSync(outside, 'utf8')).toBe('untouched')
  })
})

describe('zcl run with a deadline', () => {
  test('kills the command with its children and exits 124', async () => {
    const timed = await project.start(['--timeout-ms', '700', '--timeout-start', 'first_tool_call'])
    const mark = path.join(project.root, 'child-pid')
    const started = Date.now()
    const ran = await project.run(timed, ['sh', '-c', `sleep 60 & echo $! > ${mark}; wait`])
    expect(ran.code).toBe(124)
    expect(ran.err).toMatch(/^ZCL_E_TIMEOUT: /)
    expect(Date.now() - started).toBeLessThan(20_000)
    expect(timed.last().result).toMatchObject({ ok: false, code: 'ZCL_E_TIMEOUT' })
    const pid = readFileSync(mark, 'utf8').trim()
    await until(() => isGone(pid), 'the grandchild to end')
    expect(readJson(timed.file('attempt.json'))).toHaveProperty('timeoutStartedAt')
    const mark2 = path.join(project.folder, 'too-late')
    expect((await project.run(timed, ['touch', mark2])).code).toBe(124)
    expect(existsSync(mark2)).toBe(false)
    expect(timed.last().result).toMatchObject({ code: 'ZCL_E_TIMEOUT', durationMs: 0 })
  })

  test('refuses the first call when the deadline counts from the attempt start and has passed', async () => {
    const timed = await project.start(['--mode', 'ci', '--timeout-ms', '1'])
    expect(readJson(timed.file('attempt.json')).timeoutStart).toBe('attempt_start')
    expect((await project.run(timed, ['true'])).code).toBe(124)
    const { json } = await project.json(['show', timed.folder])
    expect(json).toMatchObject({ timedOutBeforeFirstToolCall: true })
  })

  test('does not affect a command that ends in time', async () => {
    const timed = await project.start(['--timeout-ms', '60000'])
    expect((await project.run(timed, ['true'])).code).toBe(0)
  })
})

function isGone(pid: string): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}
