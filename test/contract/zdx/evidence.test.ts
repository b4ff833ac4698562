// zdx inside a zcl attempt: its tool calls and its feedback are valid evidence.
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, say, status } from '../../support/fake-anthropic.ts'
import type { Ran } from '../../support/run-program.ts'
import { runProgram } from '../../support/run-program.ts'
import { inTurn, withServer } from './with-server.ts'

interface Attempt {
  folder: string
  env: Record<string, string>
}

const at = withServer()
beforeEach(() => {
  at.respond = inTurn(
    answer(
      { text: ['Trying. '] },
      { tool: 'bash', input: { command: 'echo "$MY_TOKEN"; exit 3' }, id: 't1' },
      { tool: 'read', input: { path: 'none' }, id: 't2' },
      { tool: 'write', input: { path: 'f.txt', content: 'x'.repeat(200_000) }, id: 't3' },
    ),
    say('TITLE=', 'Done'),
    say('more'),
  )
})

const zcl = (...args: string[]) => runProgram('zcl', args, { cwd: at.box.root, env: at.box.env })

async function startAttempt(...flags: string[]): Promise<Attempt> {
  const out = path.join(at.box.base, 'evidence')
  const start = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--out-root', out, '--json']
  const { stdout } = await zcl(...start, ...flags)
  const { outDirAbs, env } = JSON.parse(stdout) as {
    outDirAbs: string
    env: Record<string, string>
  }
  return { folder: outDirAbs, env }
}

interface TraceLine {
  tool: string
  op: string
  input: unknown
  result: { ok: boolean; code?: string; durationMs: number }
}

function traceOf({ folder }: Attempt): TraceLine[] {
  const file = path.join(folder, 'tool.calls.jsonl')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as TraceLine)
}

function feedbackOf({ folder }: Attempt): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(folder, 'feedback.json'), 'utf8')) as never
}

function linkElsewhere({ folder }: Attempt): void {
  rmSync(path.join(folder, 'attempt.json'))
  symlinkSync('/etc/hostname', path.join(folder, 'attempt.json'))
}

const run = (attempt: Attempt, ...flags: string[]): Promise<Ran> =>
  at.box.zdx(['exec', '-p', 'go', ...flags], {
    env: { ...attempt.env, MY_TOKEN: 'super-secret-value-123' },
  })

describe('zdx inside an attempt', () => {
  it('records every tool call as an event of the tool zdx that zcl accepts', async () => {
    const attempt = await startAttempt('--mode', 'ci')
    const ran = await run(attempt, '--zcl-feedback')
    expect(ran).toMatchObject({ code: 0, stdout: 'Trying. \nTITLE=Done\n' })
    expect(ran.stderr).not.toContain('Warning')
    const trace = traceOf(attempt)
    expect(trace.map(({ tool, op, result }) => [tool, op, result.ok, result.code])).toEqual([
      ['zdx', 'bash', true, undefined],
      ['zdx', 'read', false, 'path_error'],
      ['zdx', 'write', true, undefined],
    ])
    expect(trace[0]?.input).toEqual({ command: 'echo "$MY_TOKEN"; exit 3' })
    expect(feedbackOf(attempt)).toMatchObject({ ok: true, result: 'TITLE=Done' })
    const report = await zcl('report', attempt.folder, '--strict', '--json')
    expect(report).toMatchObject({ code: 0 })
    expect(JSON.parse(report.stdout)).toMatchObject({ ok: true })
    expect(await zcl('validate', attempt.folder, '--strict')).toMatchObject({ code: 0 })
  })

  it('redacts and bounds what it records', async () => {
    const attempt = await startAttempt()
    await run(attempt)
    const raw = readFileSync(path.join(attempt.folder, 'tool.calls.jsonl'), 'utf8')
    expect(raw).not.toContain('super-secret-value-123')
    expect(Buffer.byteLength(raw)).toBeLessThan(200_000)
    expect(await zcl('validate', attempt.folder)).toMatchObject({ code: 0 })
  })

  it('writes a valid trace from two concurrent runs', async () => {
    const attempt = await startAttempt()
    at.box.put(
      'play.jsonl',
      '{"tool":"bash","input":{"command":"true"}}\n'.repeat(10) + '{"text":"x"}',
    )
    const play = () =>
      at.box.zdx(['--provider', 'script', '--model', 'play.jsonl', 'exec', '-p', 'go'], {
        env: attempt.env,
      })
    await Promise.all([play(), play()])
    expect(traceOf(attempt)).toHaveLength(20)
    expect(await zcl('validate', attempt.folder)).toMatchObject({ code: 0 })
  })

  it('fails tool calls after the deadline but completes the turn', async () => {
    const attempt = await startAttempt('--timeout-ms', '1')
    const ran = await run(attempt)
    expect(ran).toMatchObject({ code: 0 })
    expect(existsSync(path.join(at.box.root, 'f.txt'))).toBe(false)
    expect(traceOf(attempt).map(({ result }) => result.code)).toEqual(
      Array.from({ length: 3 }, () => 'ZCL_E_TIMEOUT'),
    )
    expect(JSON.stringify(at.server.requests[1]?.body.messages)).toContain('deadline')
  })
})

