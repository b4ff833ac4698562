import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRedactor } from '@zee/core/redact'
import { exportAttempt, exportSource, judgedAs, textOf } from '../../test/export-source.ts'
import { event, feedback, Lab, writeTrace, type LabAttempt } from '../../test/lab.ts'
import { escapeXml, junitText } from './junit.ts'
import { openExport, type ExportAttempt } from './source.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

test('a JUnit export leaves out tags and a result that are no text', async () => {
  const attempt = lab.complete()
  const strange = { toString: 1, valueOf: 2 }
  const damaged = { ok: false, result: strange, decisionTags: ['blocked', strange, null] }
  attempt.write('feedback.json', { ...feedback(attempt), ...damaged })
  const xml = await exported(attempt)
  expect(xml).toContain('<failure type="blocked" message="blocked">null</failure>')
})

test('a JUnit export counts the actions of the agent and the wall time of the report', async () => {
  const attempt = lab.attempt({ startedAt: '2026-02-15T18:00:00.000Z' })
  writeTrace(attempt, [
    event(attempt, { tool: 'mcp', op: 'spawn' }),
    event(attempt, { id: 'part', parentId: 'whole', result: { ok: false, code: 'X' } }),
    event(attempt, { ignored: true }),
    event(attempt, { id: 'whole', result: { ok: true, durationMs: 60_000 } }),
  ])
  attempt.write('feedback.json', feedback(attempt))
  const xml = await exported(attempt)
  expect(xml).toContain('<system-out>1 calls, 0 failed</system-out>')
  expect(xml).toContain('time="61.000"')
  expect(xml).toContain('failures="0" errors="0" skipped="0"')
})

test('a JUnit export judges expectations and typed infra failures as the report does', async () => {
  const attempt = lab.complete()
  const expects = { trace: { maxToolCallsTotal: 1 } }
  attempt.write('../../suite.json', {
    suiteId: 'smoke',
    missions: [{ missionId: 'hello', expects }],
  })
  expect(await exported(attempt)).toContain(
    '<failure type="blocked" message="the expectations of the mission are not met">',
  )
  const { result: _, ...rest } = feedback(attempt, { ok: false })
  const resultJson = { kind: 'infra_failure', code: 'ZCL_E_SPAWN', message: 'no runner' }
  attempt.write('feedback.json', { ...rest, resultJson })
  expect(await exported(attempt)).toContain('<error type="ZCL_E_SPAWN" message="no runner"/>')
})

async function exported({ runFolder, ids }: LabAttempt): Promise<string> {
  const run = { kind: 'run', folder: runFolder, name: ids.runId } as const
  let xml = ''
  for await (const part of junitText(await openExport(run, createRedactor({}), 'refuse')))
    xml += part
  return xml
}

test('a JUnit export names the suite, its attempts, their times and their calls', async () => {
  const counts = { wallTimeMs: 1500, toolCallsTotal: 2, failuresTotal: 1 }
  const passed = judgedAs({ outcome: 'passed' }, counts)
  const attempts = [
    exportAttempt({ judged: passed }),
    exportAttempt({
      attemptId: '2',
      feedback: { ok: false, result: 'a<b' },
      judged: judgedAs({ outcome: 'failed' }),
    }),
    exportAttempt({ attemptId: '3' }),
    exportAttempt({ attemptId: '4', judged: passed, isSuperseded: true }),
  ]
  expect((await textOf(junitText(exportSource(...attempts)))).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    '  <testsuite name="s" tests="4" failures="1" errors="1" skipped="1" time="3.000">',
    '    <properties>',
    '      <property name="zcl.runId" value="r"/>',
    '    </properties>',
    '    <testcase classname="s" name="m (001-m-r1)" time="1.500">',
    '      <system-out>2 calls, 1 failed</system-out>',
    '    </testcase>',
    '    <testcase classname="s" name="m (2)" time="0.000">',
    '      <failure type="blocked" message="the mission was not accomplished">a&lt;b</failure>',
    '      <system-out>0 calls, 0 failed</system-out>',
    '    </testcase>',
    '    <testcase classname="s" name="m (3)" time="0.000">',
    '      <error type="missing_evidence" message="there is no feedback"/>',
    '      <system-out>0 calls, 0 failed</system-out>',
    '    </testcase>',
    '    <testcase classname="s" name="m (4)" time="1.500">',
    '      <skipped message="superseded by another try"/>',
    '      <system-out>2 calls, 1 failed</system-out>',
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ])
})

const ok = { ok: true, result: 'x' }
const failed = judgedAs({ outcome: 'failed' })
const infra = (infraCode?: string) => judgedAs({ outcome: 'infra', infraCode })

test.each<[string, Partial<ExportAttempt>, string | undefined]>([
  ['a success', { feedback: ok, judged: judgedAs({ outcome: 'passed' }) }, undefined],
  [
    'a success without a call',
    { feedback: ok, judged: judgedAs({ outcome: 'failed', unproven: true }) },
    '<failure type="blocked" message="unproven">x<',
  ],
  [
    'a success that the expectations refuse',
    { feedback: ok, judged: failed },
    '<failure type="blocked" message="the expectations of the mission are not met">x<',
  ],
  [
    'a success that the lab refused',
    { feedback: ok, outcome: { outcome: 'failed', message: 'wrong' }, judged: failed },
    '<failure type="blocked" message="the mission was not accomplished">x<',
  ],
  [
    'a failure with tags and a class',
    {
      feedback: {
        ...{ ok: false, resultJson: { n: 1 }, decisionTags: ['a', 1, 'b'] },
        classification: 'missing_primitive',
      },
      judged: failed,
    },
    '<failure type="missing_primitive" message="a, b">{&quot;n&quot;:1}<',
  ],
  [
    'a failure without a result',
    { feedback: { ok: false }, judged: failed },
    '<failure type="blocked" message="the mission was not accomplished">null<',
  ],
  [
    'an infrastructure failure that the lab tells',
    { outcome: { outcome: 'infra', code: 'E', message: 'down' }, judged: infra('E') },
    '<error type="E" message="down"/>',
  ],
  [
    'an infrastructure failure that the feedback tells',
    { feedback: { resultJson: { code: 'E', message: 'down' } }, judged: infra() },
    '<error type="E" message="down"/>',
  ],
  [
    'a missing outcome, whatever the result tells',
    { feedback: { resultJson: { code: 'E', message: 'down' } } },
    '<error type="missing_evidence" message="there is no feedback"/>',
  ],
  [
    'an abandoned attempt',
    { feedback: ok, outcome: { outcome: 'abandoned', message: 'stopped' }, judged: failed },
    '<skipped message="stopped"/>',
  ],
])('a JUnit export shows %s', async (_, more, expected) => {
  const xml = await textOf(junitText(exportSource(exportAttempt(more))))
  if (expected === undefined) expect(xml).not.toMatch(/<(failure|error|skipped)/)
  else expect(xml).toContain(expected)
})

test('text in XML has entities, and the mark of a lost character for what XML forbids', () => {
  expect(escapeXml('a&<>"\n\r\tb')).toBe('a&amp;&lt;&gt;&quot;&#10;&#13;&#9;b')
  expect(escapeXml('\u0000\u001f \ud7ff\ue000\ufffd\ufffe\u{1f600}\ud800')).toBe(
    '\ufffd\ufffd \ud7ff\ue000\ufffd\ufffd\u{1f600}\ufffd',
  )
})
