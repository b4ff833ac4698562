// `zino replay`: plays recorded turns again, offline, and reports what differs.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { terminalSafeText } from '@zee/core/colour'
import { fileError, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Logger } from '@zee/core/log'
import { createLogger } from '@zee/core/log'
import { findConfig } from '../config/config.ts'
import type { ZinoConfig } from '../config/config.ts'
import type { Definitions } from '../definitions/definitions.ts'
import { loadSkills, loadTools } from '../definitions/definitions.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { readReceipts, receiptsFile, textFacts } from '../receipts/receipts.ts'
import { sinceMs } from '@zee/core/since'
import { loadReplay } from '../services/services.ts'
import type { ContextNow } from './context.ts'
import { contextDifferences, contextNow } from './context.ts'
import { answersFolder, readRunRecords, turnFileOf } from '../turns/turns.ts'

export interface ReplayCall {
  config: string | undefined
  file: string | undefined
  since: string | undefined
  json: boolean
}

interface Difference {
  turn: string
  in: 'recording' | 'context' | 'calls' | 'text'
  text: string
}

interface Report {
  turns: number
  replayed: number
  /** Turns whose answers were not recorded, or are forgotten. */
  without_recording: number
  differences: Difference[]
}

/** Resolves to exit code 1 when something differs. */
export async function runReplay(call: ReplayCall, host: Host): Promise<number> {
  if (call.file === undefined && call.since === undefined) {
    throw usageError('name a file of receipts or recorded answers, or use --since')
  }
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  const { config } = await findConfig(lookup)
  const file = call.file === undefined ? receiptsFile(config) : path.resolve(host.cwd, call.file)
  if (call.file !== undefined && !existsSync(file)) {
    throw new ZeeError('no_receipt', `${file} does not exist`)
  }
  const log = createLogger({
    name: 'zino.replay',
    level: 'WARNING',
    write: (line) => void host.stderr.write(line),
  })
  const definitions = loadDefinitions(config, log)
  const now = await contextNow(config, log)
  const replay = { definitions, now, run: await loadReplay() }
  const report: Report = { turns: 0, replayed: 0, without_recording: 0, differences: [] }
  if (isRecording(file)) {
    await replayFile(path.basename(file, '.jsonl'), file, undefined, replay, report)
  } else {
    const folder = answersFolder(config)
    for (const receipt of receiptsSince(file, call.since, host.clock.now())) {
      const recording = turnFileOf(folder, receipt.turn)
      await replayFile(receipt.turn, recording, receipt, replay, report)
    }
  }
  host.stdout.write(call.json ? `${JSON.stringify(report, null, 2)}\n` : describe(report, host))
  return report.differences.length === 0 ? 0 : 1
}

interface Replay {
  definitions: Definitions
  now: ContextNow
  run: Awaited<ReturnType<typeof loadReplay>>
}

function loadDefinitions(config: ZinoConfig, log: Logger): Definitions {
  return {
    tools: loadTools(config.tools.dir, log),
    skills: loadSkills(config.skills.dir, log),
    servers: Object.keys(config.mcp ?? {}),
    subAgentIterations: config.agr.max_iterations,
  }
}

async function replayFile(
  turn: string,
  file: string,
  receipt: Receipt | undefined,
  { definitions, now, run }: Replay,
  report: Report,
): Promise<void> {
  report.turns += 1
  const records = existsSync(file) ? readRunRecords(file) : undefined
  if (records === undefined || receipt?.recording === null) {
    report.without_recording += 1
    return
  }
  report.replayed += 1
  const note = (kind: Difference['in'], text: string) => {
    report.differences.push({ turn, in: kind, text })
  }
  if (receipt !== undefined) {
    if (receipt.recording?.sha256 !== textFacts(readFileSync(file)).sha256) {
      note('recording', 'the recorded answers were changed')
    }
    const prompt = records.prompt === undefined ? undefined : JSON.stringify(records.prompt)
    if (prompt !== undefined && receipt.context?.sha256 !== textFacts(prompt).sha256) {
      note('context', 'the prompt differs from that of the receipt')
    }
  }
  if (records.prompt !== undefined) {
    for (const text of contextDifferences(records.prompt, receipt, now)) note('context', text)
  }
  const allows = receipt?.permission.allow ?? []
  for (const difference of await run(records, definitions, allows)) {
    note(difference.in, difference.text)
  }
}

/** Whether the file holds the recorded answers of one turn, not receipts. */
function isRecording(file: string): boolean {
  try {
    return existsSync(file) && readFileSync(file, 'latin1').startsWith('{"kind":')
  } catch (error) {
    throw fileError('read', file, error)
  }
}

function receiptsSince(file: string, since: string | undefined, now: Date): Receipt[] {
  const receipts = readReceipts(file)
  const startMs = sinceMs(since, now)
  return receipts.filter(({ ts }) => Date.parse(ts) >= startMs)
}

function describe({ replayed, without_recording, differences }: Report, host: Host): string {
  const safe = terminalSafeText(host.stdout)
  const lines = differences.map((each) => safe(`turn ${each.turn}: ${each.in}: ${each.text}\n`))
  const missing = without_recording === 0 ? '' : `, ${without_recording} without recorded answers`
  return `${lines.join('')}replayed ${replayed} turns: ${differences.length} differences${missing}\n`
}
