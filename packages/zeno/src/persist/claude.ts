// `zeno persist` as a Claude Code hook: reads one JSON object from standard input. A failing hook could
// block the session, so it always exits with 0; `status.json` holds the last result.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { ensureDurableFolder } from '@zee/core/folders'
import { openJournal } from '@zee/core/journal'
import { withLock } from '@zee/core/lock'
import type { Redactor } from '@zee/core/redact'
import { createRedactor } from '@zee/core/redact'
import { bridgeText, loadBridge, recentRows } from './bridge/bridge.ts'
import { streamWriter } from '@zee/core/lossless'
import { parseBlocks } from './blocks.ts'
import { nonEmptyString, parseLedgerLimit } from './codex.ts'
import { repositoryRoot, zenoFolder } from './repository-root.ts'
import { safeId } from './safe-id.ts'
import { storePath, storeTurn, writeJson } from './store.ts'
import { readTranscript } from './transcript.ts'
import { isObject, parseObject } from '@zee/core/json'

type Payload = Record<string, unknown>

interface Hook {
  payload: Payload
  folder: string
  /** The folder whose files evidence cites. */
  root: string
  threadId: string
  redactor: Redactor
  host: Host
}

interface HookResult {
  message: string
  turnId?: string
}

const lockWaitMs = 10_000
const editTools = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
const bridgeCounts = { maxEvidence: 5, maxClaims: 5 }

const handlers: ReadonlyMap<string, (hook: Hook) => Promise<HookResult | undefined>> = new Map([
  ['SessionStart', printContext],
  ['UserPromptSubmit', printContext],
  ['Stop', persistTurn],
  ['PreCompact', saveSnapshot],
  ['PostToolUse', recordEdit],
])

/** Handles one hook call; unknown hooks are ignored. */
export async function persistClaude(json: string, host: Host): Promise<number> {
  const payload = parseObject(json)
  const handler = handlers.get(String(payload?.hook_event_name))
  if (payload === undefined || handler === undefined) return 0
  const from =
    nonEmptyString(payload.cwd) ?? nonEmptyString(host.env.CLAUDE_PROJECT_DIR) ?? host.cwd
  const folder = zenoFolder(from, '.claude', host.env.ZENO_ROOT)
  const thread = payload.session_id ?? payload.conversation_id ?? payload.thread_id
  const redactor = createRedactor({ environment: host.env })
  const root = repositoryRoot(from, ['.git', '.claude'])
  const hook = { payload, folder, root, threadId: safeId(thread), redactor, host }
  try {
    const result = await handler(hook)
    if (result !== undefined) await writeStatus(hook, true, result)
  } catch (error) {
    await writeStatus(hook, false, { message: reasonOf(error) }).catch(() => undefined)
  }
  return 0
}

/** Prints the state of the session's thread. A new session falls back to the newest thread. */
async function printContext({ payload, folder, threadId, host }: Hook): Promise<undefined> {
  const ownBridge = loadBridge({ folder, threadId, ...bridgeCounts })
  const isStart = payload.hook_event_name === 'SessionStart'
  const bridge = ownBridge ?? (isStart ? loadBridge({ folder, ...bridgeCounts }) : undefined)
  if (bridge !== undefined) await streamWriter(host.stdout)(bridgeText(bridge))
}

async function persistTurn(hook: Hook): Promise<HookResult> {
  const { payload, folder, root, threadId, host, redactor } = hook
  return withFolderLock(folder, async () => {
    const cursor = storePath(folder, 'cursors', `${threadId}.json`)
    const transcript = nonEmptyString(payload.transcript_path)
    const update =
      transcript === undefined ? undefined : readTranscript(transcript, readCursor(cursor))
    const text = update?.text || nonEmptyString(payload.last_assistant_message) || ''
    const turn = {
      threadId,
      turnId: update?.turnId ?? payload.turn_id,
      payload,
      blocks: parseBlocks(text),
    }
    const { blocks } = turn
    const isEmpty =
      blocks.state === undefined && blocks.evidence.length + blocks.claims.length === 0
    const ledgerBytes = parseLedgerLimit(host.env.ZENO_LEDGER_MAX_BYTES)
    const stored = isEmpty
      ? undefined
      : await storeTurn(turn, { folder, root, clock: host.clock, redactor, ledgerBytes })
    if (update !== undefined) await writeJson(cursor, { offset: update.offset })
    if (stored === undefined) return { message: 'no blocks in this turn' }
    const message = `stored ${stored.evidence} evidence, ${stored.claims} claims`
    return { message, turnId: stored.turnId }
  })
}

async function saveSnapshot({
  payload,
  folder,
  threadId,
  host,
  redactor,
}: Hook): Promise<HookResult> {
  return withFolderLock(folder, async () => {
    const now = host.clock.now()
    const name = `${rfc3339(now).replace(/[:.]/g, '-')}.json`
    const bridge = loadBridge({ folder, threadId, maxEvidence: 0, maxClaims: 0 })
    await writeJson(storePath(folder, `snapshots/${threadId}/precompact`, name), {
      thread_id: threadId,
      timestamp: rfc3339(now, 0),
      payload: redactor.value(payload).value,
      state: bridge?.state ?? null,
      evidence: recentRows(folder, 'evidence', threadId, 100),
      claims: recentRows(folder, 'claims', threadId, 100),
    })
    return { message: 'kept a snapshot before compaction' }
  })
}

async function recordEdit(hook: Hook): Promise<HookResult | undefined> {
  const { payload, folder, threadId, host, redactor } = hook
  const tool = nonEmptyString(payload.tool_name)
  if (tool === undefined || !editTools.has(tool)) return undefined
  const input = isObject(payload.tool_input) ? payload.tool_input : {}
  const file = nonEmptyString(input.file_path) ?? nonEmptyString(input.notebook_path) ?? ''
  const row = { timestamp: rfc3339(host.clock.now(), 0), tool, path: file }
  const ledger = storePath(folder, 'tool_events', `${threadId}.jsonl`)
  ensureDurableFolder(path.dirname(ledger))
  const journal = openJournal(ledger, { durability: 'durable' })
  try {
    journal.append(redactor.value(row).value as object)
  } finally {
    journal.close()
  }
  return { message: `noted ${tool}` }
}

function withFolderLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  ensureDurableFolder(folder)
  return withLock(path.join(folder, '.lock'), { waitMs: lockWaitMs }, work)
}

function readCursor(file: string): number {
  try {
    const { offset } = JSON.parse(readFileSync(file, 'utf8')) as { offset?: unknown }
    return typeof offset === 'number' && offset >= 0 ? offset : 0
  } catch {
    return 0
  }
}

async function writeStatus(
  { folder, threadId, host, redactor }: Hook,
  ok: boolean,
  { message, turnId = '' }: HookResult,
): Promise<void> {
  await writeJson(path.join(folder, 'status.json'), {
    ok,
    message: redactor.text(message).text,
    timestamp: rfc3339(host.clock.now(), 0),
    thread_id: threadId,
    turn_id: turnId,
  })
}
