// `zee usage`, `zee search` and `zee open` over the receipts and memories of zino.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { ZeeSandbox } from './sandbox.ts'

describe('zee and zino', () => {
  it('counts the receipts of zino, finds a memory and opens its page by its id', async () => {
    const place = new ZeeSandbox()
    const config = path.join(place.project, 'ZINO.toml')
    try {
      expect((await place.run('zino', ['init', place.project])).code).toBe(0)
      const env = { ZINO_CONFIG: config }
      const stopped = await place.zee(['open', '--print', '0'], env)
      expect(stopped.stderr).toContain('zino is not running: zino up --detach')
      const data = path.join(place.project, 'data/mem')
      mkdirSync(data, { recursive: true })
      const turn = { v: 1, turn: 't', ts: '2026-01-01T00:00:01Z', models: ['local:m'] }
      const tokens = { tokens: { input: 100, output: 20 }, cost: { usd: 0.5 } }
      const receipt = { ...turn, ...tokens, chain: '0', seal: '0' }
      writeFileSync(path.join(data, 'receipts.jsonl'), `${JSON.stringify(receipt)}\n`)
      const usage = await place.zee(['usage', '--by', 'program', '--json'], env)
      expect(JSON.parse(usage.stdout)).toMatchObject({
        rows: [{ program: 'zino', requests: 1, inputTokens: 100, outputTokens: 20, costUsd: 0.5 }],
      })
      const memory = spawn(builtProgram('zino'), ['mem'], {
        cwd: place.project,
        env: { ...process.env, ...place.env, ...env },
      })
      await once(memory.stderr, 'data')
      await place.run('zino', ['memory', 'add', 'The lighthouse is <b>red</b>.'], env)
      const found = await place.zee(['search', 'lighthouse', '--json'], env)
      expect(JSON.parse(found.stdout)).toMatchObject({
        excerpt: 'The lighthouse is <b>red</b>.',
        command: 'zino memory show 0',
      })
      const opened = await place.zee(['open', '--print', '0'], env)
      const page = readFileSync(opened.stdout.trim(), 'utf8')
      expect(page).toContain('The lighthouse is \\u003cb>red')
      expect((await place.zee(['open', '--print', '7'], env)).code).toBe(1)
      memory.kill()
      await once(memory, 'close')
    } finally {
      place.remove()
    }
  }, 60_000)
})
