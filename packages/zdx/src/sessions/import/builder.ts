// Builds the lines of a zdx session from the log of another program. Tool names and inputs become those
// of zdx, so that show, bill and verify understand them.
import type {
  LogCall,
  LogReceipt,
  LogResult,
  LogSession,
  TranscriptBuilder,
} from '@zee/evidence/transcripts'
import { usageFields } from '@zee/agent'

export type Line = Record<string, unknown>

/** A session of another program, as lines of zdx. */
export interface ImportedSession extends LogSession {
  lines: Line[]
}

/** `key` identifies an answer: its text and calls share one receipt. */
export class SessionBuilder implements TranscriptBuilder {
  readonly lines: Line[] = []
  readonly #firstLines = new Map<string, Line>()
  readonly #tools = new Map<string, string>()
  readonly #answered = new Set<string>()

  user(text: string, ts: string): void {
    if (text.trim() === '') return
    this.lines.push({ type: 'message', role: 'user', text, ts: wholeSecond(ts) })
  }

  text(key: string, text: string, ts: string): void {
    if (text.trim() === '') return
    this.#addToAnswer(key, { type: 'message', role: 'assistant', text, ts: wholeSecond(ts) })
  }

  /** Sessions of zdx do not keep the thinking of other programs. */
  thinking(): void {}

  call(key: string, { id, name, input }: LogCall, ts: string): void {
    if (this.#tools.has(id)) return
    const known = normalizedCall(name, input)
    this.#tools.set(id, known.name)
    this.#addToAnswer(key, { type: 'tool_use', id, ...known, ts: wholeSecond(ts) })
  }

  result(result: LogResult, ts: string): void {
    const { callId } = result
    const tool = this.#tools.get(callId)
    if (tool === undefined || this.#answered.has(callId)) return
    this.#answered.add(callId)
    const output = envelopeOf(tool, result)
    const line = { type: 'tool_result', tool_use_id: callId, output, ok: output.ok }
    this.lines.push({ ...line, ts: wholeSecond(ts) })
  }

  interrupted(ts: string): void {
    const line = { type: 'interrupted', role: 'system', text: 'Interrupted' }
    this.lines.push({ ...line, ts: wholeSecond(ts) })
  }

  /** Sets the receipt of an answer; a later one replaces it. */
  receipt(key: string, { provider, model, usage, costUsd }: LogReceipt, ts: string): void {
    let line = this.#firstLines.get(key)
    if (line === undefined) {
      line = { type: 'receipt', ts: wholeSecond(ts) }
      this.#addToAnswer(key, line)
    }
    const cost = costUsd === undefined ? {} : { cost_usd: costUsd }
    Object.assign(line, { provider, model, usage: usageFields(usage), ...cost })
  }

  /** A session of zdx has no place for them. */
  unmapped(): void {}

  #addToAnswer(key: string, line: Line): void {
    if (!this.#firstLines.has(key)) this.#firstLines.set(key, line)
    this.lines.push(line)
  }
}

/** The precision of times in sessions of zdx. */
function wholeSecond(ts: string): string {
  return ts.replace(/\.\d+Z$/, 'Z')
}

const toolNames: Readonly<Record<string, string>> = {
  Bash: 'bash',
  shell: 'bash',
  exec_command: 'bash',
  local_shell: 'bash',
  run_shell_command: 'bash',
  Read: 'read',
  read_file: 'read',
  Write: 'write',
  write_file: 'write',
  Edit: 'edit',
  replace: 'edit',
}

/** Fields of zdx's tools, and what other programs call them. */
const fieldNames: readonly [string, readonly string[]][] = [
  ['command', ['cmd']],
  ['path', ['file_path', 'filePath', 'absolute_path']],
  ['old', ['old_string', 'oldString', 'oldText']],
  ['new', ['new_string', 'newString', 'newText']],
]

function normalizedCall(name: string, input: LogCall['input']): Pick<LogCall, 'name' | 'input'> {
  const known = Object.hasOwn(toolNames, name) ? (toolNames[name] ?? name) : name
  if (!['bash', 'read', 'write', 'edit'].includes(known)) return { name, input: { ...input } }
  const fields: Record<string, unknown> = { ...input }
  for (const [field, others] of fieldNames) {
    const other = others.find((each) => Object.hasOwn(fields, each))
    if (other === undefined) continue
    fields[field] ??= fields[other]
    delete fields[other]
  }
  if (Array.isArray(fields.command)) fields.command = commandLine(fields.command as unknown[])
  return { name: known, input: fields }
}

/** `["bash", "-lc", "npm test"]` is `npm test`. */
function commandLine(words: readonly unknown[]): string {
  const [shell, flag, script] = words.map(String)
  const isScript = words.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(shell ?? '')
  return isScript && /^-l?c$/.test(flag ?? '') ? (script ?? '') : words.map(String).join(' ')
}

type LogEnvelope =
  | { ok: true; data: Record<string, unknown> }
  | { ok: false; error: { code: string; message: string } }

function envelopeOf(
  tool: string,
  { text, isError, exitCode, stderr = '' }: LogResult,
): LogEnvelope {
  if (tool === 'bash') {
    const code = exitCode ?? (isError ? 1 : 0)
    return { ok: true, data: { stdout: text, stderr, exit_code: code, timed_out: false } }
  }
  if (isError) return { ok: false, error: { code: 'tool_error', message: text } }
  return { ok: true, data: tool === 'read' ? { content: text } : { text } }
}
