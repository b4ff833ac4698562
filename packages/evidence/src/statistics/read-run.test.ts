import { createHash } from 'node:crypto'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { event, feedback, Lab, writeTrace, type LabAttempt } from '../../test/lab.ts'
import { contentHash } from './content-hash.ts'
import { readRunFacts } from './read-run.ts'
import { visitCalls } from '../events/calls.ts'

let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

describe('readRunFacts', () => {
  test('reads the outcome and the cost of an attempt from its evidence', () => {
    const attempt = lab.attempt({ startedAt: '2026-02-15T18:00:00.000Z' })
    const io = { outBytes: 40, errBytes: 2 }
    writeTrace(attempt, [
      event(attempt, { io }),
      event(attempt, { io, ts: '2026-02-15T18:00:03.500Z', result: { ok: false, code: 'X' } }),
    ])
    attempt.write('feedback.json', feedback(attempt))
    expect(readRunFacts(attempt.runFolder)).toMatchObject({
      runId: attempt.ids.runId,
      suiteId: 'smoke',
      pinned: false,
      attempts: [
        {
          attemptId: '001-hello-r1',
          outcome: 'passed',
          toolCalls: 2,
          failures: 1,
          wallTimeMs: 30_000,
          bytes: 84,
          tokenSource: 'trace-heuristic',
        },
      ],
    })
  })

  test.each([
    [{ totalTokens: 9, inputTokens: 1, outputTokens: 2 }, 9],
    [{ inputTokens: 1, outputTokens: 2 }, 3],
    [{ inputTokens: 0, outputTokens: 0 }, 0],
  ])('counts the tokens of the runner: %j', (numbers, tokens) => {
    const attempt = lab.complete()
    attempt.write('runner.metrics.json', { schemaVersion: 1, runner: 'codex', ...numbers })
    const [facts] = readRunFacts(attempt.runFolder).attempts
    expect([facts?.tokens, facts?.tokenSource]).toEqual([tokens, 'runner.metrics'])
  })

  test.each([{ inputTokens: 1 }, { outputTokens: 2 }])(
    'has no tokens from a runner that knows only %j',
    (numbers) => {
      const attempt = lab.complete()
      attempt.write('runner.metrics.json', { schemaVersion: 1, runner: 'codex', ...numbers })
      const [facts] = readRunFacts(attempt.runFolder).attempts
      expect([facts?.tokens, facts?.tokenSource]).toEqual([undefined, undefined])
    },
  )

  test('counts an attempt without outcome as missing', () => {
    expect(outcomeOf(lab.attempt())).toEqual(['missing', undefined])
  })

  test('counts an infrastructure failure as infra, with its code', () => {
    const attempt = lab.complete()
    const resultJson = { kind: 'infra_failure', code: 'ZCL_E_SPAWN', message: 'x' }
    const { result: _, ...rest } = feedback(attempt, { ok: false })
    attempt.write('feedback.json', { ...rest, resultJson })
    expect(outcomeOf(attempt)).toEqual(['infra', 'ZCL_E_SPAWN'])
  })

  test('counts a deadline before the first action as infra', () => {
    const attempt = lab.attempt()
    attempt.write('feedback.json', feedback(attempt, { ok: false, decisionTags: ['timeout'] }))
    expect(outcomeOf(attempt)).toEqual(['infra', 'ZCL_E_TIMEOUT'])
  })

  test.each([
    ['passed', 'passed', undefined],
    ['failed', 'failed', undefined],
    ['infra', 'infra', 'ZCL_E_IO'],
    ['abandoned', 'infra', 'ZCL_E_IO'],
  ])('counts the outcome %s of the lab as %s', (outcome, expected, code) => {
    const attempt = lab.complete()
    const judged = { schemaVersion: 1, ...attempt.ids, slot: 1, outcome, code: 'ZCL_E_IO' }
    attempt.write('attempt.outcome.json', { ...judged, endedAt: '2026-02-15T18:00:31.000Z' })
    expect(outcomeOf(attempt)).toEqual([expected, code])
  })

  test('counts an outcome that misses the expectations of the suite as failed', () => {
    const attempt = lab.complete()
    const expects = { result: { type: 'string', equals: 'y' } }
    suite(attempt, { missionId: 'hello', expects })
    expect(outcomeOf(attempt)[0]).toBe('failed')
  })

  test('counts one answer per planned attempt', () => {
    lab.complete({}, '001-hello-r1')
    const second = lab.complete({}, '001-hello-r2')
    const { attempts } = readRunFacts(second.runFolder)
    expect(attempts.map(({ attemptId, outcome }) => [attemptId, outcome])).toEqual([
      ['001-hello-r1', 'passed'],
    ])
  })

  test('counts folders with an attempt.json or with the name of an attempt', () => {
    const named = lab.attempt({}, 'renamed')
    for (const name of ['001-hello-r1', 'other']) {
      rmSync(lab.attempt({}, name).file('attempt.json'))
    }
    const { attempts } = readRunFacts(named.runFolder)
    expect(attempts.map(({ attemptId }) => attemptId)).toEqual(['001-hello-r1', 'renamed'])
  })

  test('an attempt whose evidence is refused keeps its mission and the judgement of the lab', () => {
    const attempt = lab.complete()
    const [sound] = readRunFacts(attempt.runFolder).attempts
    rmSync(attempt.file('tool.calls.jsonl'))
    symlinkSync('/etc/hostname', attempt.file('tool.calls.jsonl'))
    const [refused] = readRunFacts(attempt.runFolder).attempts
    expect(refused).toMatchObject({ outcome: 'missing', contentHash: sound?.contentHash })
    attempt.write('attempt.outcome.json', { schemaVersion: 1, slot: 1, outcome: 'failed' })
    expect(readRunFacts(attempt.runFolder).attempts).toMatchObject([{ outcome: 'failed' }])
  })

  test('counts an attempt as missing if its trace is a symlink out of the run', () => {
    const attempt = lab.attempt()
    const outside = path.join(lab.root, 'elsewhere.jsonl')
    writeFileSync(outside, '{}\n')
    symlinkSync(outside, attempt.file('tool.calls.jsonl'))
    attempt.write('feedback.json', feedback(attempt))
    expect(outcomeOf(attempt)[0]).toBe('missing')
    visitCalls({ path: attempt.folder, within: attempt.runFolder }, () => {
      throw new Error('nothing of it may be read')
    })
  })
})

