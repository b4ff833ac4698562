// Code execution in the built program: scripts, timeouts, process groups, output, secrets.
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox, until } from './sandbox.ts'
import { Caller } from './wire.ts'

let box: Sandbox
beforeAll(async () => {
  const env = { LLM_API_KEY: 'sk-env-012345678', OTHER: 'sk-contract-0123456789', PLAIN: 'yes' }
  box = new Sandbox({ over: { exc: { timeout: 1 } }, env })
  box.env.PATH = `${box.at('bin')}:${process.env.PATH}`
  chmodSync(
    box.put('bin/lint', '#!/bin/sh\ngrep -q bad "$1" && { echo "bad: $1"; exit 1; }; exit 0\n'),
    0o755,
  )
  box.put('tools/checked.json', { meta: { executor: 'sh', static_analysis: 'lint' } })
  box.put('tools/gone.json', { meta: { executor: 'no-such-command' } })
  await box.serve('exc')
})
afterAll(() => box.remove())

const bash = (code: string) => box.ask('exc', { type: 'execute', executor: 'bash', code })
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

describe('exc', () => {
  it('runs a private script file in the working directory and removes it afterwards', async () => {
    const { stdout, ...result } = await bash(
      'stat -c %a "$0"; basename "$0"; pwd; cat; ps -o sid= $$ | tr -d " "; echo $$',
    )
    expect(result).toMatchObject({ type: 'result', exit_code: 0, stderr: '' })
    const [mode, name, folder, session, pid] = String(stdout).split('\n')
    expect([mode, folder]).toEqual(['700', box.folder])
    expect(name).toMatch(/\.sh$/)
    expect(session).toBe(pid)
    expect(readdirSync(box.at('tmp'))).toEqual([])
  })

  it.each([
    ['exit 7', 7],
    ['kill -TERM $$', -15],
    ['kill -KILL $$', -9],
  ])('answers the script %s with exit code %d', async (code, exit) => {
    expect(await bash(code)).toMatchObject({ exit_code: exit })
  })

  it.each(['missing', '__proto__', 'toString', '', '../bash'])(
    'answers exit code -1 for the unknown executor %j',
    async (executor) => {
      const request = { type: 'execute', executor, code: 'echo x' }
      expect(await box.ask('exc', request)).toMatchObject({
        type: 'result',
        exit_code: -1,
        stdout: '',
        stderr: `Unknown executor: ${executor}`,
      })
      expect(await box.ask('exc', { ...request, type: 'validate' })).toMatchObject({ ok: false })
    },
  )

  it('reports a missing command', async () => {
    const request = { type: 'execute', executor: 'no-such-command', code: 'x' }
    const result = await box.ask('exc', request)
    expect(result).toMatchObject({ type: 'result', exit_code: -1 })
    expect(result.stderr).toMatch(/not found/)
  })

  it('kills the process group at the timeout and keeps the output', async () => {
    const began = performance.now()
    const result = await bash('echo begin; echo oh >&2; (trap "" TERM; sleep 30) & echo $!; wait')
    expect(performance.now() - began).toBeLessThan(4000)
    expect(result).toMatchObject({ exit_code: -1, stderr: 'oh\nExecution timed out after 1s.' })
    const [begin, pid] = String(result.stdout).split('\n')
    expect(begin).toBe('begin')
    await until(() => !isAlive(Number(pid)), 2000)
  })

  it('does not wait for background processes of a script', async () => {
    const began = performance.now()
    const result = await bash('sleep 60 & echo $!')
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(result).toMatchObject({ exit_code: 0 })
    process.kill(Number(result.stdout))
  })

  it('keeps at least 1 MiB of endless output and marks the cut', async () => {
    const result = await bash('yes ☃')
    expect(Buffer.byteLength(String(result.stdout))).toBeGreaterThan(1024 * 1024)
    expect(String(result.stdout).slice(-200)).toMatch(/cut/)
    expect(result.stderr).toContain('timed out')
    expect(result.stdout).not.toContain('\ufffd')
  })

  it('passes no API key to a script under any name', async () => {
    const { stdout } = await bash('env')
    expect(stdout).toContain('PLAIN=yes')
    expect(stdout).not.toMatch(/LLM_API_KEY|sk-env|sk-contract/)
  })

  it('validates with the configured tool and executes despite its findings', async () => {
    const ask = (type: string, code: string) => box.ask('exc', { type, executor: 'sh', code })
    expect(await ask('validate', 'true')).toEqual({ type: 'validation', ok: true, errors: '' })
    expect(await ask('validate', '# bad')).toMatchObject({
      ok: false,
      errors: expect.stringMatching(/^bad: /),
    })
    expect(await ask('execute', 'echo ran # bad')).toMatchObject({ exit_code: 0, stdout: 'ran\n' })
    expect(await box.ask('exc', { type: 'validate', executor: 'bash', code: 'if' })).toEqual({
      type: 'validation',
      ok: true,
      errors: '',
    })
  })

  it('lists its executors in capabilities', async () => {
    expect(await box.ask('exc', { type: 'capabilities' })).toMatchObject({
      type: 'capabilities',
      timeout: 1,
      executors: {
        bash: {
          command: 'bash',
          file_extension: '.sh',
          static_analysis: null,
          has_validator: false,
        },
        sh: { command: 'sh', file_extension: '', static_analysis: 'lint', has_validator: true },
      },
    })
  })

  it('runs fifty scripts concurrently without mixing their output', async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) => bash(`echo ${n}`).then(({ stdout }) => stdout)),
    )
    expect(all).toEqual(Array.from({ length: 50 }, (_, n) => `${n}\n`))
  })

  it('kills the process group when the caller disconnects', async () => {
    const caller = await Caller.open(box.socket('exc'))
    const file = box.at('pid')
    caller.send({
      type: 'execute',
      executor: 'bash',
      code: `echo $$ >${file}.new; mv ${file}.new ${file}; sleep 0.9`,
    })
    await until(() => existsSync(file))
    const pid = Number(readFileSync(file, 'utf8'))
    caller.socket.destroy()
    await until(() => !isAlive(pid), 800)
    await until(() => readdirSync(box.at('tmp')).length === 0)
  })
})
