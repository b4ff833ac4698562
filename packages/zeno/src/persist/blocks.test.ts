import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBlocks } from './blocks.ts'
import { safeId } from './safe-id.ts'

describe('parseBlocks', () => {
  it('returns the content between the markers regardless of the surrounding text', () => {
    const text = fc.string().filter((each) => !each.includes('==='))
    const row = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(text, row, fc.array(row), (around, state, rows) => {
        const lines = rows.map((each) => JSON.stringify(each)).join('\n')
        const message =
          `${around}\n===ZENO_STATE_UPDATE_JSON===\n${JSON.stringify(state)}\n===/ZENO_STATE_UPDATE_JSON===` +
          `${around}\n===ZENO_CLAIM_LEDGER_JSONL===\n${lines}\n===/ZENO_CLAIM_LEDGER_JSONL===\n${around}`
        const blocks = parseBlocks(message)
        expect(JSON.stringify(blocks.state)).toBe(JSON.stringify(state))
        expect(JSON.stringify(blocks.claims)).toBe(JSON.stringify(rows))
        expect(blocks.evidence).toEqual([])
      }),
    )
  })

  it('parses a block inside a code fence', () => {
    const message =
      '===ZENO_STATE_UPDATE_JSON===\n```json\n{"a":1}\n```\n===/ZENO_STATE_UPDATE_JSON==='
    expect(parseBlocks(message).state).toEqual({ a: 1 })
  })
})

describe('safeId', () => {
  it('returns a single safe path component for any value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ unit: 'binary', maxLength: 400 }), (value, text) => {
        for (const each of [value, text]) {
          const id = safeId(each)
          expect(id).toMatch(/^[A-Za-z0-9_.-]{1,120}$/)
          expect(id).not.toMatch(/^\.+$/)
        }
      }),
    )
  })

  it('returns different names for long ids with a common prefix', () => {
    expect(safeId(`${'x'.repeat(300)}1`)).not.toBe(safeId(`${'x'.repeat(300)}2`))
  })
})
