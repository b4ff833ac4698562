// `zeno persist` as the notify program of Codex, which starts it with one JSON argument per event.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { errorAfter, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { ensureDurableFolder } from '@zee/core/folders'
import { withLock } from '@zee/core/lock'
import { createRedactor } from '@zee/core/redact'
import { lastLines } from '../last-lines/last-lines.ts'
import { parseBlocks } from './blocks.ts'
import { assistantText } from './message-text.ts'
import { repositoryRoot, zenoFolder } from './repository-root.ts'
import { defaultLedgerBytes, logLine, storeTurn } from './store.ts'
import { isObject, parseObject } from '@zee/core/json'

type Payload = Record<string, unknown>

const historyLines = 500
const lockWaitMs = 10_000

/** Stores a completed turn; other events are ignored. */
export async function persistCodex(json: string, host: Host): Promise<number> {
  const payload = parsePayload(json)
  if (payload.type !== 'agent-turn-complete') return 0
  const cwd = nonEmptyString(payload.cwd) ?? host.cwd
  const folder = zenoFolder(cwd, '.codex', host.env.ZENO_ROOT)
  const message =
    nonEmptyString(payload['last-assistant-message']) ?? lastMessageInHistory(host) ?? ''
  const turn = {
    threadId: payload['thread-id'] ?? payload.thread_id,
    turnId: payload['turn-id'] ?? payload.turn_id,
    payload,
    blocks: parseBlocks(message),
  }
  ensureDurableFolder(folder)
  await withLock(path.join(folder, '.lock'), { waitMs: lockWaitMs }, async () => {
    const redactor = createRedactor({ environment: host.env })
    const ledgerBytes = parseLedgerLimit(host.env.ZENO_LEDGER_MAX_BYTES)
    const root = repositoryRoot(cwd, ['.git', '.codex'])
    const options = { folder, root, clock: host.clock, redactor, ledgerBytes }
    const stored = await storeTurn(turn, options)
    const line = logLine(stored, rfc3339(host.clock.now(), 0))
    try {
      appendFileSync(path.join(folder, 'notify.log'), line, { mode: 0o600 })
    } catch (error) {
      throw errorAfter('the turn was stored', error)
    }
  })
  return 0
}

/** Parses ZENO_LEDGER_MAX_BYTES; returns the default for a missing or invalid value. */
export function parseLedgerLimit(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : defaultLedgerBytes
}

export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parsePayload(json: string): Payload {
  let payload: unknown
  try {
    payload = JSON.parse(json)
  } catch {
    throw usageError('the notification is not JSON')
  }
  if (!isObject(payload)) throw usageError('the notification is not a JSON object')
  return payload
}

/** Returns the last assistant entry of Codex's history, for events that do not include the message. */
function lastMessageInHistory(host: Host): string | undefined {
  const home = nonEmptyString(host.env.CODEX_HOME) ?? path.join(host.env.HOME ?? '', '.codex')
  const entries = lastLines(path.join(home, 'history.jsonl'), historyLines).map(parseObject)
  return entries.map(assistantText).findLast((text) => text !== undefined)
}
