// `zee usage` over sessions and attempts that the real programs wrote.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ZeeSandbox } from './sandbox.ts'

let place: ZeeSandbox
beforeEach(() => {
  place = new ZeeSandbox()
})
afterEach(() => place.remove())

interface Usage {
  rows: Record<string, unknown>[]
  total: Record<string, unknown>
}

async function usage(...args: string[]): Promise<Usage> {
  const { code, stdout, stderr } = await place.zee(['usage', '--json', ...args])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Usage
}

test('zee usage counts a session of zdx once when an attempt of zcl took its numbers from it', async () => {
  await place.answer('first', 'one')
  const attempt = await place.attempt(['true'])
  const sessions = path.join(place.base, 'home/.config/zdx/sessions')
  const [log = ''] = readdirSync(sessions)
  const enrich = ['enrich', '--runner', 'zdx', '--rollout', path.join(sessions, log), attempt]
  const enriched = await place.run('zcl', enrich)
  expect(enriched.code, enriched.stderr).toBe(0)
  await place.answer('second', 'two')

  const twoAnswers = { requests: 2, inputTokens: 2400, outputTokens: 68 }
  const byProgram = await usage('--by', 'program')
  expect(byProgram.rows).toEqual([expect.objectContaining({ program: 'zdx', ...twoAnswers })])
  for (const by of ['day', 'model', 'project']) {
    const { rows, total } = await usage('--by', by, '--since', '1d')
    expect(rows, by).toEqual([expect.objectContaining(twoAnswers)])
    expect(total, by).toMatchObject(twoAnswers)
  }
})

test('zee usage counts an attempt of zcl whose session of zdx was deleted', async () => {
  await place.answer('first', 'one')
  const attempt = await place.attempt(['true'])
  const sessions = path.join(place.base, 'home/.config/zdx/sessions')
  const [log = ''] = readdirSync(sessions)
  await place.run('zcl', [
    'enrich',
    '--runner',
    'zdx',
    '--rollout',
    path.join(sessions, log),
    attempt,
  ])
  const removed = await place.run('zdx', ['sessions', 'delete', path.basename(log, '.jsonl')])
  expect(removed.code, removed.stderr).toBe(0)

  const { rows } = await usage('--by', 'program')
  expect(rows).toEqual([
    expect.objectContaining({ program: 'zcl', requests: 1, inputTokens: 1200, outputTokens: 34 }),
  ])
})
