import { describe, expect, test } from 'vitest'
import { emptyFacts, factsFromRecord } from '../events/facts.ts'
import { MetricsPass } from '../summary/metrics.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import { semanticFailures } from './semantic.ts'
import { readSemanticRules } from '../expect/rules.ts'
import type { SemanticExpectations } from '../suite/suite.ts'

function traceOf(...calls: object[]): MetricsPass {
  const pass = new MetricsPass()
  const facts = emptyFacts()
  for (const call of calls) {
    factsFromRecord({ result: { ok: true }, ...call }, facts)
    pass.add(facts)
  }
  return pass
}

const echo = { tool: 'cli', op: 'exec', input: { argv: ['/bin/echo', 'one'] } }
const click = {
  tool: 'mcp',
  op: 'tools/call',
  input: { method: 'tools/call', params: { name: 'click' } },
}
const request = { tool: 'http', op: 'request', input: { method: 'GET', url: 'http://x' } }

function codesOf(rules: SemanticExpectations, result: unknown, trace?: MetricsPass): string[] {
  const feedback = (
    typeof result === 'string' ? { ok: true, result } : { ok: true, resultJson: result }
  ) as FeedbackFile
  return semanticFailures(rules, { feedback, trace }).map(({ code }) =>
    code.replace('ZCL_E_EXPECT_SEMANTIC_', ''),
  )
}

describe('results that say nothing', () => {
  test.each<[string, SemanticExpectations, unknown, string[]]>([
    ['a place that is missing', { requiredJsonPointers: ['/a/b'] }, { a: {} }, ['POINTER']],
    ['a place that is null is there', { requiredJsonPointers: ['/a'] }, { a: null }, []],
    ['a place that is blank', { nonEmptyJsonPointers: ['/a'] }, { a: ' ' }, ['POINTER']],
    ['a place that is empty', { nonEmptyJsonPointers: ['/a'] }, { a: [] }, ['POINTER']],
    ['false and 0 say something', { nonEmptyJsonPointers: ['/a', '/b'] }, { a: 0, b: false }, []],
    [
      'a placeholder in any case',
      { nonEmptyJsonPointers: ['/a'], placeholderValues: ['N/A'] },
      { a: ' n/a ' },
      ['POINTER'],
    ],
    ['too few fields', { minMeaningfulFields: 2 }, { a: 'x', b: null, c: '' }, ['MEANINGFUL']],
    ['fields at every depth', { minMeaningfulFields: 3 }, { a: { b: [1, 2], c: 'x' } }, []],
    ['text that holds JSON', { requiredJsonPointers: ['/a'] }, '{"a":1}', []],
  ])('%s', (_name, rules, result, wanted) => {
    expect(codesOf(rules, result, traceOf(echo))).toEqual(wanted)
  })
})

describe('calls that must have been made', () => {
  test.each<[string, SemanticExpectations, string[]]>([
    ['an operation', { requireToolOps: ['tools/call'] }, []],
    ['an operation that was not', { requireToolOps: ['initialize'] }, ['TOOL']],
    ['a command by its bare name', { requireCommandPrefix: ['echo one'] }, []],
    ['a command that was not', { requireCommandPrefix: ['curl'] }, ['TOOL']],
    ['an MCP tool', { requireMCPTool: ['click'] }, []],
    ['an MCP tool that was not', { requireMCPTool: ['type'] }, ['TOOL']],
  ])('%s', (_name, rules, wanted) => {
    expect(codesOf(rules, { a: 1 }, traceOf(echo, click))).toEqual(wanted)
  })

  test('without a trace none was', () => {
    const rules = {
      requireToolOps: ['exec'],
      requireCommandPrefix: ['echo'],
      requireMCPTool: ['x'],
    }
    expect(codesOf(rules, { a: 1 })).toEqual(['TOOL', 'TOOL', 'TOOL'])
  })
})

describe('boilerplate', () => {
  const rules: SemanticExpectations = {
    suspiciousBoilerplate: true,
    boilerplateCommandPrefixes: ['echo'],
    boilerplateMcpTools: ['click'],
  }
  test.each<[string, SemanticExpectations, unknown, MetricsPass | undefined, string[]]>([
    ['a thin result after boilerplate', rules, { a: 1 }, traceOf(echo, click), ['BOILERPLATE']],
    ['a thin result after nothing', rules, { a: 1 }, undefined, ['BOILERPLATE']],
    ['enough fields', rules, { a: 1, b: 2 }, traceOf(echo), []],
    [
      'a higher bar',
      { ...rules, maxMeaningfulFieldsForBoilerplate: 2 },
      { a: 1, b: 2 },
      traceOf(echo),
      ['BOILERPLATE'],
    ],
    ['a telling command', { ...rules, boilerplateCommandPrefixes: [] }, {}, traceOf(echo), []],
    ['a telling tool', { ...rules, boilerplateMcpTools: [] }, {}, traceOf(click), []],
    ['another boundary', rules, {}, traceOf(echo, request), []],
    ['nobody is suspicious', {}, {}, traceOf(echo), []],
  ])('%s', (_name, expected, result, trace, wanted) => {
    expect(codesOf(expected, result, trace)).toEqual(wanted)
  })
})

describe('rules in a file', () => {
  test('hold for all missions, or for some by name, or stand in a suite', () => {
    const rules = readSemanticRules(
      {
        default: { minMeaningfulFields: 1 },
        missions: { 'My Mission': { minMeaningfulFields: 2 } },
      },
      'r',
    )
    expect(rules('my-mission')).toEqual({ minMeaningfulFields: 2 })
    expect(rules('other')).toEqual({ minMeaningfulFields: 1 })
    const missions = [{ missionId: 'a', expects: { semantic: { minMeaningfulFields: 3 } } }]
    const suite = readSemanticRules({ suiteId: 's', missions }, 'r')
    expect([suite('a'), suite('b')]).toEqual([{ minMeaningfulFields: 3 }, undefined])
  })

  test.each([
    [[]],
    [{ defaults: {} }],
    [{ default: { minMeaningfulFields: -1 } }],
    [{ missions: 1 }],
  ])('%j is refused', (value) => {
    expect(() => readSemanticRules(value, 'rules.yaml')).toThrow(/^rules\.yaml: /)
  })
})
