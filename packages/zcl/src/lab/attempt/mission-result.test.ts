import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { parseResult, readMissionResult } from './mission-result.ts'

const channel = { kind: 'stdout_json', path: 'x', marker: 'M:', minTurn: 0 } as const

describe('the result of a mission', () => {
  test.each<[string, number, object]>([
    ['{"ok":true,"result":""}', 0, { result: { ok: true, result: '' } }],
    ['{"ok":true,"result":{"a":1}}', 0, { result: { resultJson: '{"a":1}' } }],
    ['{"ok":true,"resultJson":null,"a":1}', 0, { result: { resultJson: '{"a":1}' } }],
    ['{"ok":true,"a":1,"turn":2}', 2, { result: { resultJson: '{"a":1}' } }],
    ['{"ok":true,"a":1,"turn":2}', 3, { problem: { code: 'ZCL_E_MISSION_RESULT_TURN_TOO_EARLY' } }],
    ['{"ok":true,"a":1,"turn":"2"}', 0, { problem: { code: 'ZCL_E_MISSION_RESULT_INVALID' } }],
    ['{"ok":true,"result":"a","resultJson":1}', 0, { problem: {} }],
    ['{"ok":1,"result":"a"}', 0, { problem: {} }],
    ['[]', 0, { problem: {} }],
    ['null', 0, { problem: {} }],
  ])('is parsed from %s with a minimum turn of %d', (text, minTurn, wanted) => {
    expect(parseResult(text, minTurn)).toMatchObject(wanted)
  })

  test('is parsed from any text without throwing, and has exactly one of result and resultJson', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.nat(3), (text, minTurn) => {
        const read = parseResult(text, minTurn)
        if ('problem' in read) return read.problem.message !== ''
        return (read.result.result === undefined) !== (read.result.resultJson === undefined)
      }),
    )
  })

  test('is the latest usable line; without one, the latest line gives the problem', () => {
    const good = '{"ok":true,"result":"1"}'
    expect(readMissionResult(channel, [good, 'x'], [])).toMatchObject({ result: { result: '1' } })
    expect(readMissionResult(channel, ['{}', 'x'], [])).toMatchObject({
      problem: { message: 'the result is not JSON' },
    })
    expect(readMissionResult(channel, [], [])).toMatchObject({
      problem: { code: 'ZCL_E_MISSION_RESULT_MISSING' },
    })
  })
})
