// `zee usage` over sessions and attempts that the real programs wrote.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  const sessions = sessionsFolder()
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
  const sessions = sessionsFolder()
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

test('zee usage counts the answers that zdx sessions fork copied once, and new ones of both sessions', async () => {
  await place.answer('first', 'one')
  const [log = ''] = readdirSync(sessionsFolder())
  const source = path.basename(log, '.jsonl')
  const fork = await forkOf(source)
  expect(readFileSync(path.join(sessionsFolder(), `${fork}.jsonl`), 'utf8')).toBe(
    readFileSync(path.join(sessionsFolder(), log), 'utf8'),
  )
  await forkOf(fork)
  expect((await usage()).total).toMatchObject({ requests: 1, inputTokens: 1200, outputTokens: 34 })

  await place.answer('second', 'two', ['--session', source])
  await place.answer('third', 'three', ['--session', fork])
  expect((await usage()).total).toMatchObject({ requests: 3, inputTokens: 3600, outputTokens: 102 })

  await place.run('zdx', ['sessions', 'delete', source])
  expect((await usage()).total).toMatchObject({ requests: 2, inputTokens: 2400, outputTokens: 68 })
})

test('zee usage counts a copied answer once after an undo in the source session', async () => {
  const play = path.join(place.base, 'write.jsonl')
  const call = { tool: 'write', input: { path: 'a.txt', content: 'a' } }
  const tokens = { usage: { input_tokens: 10, output_tokens: 1 } }
  const steps = [call, tokens, { end: true }, { text: 'done' }, tokens]
  writeFileSync(play, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  const args = ['--provider', 'script', '--model', play, '--tools', 'write', 'exec', '-p', 'go']
  expect((await place.run('zdx', args)).code).toBe(0)
  const [log = ''] = readdirSync(sessionsFolder())
  const source = path.basename(log, '.jsonl')
  const undone = await place.run('zdx', ['sessions', 'undo', source])
  expect(undone.code, undone.stderr).toBe(0)
  await place.answer('again', 'two', ['--session', source])
  await forkOf(source)

  expect((await usage()).total).toMatchObject({ requests: 3, inputTokens: 1220, outputTokens: 36 })
})

function sessionsFolder(): string {
  return path.join(place.base, 'home/.config/zdx/sessions')
}

async function forkOf(id: string): Promise<string> {
  const { code, stdout, stderr } = await place.run('zdx', ['sessions', 'fork', id])
  expect(code, stderr).toBe(0)
  return stdout.trim()
}

test.each(['2026-02-30', '2026-03-01junk', '2026-13-01', '2026-03-01 junk', '7', '-1d', ''])(
  'zee usage rejects --since %j',
  async (since) => {
    const { code, stdout, stderr } = await place.zee(['usage', '--since', since])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^zee: .*--since/)
  },
)

test.each(['2028-02-29', '2026-03-01T10:00:00+01:00', '2026-03-01T10:00', '24h', '4w'])(
  'zee usage accepts --since %s',
  async (since) => {
    expect((await place.zee(['usage', '--since', since])).code).toBe(0)
  },
)
