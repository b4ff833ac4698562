// Finds the log of an attempt: by the agent id in the file name, then by the id in the log, then by
// the prompt. The newest match wins. With a private HOME, the newest log is the fallback.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readLog } from './read-log.ts'
import type { Decompress } from '../../zstd/zstd.ts'
import type { RunnerFormat, RunnerReading } from '../log.ts'

export { readLog } from './read-log.ts'

export interface LogSearch {
  env: Readonly<Record<string, string | undefined>>
  agentId: string | undefined
  /** The text of prompt.txt. */
  prompt: string | undefined
  /** HOME is used by this attempt only, so its newest log belongs to the attempt. */
  isHomePrivate: boolean
  unzstd: Decompress
}

/** Length of the start of a prompt that a log must contain. */
const promptCharacters = 200
/** The start of a log that is searched; it contains the ids and the first user texts. */
const headBytes = 1024 * 1024

/** Absolute path of the log, or undefined. */
export function findLog(format: RunnerFormat, search: LogSearch): string | undefined {
  const logs = logsNewestFirst(format, search.env)
  const { agentId } = search
  const excerpt = promptExcerpt(search.prompt)
  const byName =
    agentId === undefined ? undefined : logs.find((log) => nameContainsId(format, log, agentId))
  if (byName !== undefined) return byName
  if (agentId !== undefined) {
    const byId = logs.find((log) => hasId(readHead(format, log, search.unzstd), agentId))
    if (byId !== undefined) return byId
  }
  if (excerpt !== '') {
    const byPrompt = logs.find((log) => {
      const { firstUserTexts = [] } = readHead(format, log, search.unzstd) ?? {}
      return firstUserTexts.some((text) => text.includes(excerpt))
    })
    if (byPrompt !== undefined) return byPrompt
  }
  return search.isHomePrivate ? logs[0] : undefined
}

/** The start of a prompt that a log must contain; empty without a prompt. */
export function promptExcerpt(prompt: string | undefined): string {
  return prompt?.trim().slice(0, promptCharacters) ?? ''
}

function logsNewestFirst(format: RunnerFormat, env: LogSearch['env']): string[] {
  const logs = format.roots(env).flatMap((root) => logsBelow(root, format, format.depth))
  if (format.newestBy === 'path') return logs.sort().reverse()
  return logs
    .map((log) => ({ log, mtimeMs: statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.log < b.log ? 1 : -1))
    .map(({ log }) => log)
}

function logsBelow(folder: string, format: RunnerFormat, depth: number): string[] {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const inner = path.join(folder, entry.name)
    if (entry.isDirectory()) return depth > 1 ? logsBelow(inner, format, depth - 1) : []
    return entry.isFile() && format.isLog(entry.name) ? [inner] : []
  })
}

/** Whether the name contains the id as a separate word: `a12` does not contain `a1`. */
function nameContainsId(format: RunnerFormat, log: string, agentId: string): boolean {
  const name = path.basename(format.namedBy === 'file' ? log : path.dirname(log))
  for (let start = name.indexOf(agentId); start >= 0; start = name.indexOf(agentId, start + 1)) {
    const around = [name[start - 1], name[start + agentId.length]]
    if (!around.some((character) => character !== undefined && /[A-Za-z0-9]/.test(character))) {
      return true
    }
  }
  return false
}

function hasId(reading: RunnerReading | undefined, agentId: string): boolean {
  return reading?.threadId === agentId || reading?.sessionId === agentId
}

/** Reads the start of a log; undefined if that fails. */
function readHead(
  format: RunnerFormat,
  log: string,
  unzstd: Decompress,
): RunnerReading | undefined {
  try {
    return readLog(format, log, { unzstd, maxBytes: headBytes })
  } catch {
    return undefined
  }
}
