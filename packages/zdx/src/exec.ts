// `zdx exec`: one prompt, the answer on stdout, an exit code.
import { harmlessFor } from '@zee/core/colour'
import type { Call } from '@zee/core/command-line'
import { reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Globals } from './commands.ts'
import { during } from './during.ts'
import type { Conversation } from './conversation.ts'
import type { Interrupts } from './interrupt.ts'
import { listenForInterrupts } from './interrupt.ts'
import { mostPromptBytes, promptTooLong } from './prompt-limit.ts'
import type { Renderer } from './render/renderer.ts'
import { openRenderer } from './render/renderer.ts'
import type { TurnOutcome } from './render/turn-outcome.ts'
import { oneTurn, openShown } from './shown-conversation.ts'

export interface ExecCall extends Pick<Call, 'host'> {
  globals: Globals
  options: { prompt: string; zclFeedback: boolean }
}

export async function runExec(call: ExecCall): Promise<number> {
  if (!call.options.zclFeedback) return exitCodeOf(await execute(call))
  const { outcomeWriter } = await import('./evidence/write-outcome.ts')
  const write = outcomeWriter(call.host)
  const ended = await execute(call).catch((error: unknown) => ({ code: 1, text: '', error }))
  await during('write feedback', () => write(ended.code === 0, ended.text || wordsFor(ended)))
  return exitCodeOf(ended)
}

/** How a run ended; an error is told by whoever ends the program. */
interface Ended {
  code: number
  text: string
  error?: unknown
}

/** What stands for an answer where there is none. */
function wordsFor({ code, error }: Ended): string {
  if (error !== undefined) return reasonOf(error)
  return code === 0 ? 'no answer' : 'interrupted'
}

function exitCodeOf({ code, error }: Ended): number {
  if (error !== undefined) throw error
  return code
}

async function execute({ host, globals, options }: ExecCall): Promise<Ended> {
  const interrupts = listenForInterrupts()
  const prompt = options.prompt === '-' ? await readAll(host, interrupts) : options.prompt
  if (interrupts.signal.aborted) return { code: interrupts.exitCode() ?? 130, text: '' }
  if (prompt.trim() === '') throw usageError('the prompt is empty')
  const renderer = await openRenderer(host, globals.format)
  const choice = { host, globals, interrupts, onRetry: renderer.retry }
  const conversation = await openShown(choice, renderer)
  announce(host, conversation)
  await renderer.open(conversation.opening)
  try {
    const outcome = await oneTurn(conversation, prompt, interrupts, renderer)
    const ended = await conclude(host, conversation, renderer, outcome, interrupts)
    return { text: outcome.text ?? '', ...ended }
  } finally {
    await conversation.close()
    interrupts.stop()
  }
}

function announce(host: Host, { notes, model, modelLabel, context }: Conversation): void {
  const lines = [...notes]
  if (model.provider === 'script') lines.push(`Answers come from ${modelLabel}`)
  if (context.paths.length > 0) lines.push(`Loaded AGENTS.md from: ${context.paths.join(', ')}`)
  if (lines.length > 0) host.stderr.write(harmlessFor(host.stderr)(`${lines.join('\n')}\n`))
}

async function conclude(
  host: Host,
  { session }: Conversation,
  renderer: Renderer,
  { end, error, readerGone }: TurnOutcome,
  interrupts: Interrupts,
): Promise<Omit<Ended, 'text'>> {
  if (readerGone && error === undefined) return { code: 0 }
  if (error !== undefined) {
    if (!readerGone) await renderer.close(end, 1)
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

/** All of standard input, or what had come when the user lost patience. */
async function readAll(host: Host, { signal }: Interrupts): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const { stdin } = host
  const onAbort = () => stdin.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for await (const chunk of stdin) {
      bytes += chunk.length
      if (bytes > mostPromptBytes) throw promptTooLong()
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  return Buffer.concat(chunks).toString('utf8')
}