describe('contentHash', () => {
  test('depends on id, prompt and expectations, not on the order of keys', () => {
    const expects = { ok: true, trace: { maxFailuresTotal: 1, maxToolCallsTotal: 5 } }
    const turned = { trace: { maxToolCallsTotal: 5, maxFailuresTotal: 1 }, ok: true }
    const hash = contentHash({ missionId: 'm', prompt: 'p', expects })
    expect(hash).toMatch(/^[0-9a-f]{16}$/)
    expect(contentHash({ missionId: 'm', prompt: 'p', expects: turned })).toBe(hash)
    expect(contentHash({ missionId: 'm', prompt: 'q', expects })).not.toBe(hash)
    expect(contentHash({ missionId: 'n', prompt: 'p', expects })).not.toBe(hash)
    expect(contentHash({ missionId: 'm', prompt: 'p' })).not.toBe(hash)
    expect(contentHash({ missionId: 'm', prompt: '' })).not.toBe(contentHash({ missionId: 'm' }))
    expect(contentHash({ missionId: 'm', prompt: 'p', graders: [] })).not.toBe(hash)
  })

  test('is the start of the SHA-256 of the JSON with sorted keys', () => {
    const whole = { missionId: 'm', prompt: 'p', expects: { ok: true }, graders: ['g'] }
    const hashOf = (json: string) => createHash('sha256').update(json).digest('hex').slice(0, 16)
    expect(contentHash(whole)).toBe(
      hashOf('{"expects":{"ok":true},"graders":["g"],"missionId":"m","prompt":"p"}'),
    )
    expect(contentHash({ missionId: 'm' })).toBe(hashOf('{"missionId":"m"}'))
  })

  test('uses the suite of the run, without tags', () => {
    const attempt = lab.complete()
    suite(attempt, { missionId: 'hello', prompt: 'p', tags: ['x'] })
    const [first] = readRunFacts(attempt.runFolder).attempts
    expect(first?.contentHash).toBe(contentHash({ missionId: 'hello', prompt: 'p' }))
  })

  test('uses the prompt of the attempt without a suite', () => {
    const attempt = lab.complete()
    attempt.write('prompt.txt', 'do it')
    const [first] = readRunFacts(attempt.runFolder).attempts
    expect(first?.contentHash).toBe(contentHash({ missionId: 'hello', prompt: 'do it' }))
  })
})

test('visitCalls resumes after the line it stopped at', () => {
  const attempt = lab.attempt()
  writeTrace(
    attempt,
    Array.from({ length: 5 }, () => event(attempt)),
  )
  const from = { path: attempt.folder, within: attempt.runFolder }
  const seen: number[] = []
  const take = (after: number) =>
    visitCalls(
      from,
      ({ line }) => {
        seen.push(line)
        return line % 2 === 1
      },
      after,
    )
  expect([take(0), take(2), take(4)]).toEqual([2, 4, undefined])
  expect(seen).toEqual([1, 2, 3, 4, 5])
})

test('visitCalls skips lines that are not events', () => {
  const attempt = lab.attempt()
  const good = JSON.stringify(event(attempt, { result: { ok: false, exitCode: 3 } }))
  attempt.write('tool.calls.jsonl', `${good}\n\nnot json\n{"v":2}\n[]\n${good}`)
  const seen: unknown[] = []
  visitCalls({ path: attempt.folder, within: attempt.runFolder }, (call) => {
    const { exitCode } = call.record().result as { exitCode: number }
    seen.push([call.line, call.tool, call.ok, exitCode])
    return true
  })
  expect(seen).toEqual([
    [1, 'cli', false, 3],
    [6, 'cli', false, 3],
  ])
})

function outcomeOf(attempt: LabAttempt): [string | undefined, string | undefined] {
  const [first] = readRunFacts(attempt.runFolder).attempts
  return [first?.outcome, first?.infraCode]
}

function suite(attempt: LabAttempt, ...missions: object[]): void {
  const file = path.join(attempt.runFolder, 'suite.json')
  writeFileSync(file, JSON.stringify({ version: 1, suiteId: 'smoke', missions }))
}