describe('an attempt that cannot be written', () => {
  it('causes one warning, and the turn goes on', async () => {
    const attempt = await startAttempt()
    symlinkSync('/dev/full', path.join(attempt.folder, 'tool.calls.jsonl'))
    const ran = await run(attempt)
    expect(ran).toMatchObject({ code: 0, stdout: 'Trying. \nTITLE=Done\n' })
    expect(ran.stderr.match(/Warning: no evidence is recorded: /g)).toHaveLength(1)
    expect(ran.stderr).toMatch(/⚙ Running bash\.\.\. Done\. \(\d+\.\d\ds\) {2}.+\n/)
    expect(existsSync(path.join(at.box.root, 'f.txt'))).toBe(true)
  })

  it.each([
    ['the folder is gone', (at: Attempt) => rmSync(at.folder, { recursive: true })],
    ['the ids do not fit', (at: Attempt) => void (at.env.ZCL_RUN_ID = '20260101-000000Z-abcdef')],
    ['its file is a link to another', linkElsewhere],
  ])('causes one warning when %s', async (_name, damage) => {
    const attempt = await startAttempt()
    damage(attempt)
    const ran = await run(attempt)
    expect(ran).toMatchObject({ code: 0, stdout: 'Trying. \nTITLE=Done\n' })
    expect(ran.stderr.match(/Warning: no evidence is recorded: /g)).toHaveLength(1)
  })
})

it('ZCL_OUT_DIR alone names an attempt: the ids come from its attempt.json', async () => {
  const attempt = await startAttempt()
  for (const name of ['RUN', 'SUITE', 'MISSION', 'ATTEMPT']) attempt.env[`ZCL_${name}_ID`] = ''
  const ran = await run(attempt)
  expect(ran).toMatchObject({ code: 0, stdout: 'Trying. \nTITLE=Done\n' })
  expect(ran.stderr).not.toContain('no evidence is recorded')
  expect(readFileSync(path.join(attempt.folder, 'tool.calls.jsonl'), 'utf8')).toContain(
    '"tool":"zdx"',
  )
})

describe('--zcl-feedback', () => {
  it('records a failed run with its reason', async () => {
    const attempt = await startAttempt()
    at.respond = status(400, 'no such model')
    const ran = await run(attempt, '--zcl-feedback')
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('HTTP 400: no such model\n')
    expect(feedbackOf(attempt)).toMatchObject({
      ok: false,
      result: 'execute prompt: HTTP 400: no such model',
    })
  })

  it('records an interrupted run', async () => {
    const attempt = await startAttempt()
    at.respond = () => {}
    const child = at.box.start(['exec', '-p', 'go', '--zcl-feedback'], attempt.env)
    while (at.server.requests.length === 0) await new Promise(setImmediate)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
    expect(feedbackOf(attempt)).toMatchObject({ ok: false, result: 'interrupted' })
    expect(await zcl('validate', attempt.folder)).toMatchObject({ code: 0 })
  })

  it('records a run that could not start', async () => {
    const attempt = await startAttempt()
    at.box.config('model = 7\n')
    expect(await run(attempt, '--zcl-feedback')).toMatchObject({ code: 1 })
    expect(feedbackOf(attempt)).toMatchObject({ ok: false })
  })

  it('is a usage error without an attempt, before any request', async () => {
    const ran = await at.box.exec('go', '--zcl-feedback')
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('--zcl-feedback needs an attempt')
    expect(at.server.requests).toHaveLength(0)
  })

  it('fails if the feedback cannot be written', async () => {
    const attempt = await startAttempt()
    symlinkSync('/dev/null', path.join(attempt.folder, 'feedback.json'))
    const ran = await run(attempt, '--zcl-feedback')
    expect(ran).toMatchObject({ code: expect.toSatisfy((code: number) => code > 0) })
    expect(ran.stderr).toContain('write feedback: ')
  })

  it('truncates a long answer to the feedback limit', async () => {
    at.respond = say('ü'.repeat(60_000))
    const attempt = await startAttempt()
    expect(await run(attempt, '--zcl-feedback')).toMatchObject({ code: 0 })
    const { result } = feedbackOf(attempt) as { result: string }
    expect(Buffer.byteLength(result)).toBe(65_536)
  })
})
