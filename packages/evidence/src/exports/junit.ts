// Exports JUnit XML for CI, one test case per attempt. A failed mission is a failure. An
// infrastructure failure or a missing outcome is an error. An abandoned or superseded try is
// skipped, because another try counts.
import { asObject, asText } from '../json/json.ts'
import type { Judgement } from '../judgement/judgement.ts'
import type { ExportAttempt, ExportSource } from './source.ts'

export async function* junitText(source: ExportSource): AsyncGenerator<string> {
  const cases: TestCase[] = []
  for (const attempt of source.attempts) cases.push(testCase(attempt))
  const count = (kind: TestCase['kind']) => cases.filter((each) => each.kind === kind).length
  const attributes = xmlAttributes({
    name: source.suiteId,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  })
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
  yield `  <testsuite ${attributes}>\n`
  yield `    <properties>\n${property('zcl.runId', source.runId)}    </properties>\n`
  for (const { xml } of cases) yield xml
  yield '  </testsuite>\n</testsuites>\n'
}

interface TestCase {
  kind: 'passed' | 'failure' | 'error' | 'skipped'
  ms: number
  xml: string
}

function testCase(attempt: ExportAttempt): TestCase {
  const { judgement, metrics } = attempt.judged()
  const { wallTimeMs: ms = 0, toolCallsTotal: calls = 0, failuresTotal: failed = 0 } = metrics ?? {}
  const kind = kindOf(attempt, judgement)
  const attributes = xmlAttributes({
    classname: asText(attempt.attempt.suiteId),
    name: `${asText(attempt.attempt.missionId)} (${attempt.attemptId})`,
    time: seconds(ms),
  })
  const output = `${calls} calls, ${failed} failed`
  const xml = [
    `    <testcase ${attributes}>`,
    ...(kind === 'passed' ? [] : [`      ${problem(kind, attempt, judgement)}`]),
    `      <system-out>${escapeXml(output)}</system-out>`,
    '    </testcase>',
  ]
  return { kind, ms, xml: `${xml.join('\n')}\n` }
}

const kinds = { passed: 'passed', failed: 'failure', infra: 'error', missing: 'error' } as const

function kindOf({ isSuperseded, outcome }: ExportAttempt, judgement: Judgement): TestCase['kind'] {
  if (isSuperseded || outcome?.outcome === 'abandoned') return 'skipped'
  return kinds[judgement.outcome]
}

function problem(
  kind: 'failure' | 'error' | 'skipped',
  { feedback, outcome, isSuperseded }: ExportAttempt,
  judgement: Judgement,
): string {
  const told = asObject(feedback?.resultJson)
  const why = isSuperseded ? 'superseded by another try' : asText(outcome?.message)
  if (kind === 'skipped') return `<skipped ${xmlAttributes({ message: why })}/>`
  if (kind === 'error') {
    const isInfra = judgement.outcome === 'infra'
    const type = asText(outcome?.code) || (isInfra && asText(told.code)) || 'missing_evidence'
    const said = asText(told.message) || asText(told.error)
    const message = why || (isInfra && said) || 'there is no feedback'
    return `<error ${xmlAttributes({ type, message })}/>`
  }
  const tags = Array.isArray(feedback?.decisionTags)
    ? feedback.decisionTags.filter((tag) => typeof tag === 'string').join(', ')
    : ''
  const type = asText(feedback?.classification) || 'blocked'
  const result =
    typeof feedback?.result === 'string'
      ? feedback.result
      : JSON.stringify(feedback?.resultJson ?? null)
  const claims = feedback?.ok === true && outcome === undefined
  const notMet = claims ? 'the expectations of the mission are not met' : ''
  const message =
    judgement.unproven === true ? 'unproven' : notMet || tags || 'the mission was not accomplished'
  return `<failure ${xmlAttributes({ type, message })}>${escapeXml(result)}</failure>`
}

function property(name: string, value: string): string {
  return `      <property ${xmlAttributes({ name, value })}/>\n`
}

/** `name="value"` pairs, escaped. */
export function xmlAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(String(value))}"`)
    .join(' ')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** The text with XML entities; characters that XML forbids become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"\n\r\t]/g, (character) => entities[character] ?? character)
    .replace(/[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
