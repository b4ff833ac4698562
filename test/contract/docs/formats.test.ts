// The JSON Schemas of docs/schemas describe the files that the programs write: those of a whole tour.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { repository } from '../../support/paths.ts'
import { TourPlace } from '../tour/tour.ts'

const place = new TourPlace()
let base = ''
let attempt = ''
beforeAll(async () => {
  const { output } = await place.run()
  base = /^A tour of zee in (\S+)$/m.exec(output)?.[1] ?? ''
  attempt = path.dirname(/^ {2}evidence +(\S+)$/m.exec(output)?.[1] ?? '')
})
afterAll(() => place.remove())

function schemaOf(name: string): z.ZodType {
  const text = readFileSync(path.join(repository, 'docs/schemas', name), 'utf8')
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0])
}

const read = (...names: string[]): string => readFileSync(path.join(...names), 'utf8')
const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)
const inFolder = (folder: string): string => {
  const first = readdirSync(folder).find((name) => /\.jsonl?$/.test(name))
  return read(folder, first ?? '')
}

const files: Record<string, () => unknown[]> = {
  'zdx-session.json': () => linesOf(inFolder(path.join(base, 'zdx/sessions'))),
  'zeno-trace.json': () => linesOf(read(base, 'zeno-trace.jsonl')),
  'zeno-evidence.json': () => linesOf(read(base, 'citations.jsonl')),
  'zino-memories.json': () => [JSON.parse(read(base, 'zino/data/mem/hard_memories.json'))],
  'zcl-run.json': () => [JSON.parse(read(attempt, '../../run.json'))],
  'zcl-attempt.json': () => [JSON.parse(read(attempt, 'attempt.json'))],
  'zcl-trace-event.json': () => linesOf(read(attempt, 'tool.calls.jsonl')),
  'zcl-feedback.json': () => [JSON.parse(read(attempt, 'feedback.json'))],
  'zcl-report.json': () => [JSON.parse(read(attempt, 'attempt.report.json'))],
  'zcl-config.json': () => [JSON.parse(read(base, 'shop/zcl.config.json'))],
}

describe.each(Object.keys(files))('docs/schemas/%s', (name) => {
  it('fits what was written', () => {
    const values = files[name]?.() ?? []
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) {
      const { success, error } = schemaOf(name).safeParse(value)
      expect(success, `${JSON.stringify(value).slice(0, 300)}: ${error?.message}`).toBe(true)
    }
  })

  it('does not fit everything', () => {
    expect(schemaOf(name).safeParse({ nonsense: true }).success).toBe(name === 'zcl-config.json')
    expect(schemaOf(name).safeParse('text').success).toBe(false)
  })
})

it('every schema parses', () => {
  for (const name of readdirSync(path.join(repository, 'docs/schemas'))) {
    expect(() => schemaOf(name), name).not.toThrow()
  }
})
