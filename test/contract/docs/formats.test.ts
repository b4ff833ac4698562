// The JSON Schemas of docs/schemas match the files that the programs write, in a tour and by
// commands outside the tour.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { repository } from '../../support/paths.ts'
import { runProgram } from '../../support/run-program.ts'
import { TourPlace } from '../../packaging/tour/tour.ts'

const place = new TourPlace()
let base = ''
let attempt = ''
let further = ''
beforeAll(async () => {
  const { output } = await place.run({ args: ['--keep'] })
  base = /^A tour of zee in (\S+)$/m.exec(output)?.[1] ?? ''
  attempt = path.dirname(/^ {2}evidence +(\S+)$/m.exec(output)?.[1] ?? '')
  further = await furtherEvidence()
})
afterAll(() => place.remove())

/**
 * Writes a reported run with a capture, a note and an outcome, and a claim. Returns the attempt
 * folder.
 */
async function furtherEvidence(): Promise<string> {
  const options = { cwd: place.base, env: { HOME: place.home } }
  const suite = path.join(place.base, 'suite.json')
  writeFileSync(suite, '{"suiteId":"s","missions":[{"missionId":"m","prompt":"x"}]}')
  const agent =
    'zcl run --capture -- echo hi && zcl note --message hi && zcl feedback --ok --result x'
  const run = ['suite', 'run', '--file', suite, '--json', '--', 'sh', '-c', agent]
  const { stdout, stderr } = await runProgram('zcl', run, {
    ...options,
    env: { ...options.env, PATH: `${repository}/node_modules/.bin:${process.env.PATH}` },
  })
  expect(stdout, stderr).toContain('"passed": 1')
  const { runId } = JSON.parse(stdout) as { runId: string }
  await runProgram('zcl', ['report', runId], options)
  const claim = '{"claim_id":"C1","claim":"x","evidence":["E1"],"confidence":"high"}'
  const message = `===ZENO_CLAIM_LEDGER_JSONL===\n${claim}\n===/ZENO_CLAIM_LEDGER_JSONL===`
  const turn = { 'thread-id': 't', 'turn-id': '1', cwd: place.base }
  const notification = { type: 'agent-turn-complete', ...turn, 'last-assistant-message': message }
  await runProgram('zeno', ['persist', JSON.stringify(notification)], {
    ...options,
    env: { ...options.env, ZENO_ROOT: path.join(place.base, 'zeno') },
  })
  return path.join(place.base, '.zcl/runs', runId, 'attempts/001-m-r1')
}

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
  'zcl-begin.json': () => linesOf(read(further, 'tool.begins.jsonl')),
  'zcl-capture.json': () => linesOf(read(further, 'captures.jsonl')),
  'zcl-note.json': () => linesOf(read(further, 'notes.jsonl')),
  'zcl-outcome.json': () => [JSON.parse(read(further, 'attempt.outcome.json'))],
  'zcl-run-report.json': () => [JSON.parse(read(further, '../../run.report.json'))],
  'zcl-suite.json': () => [
    JSON.parse(read(further, '../../suite.json')),
    parse(read(repository, 'examples/two-help-texts/suite.yaml')),
  ],
  'zcl-campaign.json': () => [parse(read(repository, 'examples/two-help-texts/campaign.yaml'))],
  'zeno-claim.json': () => linesOf(inFolder(path.join(place.base, 'zeno/claims'))),
  'zino-tool.json': () => [JSON.parse(inFolder(path.join(base, 'zino/tools')))],
  'zino-skill.json': () => [JSON.parse(inFolder(path.join(base, 'zino/skills')))],
  'zcl-config.json': () => [JSON.parse(read(base, 'shop/zcl.config.json'))],
}

describe.each(Object.keys(files))('docs/schemas/%s', (name) => {
  it('accepts the files of the programs', () => {
    const values = files[name]?.() ?? []
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) {
      const { success, error } = schemaOf(name).safeParse(value)
      expect(success, `${JSON.stringify(value).slice(0, 300)}: ${error?.message}`).toBe(true)
    }
  })

  it('rejects other values', () => {
    expect(schemaOf(name).safeParse({ nonsense: true }).success).toBe(name === 'zcl-config.json')
    expect(schemaOf(name).safeParse('text').success).toBe(false)
  })
})

it('every schema parses', () => {
  for (const name of readdirSync(path.join(repository, 'docs/schemas'))) {
    expect(() => schemaOf(name), name).not.toThrow()
  }
})
