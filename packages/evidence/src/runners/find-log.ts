// Which log belongs to an attempt: by the agent's id in a file's name, then by the id in the log, then
// by the prompt; of several the newest. A HOME of the attempt's own needs none of that.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { readLog } from './read-log.ts'
import type { RunnerFormat, RunnerReading } from './log.ts'

export interface LogSearch {
  env: Readonly<Record<string, string | undefined>>
  agentId: string | undefined
  /** The text of prompt.txt. */
  prompt: string | undefined
  /** The home belongs to this attempt alone, so its newest log is the one. */
  isHomePrivate: boolean
}

/** How much of a prompt has to stand in a log. */
const promptCharacters = 200
/** The beginning of a log that is looked at: it holds the ids and the first words. */
const headBytes = 1024 * 1024

/** Absolute path of the log, or undefined. */
export function findLog(format: RunnerFormat, search: LogSearch): string | undefined {
  const logs = logsNewestFirst(format, search.env)
  const { agentId } = search
  const words = promptExcerpt(search.prompt)
  const byName =
    agentId === undefined ? undefined : logs.find((log) => nameContainsId(format, log, agentId))
  if (byName !== undefined) return byName
  if (agentId !== undefined) {
    const byId = logs.find((log) => hasId(readHead(format, log), agentId))
    if (byId !== undefined) return byId
  }
  if (words !== '') {
    const byPrompt = logs.find((log) => {
      const { firstUserTexts = [] } = readHead(format, log) ?? {}
      return firstUserTexts.some((text) => text.includes(words))
    })
    if (byPrompt !== undefined) return byPrompt
  }
  return search.isHomePrivate ? logs[0] : undefined
}

/** As much of a prompt as has to stand in a log; empty without one. */
export function promptExcerpt(prompt: string | undefined): string {
  return prompt?.trim().slice(0, promptCharacters) ?? ''
}

function logsNewestFirst(format: RunnerFormat, env: LogSearch['env']): string[] {
  const logs = format.roots(env).flatMap((root) => logsBelow(root, format, format.depth))
  if (format.newestBy === 'path') return logs.sort().reverse()
  return logs
    .map((log) => ({ log, at: statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at || (a.log < b.log ? 1 : -1))
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

/** As a word of its own: `a1` does not stand in `a12`. */
function nameContainsId(format: RunnerFormat, log: string, agentId: string): boolean {
  const name = path.basename(format.namedBy === 'file' ? log : path.dirname(log))
  for (let at = name.indexOf(agentId); at >= 0; at = name.indexOf(agentId, at + 1)) {
    const around = [name[at - 1], name[at + agentId.length]]
    if (!around.some((character) => character !== undefined && /[A-Za-z0-9]/.test(character))) {
      return true
    }
  }
  return false
}

function hasId(reading: RunnerReading | undefined, agentId: string): boolean {
  return reading?.threadId === agentId || reading?.sessionId === agentId
}

/** What the beginning of a log says; undefined when it cannot be read. */
function readHead(format: RunnerFormat, log: string): RunnerReading | undefined {
  try {
    return readLog(format, log, { maxBytes: headBytes })
  } catch {
    return undefined
  }
}
