// What a session has done, in order: commands with their results, file changes, searches. Knows the tools
// of zdx and those of other agents, whose sessions can be imported.
import type { SessionEvent } from '../session/session.ts'
import type { Envelope } from '../envelope/envelope.ts'
import type { RunKind, SimpleCommand } from './commands/commands.ts'
import {
  isPartialRun,
  kindOf,
  mayChangeUnnamedFiles,
  shellChanges,
  splitShell,
} from './commands/commands.ts'
import { countErrors } from './printed-errors.ts'
import { readReports, type Report } from './reports.ts'

export type RunStatus = 'passed' | 'failed' | 'unknown'

/** A program that tests, builds, checks types or lints, within one command line. */
export interface Run {
  kind: RunKind
  status: () => RunStatus
  isPartial: boolean
  words: readonly string[]
}

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
  const printed = {
    exitCode,
    output,
    parts,
    reports: lazily(() => readReports(output, parts.some(cutsLines))),
  }
  const runs: Run[] = []
  for (const [index, { words }] of parts.entries()) {
    const kind = kindOf(words)
    if (kind === undefined) continue
    const status = statusOf(parts, index, exitCode)
    runs.push(createRun({ kind, isPartial: isPartialRun(words), words }, status, printed))
  }
  // A report without a known command is a test run, too: `./ci`, `npm run check`.
  const isTested = runs.some(({ kind }) => kind === 'test')
  if (!isTested && !isReader(parts) && printed.reports().length > 0) {
    const status = exitCode === 0 ? 'unknown' : 'failed'
    const words = parts[0]?.words ?? []
    runs.push(createRun({ kind: 'test', isPartial: false, words }, status, printed))
  }
  timeline.commands.push({
    event,
    command,
    exitCode,
    isTimedOut,
    output,
    runs,
    reports: printed.reports,
    mayChangeFiles: parts.some(({ words }) => mayChangeUnnamedFiles(words)),
  })
  if (exitCode === 0 || parts.length > 1) {
    timeline.changes.push(
      ...shellChanges(parts, exitCode === 0).map((change) => ({ ...change, event, byShell: true })),
    )
  }
}

/** A command that prints a file may print an old report. */
function isReader(parts: readonly SimpleCommand[]): boolean {
  return parts.every(({ words }) =>
    /^(cat|head|tail|less|grep|rg|sed|awk|cd|echo|ls|git|diff)$/.test(words[0] ?? ''),
  )
}

/** The exit status of one simple command, as far as the status of the line shows it. */
function statusOf(
  parts: readonly SimpleCommand[],
  index: number,
  exitCode: number | undefined,
): RunStatus {
  if (exitCode === undefined) return 'failed'
  const after = parts.slice(index, -1).map(({ operator }) => operator)
  if (after.length === 0) return exitCode === 0 ? 'passed' : 'failed'
  if (after.every((operator) => operator === '&&')) return exitCode === 0 ? 'passed' : 'failed'
  const hasStrictMode = parts.some(
    ({ words }) => words[0] === 'set' && words.slice(1).join(' ').includes('e'),
  )
  if (hasStrictMode && after.every((operator) => operator !== '|' && operator !== '||')) {
    return exitCode === 0 ? 'passed' : 'failed'
  }
  return 'unknown'
}

interface Printed {
  exitCode: number | undefined
  output: string
  reports: () => readonly Report[]
  parts: readonly SimpleCommand[]
}

/** Outputs are read only if a claim needs them: a session may have thousands of commands. */
function createRun(run: Omit<Run, 'status'>, status: RunStatus, printed: Printed): Run {
  return { ...run, status: lazily(() => statusWithOutput(run.kind, status, printed)) }
}

function lazily<T>(compute: () => T): () => T {
  let known: { value: T } | undefined
  return () => (known ??= { value: compute() }).value
}

/** What the output shows outweighs an exit status that another command may have set. */
function statusWithOutput(kind: RunKind, status: RunStatus, printed: Printed): RunStatus {
  const { exitCode, output, parts } = printed
  if (kind === 'test') {
    const reports = printed.reports()
    if (reports.length === 0) return status === 'unknown' ? buildOutcome(output) : status
    const passed = reports.reduce((sum, report) => sum + report.passed, 0)
    if (passed === 0 || reports.some(({ failed }) => failed > 0)) return 'failed'
    if (status !== 'failed') return 'passed'
    const isOneOfMany = parts.filter(({ words }) => kindOf(words) !== undefined).length > 1
    return exitCode !== undefined && isOneOfMany ? 'passed' : 'failed'
  }
  if (status !== 'unknown') return status
  const errors = countErrors(output)
  if (errors !== undefined) return errors > 0 ? 'failed' : 'passed'
  return output.trim() === '' && kind !== 'build' ? 'passed' : 'unknown'
}

/** Gradle and similar tools print no counts if all tests pass. */
function buildOutcome(output: string): RunStatus {
  if (/\bBUILD FAILED\b|^make(?:\[\d+\])?: \*\*\* /m.test(output)) return 'failed'
  return /\bBUILD SUCCESS(?:FUL)?\b/.test(output) ? 'passed' : 'unknown'
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

/** Whether a part of a pipeline drops lines. */
function cutsLines({ words }: { words: readonly string[] }): boolean {
  return words[0] === 'tail' || words[0] === 'head'
}
