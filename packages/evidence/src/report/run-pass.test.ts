import { expect, test } from 'vitest'
import type { Outcome } from '../outcome/outcome.ts'
import type { ReportFile } from '../schema/schema.ts'
import type { AttemptReport } from './make-report.ts'
import { RunReportPass } from './run.ts'

type Added = [over: Partial<ReportFile>, outcome?: Outcome, state?: 'abandoned' | 'superseded']

function aggregateOf(...all: Added[]): unknown {
  return reportOf(...all).aggregate
}

function reportOf(...all: Added[]) {
  const pass = new RunReportPass()
  for (const [over, ...rest] of all) {
    const metrics = { toolCallsTotal: 2, failuresTotal: 1, wallTimeMs: 9, failuresByCode: {} }
    const ids = { attemptId: 'a', missionId: 'm' }
    const report = { ...ids, ...over, metrics: { ...metrics, ...over.metrics } } as ReportFile
    pass.add({ report, complete: over.ok !== undefined } as AttemptReport, ...rest)
  }
  return JSON.parse(JSON.stringify(pass.report('r', 's'))) as Record<string, unknown>
}

const failures = (failuresByCode: Record<string, number>) =>
  ({ failuresByCode }) as ReportFile['metrics']
const infra = (code: string) => ({ ok: false, resultJson: { kind: 'infra_failure', code } })
const tokens = (source: 'runner.metrics' | 'trace-heuristic', over: object = {}) => ({
  tokenEstimates: { source, inputTokens: 1, outputTokens: 2, totalTokens: 3, ...over },
})

test('a report of a run lists every attempt', () => {
  const report = reportOf(
    [{ ok: true, decisionTags: ['success'] }],
    [{}, 'abandoned', 'abandoned'],
    [{ ok: true, unproven: true, attemptId: 'b' }, undefined, 'superseded'],
  )
  expect(report).toEqual({
    schemaVersion: 1,
    ok: true,
    target: 'run',
    runId: 'r',
    suiteId: 's',
    path: '.',
    attempts: [
      {
        attemptId: 'a',
        missionId: 'm',
        ok: true,
        decisionTags: ['success'],
        toolCallsTotal: 2,
        failuresTotal: 1,
        wallTimeMs: 9,
      },
      {
        attemptId: 'a',
        missionId: 'm',
        ok: null,
        decisionTags: [],
        toolCallsTotal: 2,
        failuresTotal: 1,
        wallTimeMs: 9,
        abandoned: true,
      },
      {
        attemptId: 'b',
        missionId: 'm',
        ok: true,
        unproven: true,
        decisionTags: [],
        toolCallsTotal: 2,
        failuresTotal: 1,
        wallTimeMs: 9,
        superseded: true,
      },
    ],
    aggregate: {
      attemptsTotal: 1,
      passed: 1,
      failed: 0,
      abandoned: 1,
      superseded: 1,
      task: { passed: 1, failed: 0, unknown: 0 },
      evidence: { complete: 1, incomplete: 0 },
      orchestration: { healthy: 1, infraFailed: 0 },
    },
  })
})

test('a report of no attempt is not ok', () => {
  expect(reportOf()).toEqual({
    schemaVersion: 1,
    ok: false,
    target: 'run',
    runId: 'r',
    suiteId: 's',
    path: '.',
    attempts: [],
    aggregate: {
      attemptsTotal: 0,
      passed: 0,
      failed: 0,
      task: { passed: 0, failed: 0, unknown: 0 },
      evidence: { complete: 0, incomplete: 0 },
      orchestration: { healthy: 0, infraFailed: 0 },
    },
  })
})

