import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  artifact,
  folder,
  now,
  redactor,
  removeLogs,
  secret,
  time,
  traceOf,
} from '../../test/imported-log.ts'
import { imported, write } from '../../test/imported-log.ts'
import type { ImportFormat } from '../schema/vocabulary.ts'
import { importLog, type ImportRequest } from './imports.ts'

afterAll(removeLogs)

const step = (more: object) => ({ source: 'agent', ...more })
const trajectory = (more: object, ...steps: object[]) => ({
  steps: [{ source: 'user', message: 'Go.' }, ...steps],
  ...more,
})

function request(file: string, over: Partial<ImportRequest> = {}): ImportRequest {
  const outRoot = path.join(folder, 'out')
  return { format: 'atif', path: file, outRoot, suite: undefined, env: {}, redactor, now, ...over }
}

async function refusal(file: string, format: ImportFormat) {
  const error: unknown = await importLog(request(file, { format })).catch((each: unknown) => each)
  const { code, message } = error as { code: string; message: string }
  return [code, message.replaceAll(folder, '')]
}

describe('importLog', () => {
  it('refuses a missing log, another format and a log without attempts', async () => {
    expect(await refusal(path.join(folder, 'none.json'), 'atif')).toEqual([
      'ZCL_E_USAGE',
      '/none.json does not exist',
    ])
    expect(await refusal(write('empty.json', []), 'atif')).toEqual([
      'ZCL_E_USAGE',
      '/empty.json holds no attempt of atif',
    ])
    expect(await refusal(write('text.eval', '{'), 'inspect')).toEqual([
      'ZCL_E_INVALID_JSON',
      '/text.eval is not JSON',
    ])
  })

  it('stores calls with their results, and removes its lock and its mark', async () => {
    const calls = [
      step({ timestamp: time, tool_calls: [{ function_name: 'cli.ls', arguments: { a: 1 } }] }),
      step({
        tool_calls: [{ function_name: 'x'.repeat(201) }],
        observation: { results: [{ content: 'héllo' }] },
        extra: { ok: false, duration_ms: 7 },
      }),
      step({ tool_calls: [{ function_name: 'b' }], extra: { ok: false, exit_code: 2 } }),
    ]
    const run = await imported('atif', write('calls.json', trajectory({}, ...calls)))
    expect(
      readdirSync(path.join(folder, 'out')).filter((name) => name.startsWith('.import')),
    ).toEqual([])
    expect(existsSync(path.join(run.runFolder, '.importing'))).toBe(false)
    const shown = traceOf(run).map((call) => {
      const { ts, tool, op, input, io, result } = call as unknown as Record<string, object>
      return { ts, tool, op: String(op).length, input, io, result }
    })
    expect(shown).toEqual([
      {
        input: { a: 1 },
        io: { errBytes: 0, outBytes: 0 },
        op: 2,
        result: { durationMs: 0, ok: true },
        tool: 'cli',
        ts: '2026-04-01T10:00:00.000Z',
      },
      {
        input: {},
        io: { errBytes: 0, outBytes: 6, outPreview: 'héllo' },
        op: 200,
        result: { code: 'TOOL_ERROR', durationMs: 7, ok: false },
        tool: 'atif',
        ts: '2026-04-01T10:00:00.000Z',
      },
      {
        input: {},
        io: { errBytes: 0, outBytes: 0 },
        op: 1,
        result: { code: 'ZCL_E_TOOL_FAILED', durationMs: 0, exitCode: 2, ok: false },
        tool: 'atif',
        ts: '2026-04-01T10:00:00.000Z',
      },
    ])
  })

  it('stores ids, settings, the agent and its numbers', async () => {
    const file = write(
      'ids.json',
      trajectory({
        session_id: `s ${secret}`,
        agent: { name: 'codex' },
        extra: { mission_id: 'Ä b!' },
      }),
    )
    const run = await imported('atif', file)
    const { runId, suiteId, isNew, attempts, unmapped } = run
    expect({ suiteId, isNew, attempts, unmapped }).toEqual({
      attempts: [
        {
          attemptId: '001-b-r1',
          calls: 0,
          messages: 1,
          missionId: 'b',
          ok: null,
          outcome: 'missing',
        },
      ],
      isNew: true,
      suiteId: 'atif',
      unmapped: {},
    })
    expect(artifact(run, 'attempt.json')).toEqual({
      agentId: 's [REDACTED:GITHUB_TOKEN]',
      allowUnproven: true,
      attemptId: '001-b-r1',
      imported: 'atif',
      missionId: 'b',
      mode: 'discovery',
      runId: '20260501-120000Z-4f6387',
      schemaVersion: 1,
      startedAt: '2026-05-01T12:00:00.000Z',
      suiteId: 'atif',
    })
    expect(artifact(run, 'runner.metrics.json')).toEqual({
      runner: 'codex',
      schemaVersion: 1,
      toolCalls: 0,
    })
    expect(artifact(run, 'runner.ref.json')).toEqual({
      attemptId: '001-b-r1',
      missionId: 'b',
      rolloutPath: file,
      runId,
      runner: 'codex',
      schemaVersion: 1,
      sessionId: 's [REDACTED:GITHUB_TOKEN]',
      suiteId: 'atif',
    })
    expect(
      readFileSync(path.join(run.runFolder, 'attempts/001-b-r1/tool.calls.jsonl'), 'utf8'),
    ).toBe('')
    const again = await imported('atif', file)
    expect([again.runId, again.isNew, again.attempts]).toEqual([runId, false, attempts])
  })

  it('uses the name of the format and of the position without usable ids', async () => {
    const extras = ['###', '!!!'].map((mission_id) => ({ mission_id, suite_id: '???' }))
    const documents = extras.map((extra) => trajectory({ extra }))
    const run = await importLog(request(write('nameless.json', documents)))
    expect([run.suiteId, ...run.attempts.map(({ attemptId }) => attemptId)]).toEqual([
      'atif',
      '001-mission-1-r1',
      '002-mission-2-r1',
    ])
    const ref = artifact(run, 'runner.ref.json')
    expect([ref.runner, 'sessionId' in ref]).toEqual(['atif', false])
  })

  it('gives the same log another run for another suite, at the time of the log', async () => {
    const file = write('suite.json', trajectory({}, step({ message: 'x', timestamp: time })))
    const named = await importLog(request(file, { suite: 'Other Suite' }))
    const first = await importLog(request(file))
    expect([named.suiteId, first.suiteId]).toEqual(['other-suite', 'atif'])
    expect(named.runId).toMatch(/^20260401-100000Z-[0-9a-f]{6}$/)
    expect(first.runId).toMatch(/^20260401-100000Z-[0-9a-f]{6}$/)
    expect(named.runId).not.toBe(first.runId)
    const timeless = await importLog(request(write('timeless.json', trajectory({}))))
    expect(timeless.runId).toMatch(/^20260501-120000Z-[0-9a-f]{6}$/)
  })

  it('sums the records without a place over the log and its attempts', async () => {
    const odd = trajectory({}, { source: 'tool' }, { source: 'tool' })
    const run = await imported('atif', write('unmapped.json', [odd, 7, odd]))
    expect(run.unmapped).toEqual({ 'value without steps': 1, 'step tool': 4 })
  })

  it('keeps a result of the largest size, and the beginning of a larger one', async () => {
    const result = async (length: number) => {
      const answer = step({ message: 'x'.repeat(length), extra: { outcome: true } })
      const file = write(`result-${length}.json`, trajectory({ extra: { ok: true } }, answer))
      return (artifact(await imported('atif', file), 'feedback.json').result as string).length
    }
    expect([await result(16_384), await result(16_385)]).toEqual([16_384, 16_384])
  })
})
