// What a session has done, in order: commands with their results, file changes, searches. Knows the tools
// of zdx and those of other agents, whose sessions can be imported.
import type { SessionEvent } from '../session/session.ts'
import type { Envelope } from '../envelope/envelope.ts'
import {
  mayChangeUnnamedFiles,
  scriptChanges,
  shellChanges,
  splitShell,
} from './commands/commands.ts'
import type { Report } from './reports.ts'
import { readRuns, type Run } from './runs.ts'

export interface CommandEvent {
  event: number
  command: string
  /** Undefined if the command did not finish. */
  exitCode: number | undefined
  isTimedOut: boolean
  output: string
  runs: Run[]
  reports: () => readonly Report[]
  /** It may have changed files that it does not name. */
  mayChangeFiles: boolean
}

export type ChangeKind = 'created' | 'edited' | 'deleted' | 'failed' | 'undone'

export interface ChangeEvent {
  event: number
  kind: ChangeKind
  path: string
  /** The new place of a file that was moved here. */
  movedTo?: string
  /** New text, to see whether a change added a word. */
  text?: string
  byShell: boolean
}

export interface Timeline {
  commands: CommandEvent[]
  changes: ChangeEvent[]
}

interface Call {
  event: number
  name: string
  input: Readonly<Record<string, unknown>>
}

/** Reads the tool calls and results of `events`. */
export function readTimeline(events: readonly SessionEvent[]): Timeline {
  const timeline: Timeline = { commands: [], changes: [] }
  const open = new Map<string, Call[]>()
  for (const { event, record } of events) {
    if (record.type === 'tool_use') {
      const call = { event, name: record.name, input: record.input }
      open.set(record.id, [...(open.get(record.id) ?? []), call])
    } else if (record.type === 'tool_result') {
      const call = open.get(record.tool_use_id)?.shift()
      if (call !== undefined) addResult(timeline, call, record.output)
    } else if (record.type === 'undo' || record.type === 'redo') {
      const kind = record.type === 'undo' ? 'undone' : 'edited'
      for (const path of record.files) timeline.changes.push({ event, kind, path, byShell: false })
    }
  }
  return timeline
}

const shellTools =
  /^(bash|shell|local_shell|exec_command|run_shell_command|run_terminal_cmd|execute_bash|terminal|run_command|container\.exec)$/i
const editTools =
  /^(edit|multiedit|str_replace|str_replace_editor|str_replace_based_edit_tool|replace|edit_file|update_file)$/i
const writeTools = /^(write|write_file|create_file|create|save_file)$/i
const searchTools = /^(search|grep|glob|ripgrep|search_files|codebase_search|grep_search)$/i

function addResult(timeline: Timeline, call: Call, result: Envelope): void {
  const { event, name, input } = call
  if (shellTools.test(name)) addCommand(timeline, call, result)
  else if (/^apply_patch$/i.test(name)) addPatch(timeline, call, result)
  else if (editTools.test(name) || writeTools.test(name)) {
    const path = firstString(input, ['path', 'file_path', 'filePath', 'filename', 'target_file'])
    if (path === undefined) return
    const isNew = writeTools.test(name) || input.command === 'create'
    const kind = !result.ok
      ? 'failed'
      : isNew && isCreation(timeline, path, result)
        ? 'created'
        : 'edited'
    const text = firstString(input, ['new', 'content', 'new_string', 'new_str', 'file_text'])
    timeline.changes.push({
      event,
      kind,
      path,
      byShell: false,
      text,
    })
  } else if (searchTools.test(name)) {
    const pattern = firstString(input, ['pattern', 'query', 'regex']) ?? ''
    addLine(timeline, event, `grep ${pattern}`, result.ok ? 0 : 1, outputText(result))
  }
}

function isCreation(timeline: Timeline, path: string, result: Envelope): boolean {
  const created = result.ok ? result.data.created : undefined
  if (typeof created === 'boolean') return created
  return !timeline.changes.some((change) => change.path === path && change.kind !== 'deleted')
}

function addCommand(timeline: Timeline, { event, input }: Call, result: Envelope): void {
  const given = input.command ?? input.cmd ?? input.script
  const command = Array.isArray(given) ? shellOfList(given) : String(given ?? '')
  if (!result.ok) {
    const code = /exit (?:code|status):? (\d+)/i.exec(result.error.message)?.[1]
    addLine(
      timeline,
      event,
      command,
      code === undefined ? undefined : Number(code),
      result.error.message,
    )
    return
  }
  const isTimedOut = result.data.timed_out === true
  const output = outputText(result)
  const exitCode = isTimedOut ? undefined : exitCodeOf(result.data, output)
  addLine(timeline, event, command, exitCode, output, isTimedOut)
}

/** `["bash", "-lc", "npm test"]` is the line `npm test`. */
function shellOfList(words: readonly unknown[]): string {
  const [first, flag, line] = words.map(String)
  return /^(.*\/)?(ba|z|da)?sh$/.test(first ?? '') && /^-\w*c$/.test(flag ?? '')
    ? (line ?? '')
    : words.map(String).join(' ')
}

function exitCodeOf(data: Readonly<Record<string, unknown>>, output: string): number {
  const code = data.exit_code ?? data.exitCode
  if (typeof code === 'number') return code
  const printed = /^(?:Exit code|exit code|Process exited with code)[: ]+(\d+)/m.exec(output)?.[1]
  return printed === undefined ? 0 : Number(printed)
}

function outputText(result: Envelope): string {
  if (!result.ok) return result.error.message
  const texts = Object.entries(result.data)
    .filter(([key]) => key !== 'path')
    .map(([, value]) =>
      typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
    )
  const { stdout, stderr } = result.data
  if (typeof stdout === 'string') return `${stdout}\n${typeof stderr === 'string' ? stderr : ''}`
  return texts.join('\n')
}

function addLine(
  timeline: Timeline,
  event: number,
  command: string,
  exitCode: number | undefined,
  output: string,
  isTimedOut = false,
): void {
  const parts = splitShell(command)
  const { runs, reports } = readRuns(parts, exitCode, output)
  timeline.commands.push({
    event,
    command,
    exitCode,
    isTimedOut,
    output,
    runs,
    reports,
    mayChangeFiles: parts.some(({ words }) => mayChangeUnnamedFiles(words)),
  })
  if (exitCode === 0 || parts.length > 1) {
    const changes = [
      ...shellChanges(parts, exitCode === 0),
      ...(exitCode === 0 ? scriptChanges(command, parts) : []),
    ]
    timeline.changes.push(...changes.map((change) => ({ ...change, event, byShell: true })))
  }
}

function addPatch(timeline: Timeline, { event, input }: Call, result: Envelope): void {
  const patch = firstString(input, ['patch', 'input', 'patchText']) ?? ''
  for (const [, verb, path = ''] of patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)) {
    const kind = !result.ok
      ? 'failed'
      : verb === 'Add'
        ? 'created'
        : verb === 'Delete'
          ? 'deleted'
          : 'edited'
    timeline.changes.push({ event, kind, path: path.trim(), byShell: false, text: patch })
  }
}

function firstString(
  input: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): string | undefined {
  for (const key of keys) {
    const value = input[key]
    if (typeof value === 'string') return value
  }
  return undefined
}