test.each<[string, Added[], unknown]>([
  [
    'claims',
    [[{ ok: true }], [{ ok: false }], [{}], [{ ok: true, unproven: true }]],
    {
      attemptsTotal: 4,
      passed: 1,
      failed: 2,
      unproven: 1,
      task: { passed: 1, failed: 2, unknown: 1 },
      evidence: { complete: 3, incomplete: 1 },
      orchestration: { healthy: 4, infraFailed: 0 },
    },
  ],
  [
    'verdicts before claims',
    [
      [{ ok: true }, 'failed'],
      [{ ok: false }, 'passed'],
      [{ ok: true }, 'infra'],
    ],
    {
      attemptsTotal: 3,
      passed: 1,
      failed: 1,
      task: { passed: 1, failed: 1, unknown: 1 },
      evidence: { complete: 3, incomplete: 0 },
      orchestration: { healthy: 3, infraFailed: 0 },
    },
  ],
  [
    'failures of the infrastructure',
    [[infra('X')], [infra('ZCL_E_IO')], [infra('X')]],
    {
      attemptsTotal: 3,
      passed: 0,
      failed: 0,
      task: { passed: 0, failed: 0, unknown: 3 },
      evidence: { complete: 3, incomplete: 0 },
      orchestration: { healthy: 0, infraFailed: 3, infraFailureByCode: { X: 2, ZCL_E_IO: 1 } },
    },
  ],
  [
    'codes of the infrastructure',
    [
      [{ ok: true, metrics: failures({ ZCL_E_TIMEOUT: 2, Z: 1 }) }],
      [{ ok: true, metrics: failures({ ZCL_E_SPAWN: 1, ZCL_E_IO: 1 }) }],
      [{ ok: true, metrics: failures({ ZCL_E_RUNTIME_STALL: 3 }) }],
      [{ ok: true, metrics: failures({ A: 3 }) }],
      [{ ...infra('ZCL_E_TIMEOUT'), metrics: failures({ ZCL_E_TIMEOUT: 5 }) }],
    ],
    {
      attemptsTotal: 5,
      passed: 4,
      failed: 0,
      failureCodeHistogram: {
        A: 3,
        Z: 1,
        ZCL_E_IO: 1,
        ZCL_E_RUNTIME_STALL: 3,
        ZCL_E_SPAWN: 1,
        ZCL_E_TIMEOUT: 7,
      },
      task: { passed: 4, failed: 0, unknown: 1 },
      evidence: { complete: 5, incomplete: 0 },
      orchestration: {
        healthy: 1,
        infraFailed: 4,
        infraFailureByCode: {
          ZCL_E_IO: 1,
          ZCL_E_RUNTIME_STALL: 1,
          ZCL_E_SPAWN: 1,
          ZCL_E_TIMEOUT: 2,
        },
      },
    },
  ],
  [
    'timeouts before the first call',
    [[{ timedOutBeforeFirstToolCall: true }], [{}]],
    {
      attemptsTotal: 2,
      passed: 0,
      failed: 0,
      timedOutBeforeFirstToolCallTotal: 1,
      task: { passed: 0, failed: 0, unknown: 2 },
      evidence: { complete: 0, incomplete: 2 },
      orchestration: { healthy: 2, infraFailed: 0 },
    },
  ],
  [
    'tokens with a cost',
    [[tokens('runner.metrics', { costUsd: 0.1 })], [tokens('runner.metrics', { costUsd: 0.2 })]],
    {
      attemptsTotal: 2,
      passed: 0,
      failed: 0,
      task: { passed: 0, failed: 0, unknown: 2 },
      evidence: { complete: 0, incomplete: 2 },
      orchestration: { healthy: 2, infraFailed: 0 },
      tokenEstimates: {
        source: 'runner.metrics',
        basis: 'reported',
        inputTokens: 2,
        outputTokens: 4,
        totalTokens: 6,
        costUsd: 0.3,
      },
    },
  ],
  [
    'tokens of which one has no cost',
    [[tokens('runner.metrics', { costUsd: 0.1 })], [tokens('runner.metrics')]],
    {
      attemptsTotal: 2,
      passed: 0,
      failed: 0,
      task: { passed: 0, failed: 0, unknown: 2 },
      evidence: { complete: 0, incomplete: 2 },
      orchestration: { healthy: 2, infraFailed: 0 },
      tokenEstimates: {
        source: 'runner.metrics',
        basis: 'reported',
        inputTokens: 2,
        outputTokens: 4,
        totalTokens: 6,
      },
    },
  ],
  [
    'tokens of which some are estimated',
    [[tokens('trace-heuristic', { costUsd: 1 })], [tokens('runner.metrics', { costUsd: 0 })]],
    {
      attemptsTotal: 2,
      passed: 0,
      failed: 0,
      task: { passed: 0, failed: 0, unknown: 2 },
      evidence: { complete: 0, incomplete: 2 },
      orchestration: { healthy: 2, infraFailed: 0 },
      tokenEstimates: {
        source: 'trace-heuristic',
        basis: 'estimated',
        inputTokens: 2,
        outputTokens: 4,
        totalTokens: 6,
        costUsd: 1,
      },
    },
  ],
  [
    'tokens of which the last are estimated',
    [
      [tokens('runner.metrics')],
      [
        tokens('trace-heuristic', {
          inputTokens: undefined,
          outputTokens: undefined,
          totalTokens: undefined,
        }),
      ],
    ],
    {
      attemptsTotal: 2,
      passed: 0,
      failed: 0,
      task: { passed: 0, failed: 0, unknown: 2 },
      evidence: { complete: 0, incomplete: 2 },
      orchestration: { healthy: 2, infraFailed: 0 },
      tokenEstimates: {
        source: 'trace-heuristic',
        basis: 'estimated',
        inputTokens: 1,
        outputTokens: 2,
        totalTokens: 3,
      },
    },
  ],
  [
    'a cost of parts of a millionth',
    [
      [tokens('runner.metrics', { costUsd: 0.000_001_4 })],
      [tokens('runner.metrics', { costUsd: 0.000_001_4 })],
    ],
    {
      attemptsTotal: 2,
      passed: 0,
      failed: 0,
      task: { passed: 0, failed: 0, unknown: 2 },
      evidence: { complete: 0, incomplete: 2 },
      orchestration: { healthy: 2, infraFailed: 0 },
      tokenEstimates: {
        source: 'runner.metrics',
        basis: 'reported',
        inputTokens: 2,
        outputTokens: 4,
        totalTokens: 6,
        costUsd: 3e-6,
      },
    },
  ],
])('a report of a run counts %s', (_, all, aggregate) => {
  expect(aggregateOf(...all)).toEqual(aggregate)
})

test('a run is ok if every attempt that counts has passed', () => {
  expect(reportOf([{ ok: true }], [{ ok: true }]).ok).toBe(true)
  expect(reportOf([{ ok: true }], [{ ok: false }]).ok).toBe(false)
  expect(reportOf([{ ok: true }], [{ ok: false }, undefined, 'superseded']).ok).toBe(true)
})
