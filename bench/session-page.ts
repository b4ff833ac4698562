// Cost of the page of a session with 10,000 calls: opening it compared with a session of one call, and
// scrolling it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { firstPaint, frames, pageCases } from './harness/browser.ts'
import type { Case } from './harness/case.ts'

const calls = 10_000
const callsPerTurn = 50
const repository = process.cwd()
const zdx = path.join(repository, 'packages/zdx/bin/zdx.cjs')

export const cases: readonly Case[] = pageCases({
  name: 'a session with 10,000 calls',
  prepare,
  open: [
    firstPaint('1 call', 'small.html', 1),
    firstPaint('10,000 calls', 'large.html', calls),
    firstPaint('10,000 turns of one call', 'turns.html', calls),
  ],
  scroll: [
    frames('not scrolling', 'large.html', { element: 'html', pixels: 0 }),
    frames('scrolling', 'large.html', { element: 'html', pixels: 120 }),
  ],
})

function prepare(scratch: string): void {
  writePage(scratch, 'small', 1, callsPerTurn)
  writePage(scratch, 'large', calls, callsPerTurn)
  writePage(scratch, 'turns', calls, 1)
}

function writePage(scratch: string, id: string, count: number, perTurn: number): void {
  const sessions = path.join(scratch, 'zdx/sessions')
  mkdirSync(sessions, { recursive: true })
  const lines = sessionRecords(count, perTurn).map((record) => `${JSON.stringify(record)}\n`)
  writeFileSync(path.join(sessions, `${id}.jsonl`), lines.join(''))
  const args = [zdx, 'view', id, '--out', path.join(scratch, `${id}.html`)]
  const env = { ...process.env, ZDX_HOME: path.join(scratch, 'zdx') }
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: scratch, env })
  if (status !== 0) throw new Error(String(stderr))
}

/** Commands with outputs of 0 to 5,000 characters, every tenth call an edit. */
function sessionRecords(count: number, perTurn: number): object[] {
  const source = readFileSync(path.join(repository, 'docs/architecture.md'), 'utf8')
  const receipt = { provider: 'script', model: 'play' }
  const records: object[] = [{ type: 'meta', schema_version: 1, ts: timestamp(0) }]
  for (let index = 0; index < count; index++) {
    const ts = timestamp(index)
    if (index % perTurn === 0) {
      records.push({ type: 'message', role: 'user', text: `Do step ${index}.`, ts })
    }
    const id = `call-${index}`
    const isEdit = index % 10 === 3
    const input = isEdit
      ? { path: `src/part-${index % 40}.ts`, old: 'one', new: 'two' }
      : { command: `tool --step=${index}` }
    const stdout = source.slice(index % 500, (index % 500) + ((index * 37) % 5000))
    const data = isEdit ? { path: 'part.ts' } : { exit_code: index % 40 === 7 ? 1 : 0, stdout }
    const usage = { input_tokens: 1000 + index, output_tokens: 30 }
    records.push(
      { type: 'tool_use', id, name: isEdit ? 'edit' : 'bash', input, ts, ...receipt, usage },
      { type: 'tool_result', tool_use_id: id, output: { ok: true, data }, ok: true, ts },
    )
    if ((index + 1) % perTurn === 0) {
      const text = `Done with **step ${index}**.\n\n- one\n- two`
      records.push({ type: 'message', role: 'assistant', text, ts, ...receipt, usage })
    }
  }
  return records
}

function timestamp(index: number): string {
  return new Date(Date.UTC(2026, 0, 1) + index * 180).toISOString()
}
