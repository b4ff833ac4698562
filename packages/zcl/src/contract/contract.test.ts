import { expect, test } from 'vitest'
import { describeContract } from './contract.ts'

const contract = describeContract('1.2.3', [{ id: 'init', usage: 'zcl init', summary: 'x' }], {})

function fieldsOf(id: string): string {
  return contract.artifacts.find((artifact) => artifact.id === id)?.requiredFields.join(' ') ?? ''
}

test('`zcl contract` lists the required fields of the schemas in the order of writing', () => {
  expect(fieldsOf('run.json')).toBe('schemaVersion runId suiteId createdAt')
  expect(fieldsOf('attempt.json')).toBe(
    'schemaVersion runId suiteId missionId attemptId mode startedAt',
  )
  expect(fieldsOf('feedback.json')).toBe(
    'schemaVersion runId suiteId missionId attemptId ok createdAt',
  )
  expect(fieldsOf('attempt.report.json')).toBe(
    'schemaVersion runId suiteId missionId attemptId computedAt metrics',
  )
  expect(fieldsOf('tool.calls.jsonl')).toBe('v ts runId missionId attemptId tool op result io')
  expect(fieldsOf('notes.jsonl')).toBe('v ts runId missionId attemptId kind')
})

test('`zcl contract` lists every JSONL artifact with a schema as an event stream', () => {
  expect(contract.events.map(({ stream }) => stream)).toEqual([
    'tool.calls.jsonl',
    'tool.begins.jsonl',
    'notes.jsonl',
    'messages.jsonl',
    'captures.jsonl',
  ])
  expect(contract.events[0]?.requiredFields.join(' ')).toBe(fieldsOf('tool.calls.jsonl'))
})

test('`zcl contract` gives artifact paths as in the folder layout', () => {
  expect(contract.artifacts.map(({ pathPattern }) => pathPattern)).toEqual(
    expect.arrayContaining([
      'runs/<runId>/run.json',
      'runs/<runId>/attempts/<attemptId>/tool.calls.jsonl',
    ]),
  )
})

test('`zcl contract` lists every error and warning code once', () => {
  const codes = contract.errors.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of ['USAGE', 'IO', 'CHAIN_BROKEN', 'SPAWN', 'TIMEOUT', 'UNSAFE_EVIDENCE']) {
    expect(codes).toContain(`ZCL_E_${code}`)
  }
  expect(codes).toContain('ZCL_W_REPORT_STALE')
})

test('`zcl contract` prints its keys in a fixed order', () => {
  expect(Object.keys(contract)).toEqual([
    'name',
    'version',
    'artifactLayoutVersion',
    'traceSchemaVersion',
    'artifacts',
    'events',
    'commands',
    'errors',
    'campaignSchema',
  ])
})
