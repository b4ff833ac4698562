// Runs one prompt: opens the conversation, renders the turn, returns text and exit code.
import { terminalSafeText } from '@zee/core/colour'
import type { Call } from '@zee/core/command-line'
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { listenForInterrupts } from '../interrupt/interrupt.ts'
import {
  maxPromptBytes,
  renderTurn,
  openWithRenderer,
  promptTooLong,
} from '../conversation/conversation.ts'
import type { Renderer, TurnOutcome } from '../render/render.ts'
import { openRenderer } from '../render/render.ts'

export interface ExecCall extends Pick<Call, 'host'> {
  globals: Globals
  options: { prompt: string; zclFeedback: boolean }
}

/** The result of a run. The caller throws the error, after it wrote feedback. */
export interface ExecResult {
  code: number
  text: string
  error?: unknown
}

export async function runPrompt({ host, globals, options }: ExecCall): Promise<ExecResult> {
  const interrupts = listenForInterrupts()
  const prompt = options.prompt === '-' ? await readPrompt(host, interrupts) : options.prompt
  if (interrupts.signal.aborted) return { code: interrupts.exitCode() ?? 130, text: '' }
  if (prompt.trim() === '') throw usageError('the prompt is empty')
  const renderer = await openRenderer(host, globals.format)
  const choice = { host, globals, interrupts, onRetry: renderer.retry }
  const conversation = await openWithRenderer(choice, renderer)
  printNotes(host, conversation)
  await renderer.open(conversation.info)
  try {
    const outcome = await renderTurn(conversation, prompt, interrupts, renderer)
    const result = await closeRun(host, conversation, renderer, outcome, interrupts)
    return { text: outcome.text ?? '', ...result }
  } finally {
    await conversation.close()
    interrupts.stop()
  }
}

function printNotes(host: Host, { notes, model, modelLabel, context }: Conversation): void {
  const lines = [...notes]
  if (model.provider === 'script') lines.push(`Answers come from ${modelLabel}`)
  if (context.paths.length > 0) lines.push(`Loaded AGENTS.md from: ${context.paths.join(', ')}`)
  if (lines.length > 0) host.stderr.write(terminalSafeText(host.stderr)(`${lines.join('\n')}\n`))
}

async function closeRun(
  host: Host,
  { session }: Conversation,
  renderer: Renderer,
  { end, error, isStdoutClosed }: TurnOutcome,
  interrupts: Interrupts,
): Promise<Omit<ExecResult, 'text'>> {
  if (isStdoutClosed && error === undefined) return { code: 0 }
  if (error !== undefined) {
    if (!isStdoutClosed) await renderer.close(end, 1)
    return { code: 1, error: new ZeeError('turn_failed', `execute prompt: ${error.message}`) }
  }
  if (end === 'interrupted') {
    const code = interrupts.exitCode() ?? 130
    await renderer.close(end, code)
    return { code }
  }
  await renderer.close(end, 0)
  if (session !== undefined) host.stderr.write(`Session: ${session.id}\n`)
  return { code: 0 }
}

/** Standard input up to its end or an interrupt. */
async function readPrompt(host: Host, { signal }: Interrupts): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const { stdin } = host
  const onAbort = () => stdin.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for await (const chunk of stdin) {
      bytes += chunk.length
      if (bytes > maxPromptBytes) throw promptTooLong()
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  return Buffer.concat(chunks).toString('utf8')
}
