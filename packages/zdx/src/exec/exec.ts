// Runs one prompt: opens the conversation, renders the turn, returns text and exit code.
import type { Turn } from '@zee/agent'
import { terminalSafeText } from '@zee/core/colour'
import type { Call } from '@zee/core/command-line'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { askOnTerminal } from '../guard/guard.ts'
import { sessionsFolder } from '../settings/settings.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { listenForInterrupts } from '../interrupt/interrupt.ts'
import { renderTurn, openWithRenderer } from '../conversation/conversation.ts'
import type { Renderer, TurnOutcome } from '../render/render.ts'
import { openRenderer } from '../render/render.ts'
import { promptSource, readPrompt } from './input.ts'
import { warnAboutUnreadInput } from './unread-input.ts'

export interface ExecCall extends Pick<Call, 'host' | 'args'> {
  globals: Globals
  options: {
    prompt: string | undefined
    stdin: boolean
    verify: boolean
    zclFeedback: boolean
  }
  /** The session that the new one continues after a handoff. */
  parent?: string
}

/** The result of a run. The caller throws the error, after it wrote feedback. */
export interface ExecResult {
  code: number
  text: string
  error?: unknown
  /** The renderer has printed the error. */
  isReported?: boolean
}

export async function runPrompt(call: ExecCall): Promise<ExecResult> {
  const { host, globals, options, args, parent } = call
  if (globals.quiet && globals.verbose) {
    throw usageError('--quiet and --verbose exclude each other')
  }
  if (options.verify && globals.noSave) throw usageError('--verify needs a saved session')
  const source = promptSource({ ...options, args })
  const interrupts = listenForInterrupts()
  const typed = await readPrompt(source, host, interrupts.signal)
  if (interrupts.signal.aborted) return { code: interrupts.exitCode() ?? 130, text: '' }
  if (typed.trim() === '') throw usageError('the prompt is empty')
  // Opening stdin would make a pipe non-blocking for other programs.
  const isTerminal = host.stderr.isTTY === true && host.stdin.isTTY === true
  const screen = isTerminal ? (await import('../terminal/terminal.ts')).openScreen(host) : undefined
  const interrupted = interrupts.signal
  const renderer = await openRenderer(host, { ...globals, interrupted }, screen)
  const conversation = await openWithRenderer(
    {
      host,
      globals,
      parent,
      interrupts,
      onRetry: renderer.retry,
      onToolOutput: renderer.toolOutput,
      ask: isTerminal ? askOnTerminal(host, screen) : undefined,
    },
    renderer,
  )
  if (!globals.quiet) printNotes(host, conversation)
  await renderer.open(conversation.info)
  try {
    const prompt = await withAttachments(typed, conversation, host)
    const isInputRead = source.text === undefined || source.isInputAppended
    const rendered = isInputRead ? renderer : withUnreadWarning(renderer, host)
    const outcome = await renderTurn(conversation, prompt, interrupts, rendered)
    const result = await closeRun(host, conversation, renderer, outcome, interrupts, {
      ...globals,
      verify: options.verify,
    })
    return { text: outcome.text ?? '', ...result }
  } finally {
    await conversation.close()
    interrupts.stop()
  }
}

export function exitCodeOrThrow({ code, error, isReported }: ExecResult): number {
  if (error !== undefined && isReported !== true) throw error
  return code
}

/** Most prompts name no file; then nothing is loaded. */
async function withAttachments(
  prompt: string,
  { info }: Conversation,
  host: Host,
): Promise<Turn['prompt']> {
  if (!prompt.includes('@')) return prompt
  const { expandPrompt, promptOf } = await import('../prompt/prompt.ts')
  const expanded = await expandPrompt(prompt, info.root)
  const safe = terminalSafeText(host.stderr)
  for (const warning of expanded.warnings) host.stderr.write(safe(`Warning: ${warning}\n`))
  return promptOf(expanded)
}

function withUnreadWarning(renderer: Renderer, host: Host): Renderer {
  return {
    ...renderer,
    turn: (events, abort, info) => renderer.turn(warnAboutUnreadInput(events, host), abort, info),
  }
}

function printNotes(host: Host, { notes, model, modelLabel, context }: Conversation): void {
  const lines = [...notes]
  if (model.provider === 'script') lines.push(`Answers come from ${oneLine(modelLabel)}`)
  if (context.paths.length > 0)
    lines.push(`Loaded AGENTS.md from: ${context.paths.map(oneLine).join(', ')}`)
  if (lines.length > 0) host.stderr.write(terminalSafeText(host.stderr)(`${lines.join('\n')}\n`))
}

async function closeRun(
  host: Host,
  { session, settings }: Conversation,
  renderer: Renderer,
  { end, error, isStdoutClosed }: TurnOutcome,
  interrupts: Interrupts,
  { format, quiet, verify }: Pick<Globals, 'format' | 'quiet'> & { verify: boolean },
): Promise<Omit<ExecResult, 'text'>> {
  if (isStdoutClosed && error === undefined) return { code: 0 }
  if (error !== undefined) {
    if (!isStdoutClosed) await renderer.close(end, 1)
    const isReported = format === 'text' && !isStdoutClosed
    const failure = new ZeeError('turn_failed', `execute prompt: ${error.message}`)
    return { code: 1, error: failure, isReported }
  }
  if (end === 'interrupted') {
    const code = interrupts.exitCode() ?? 130
    await renderer.close(end, code)
    return { code }
  }
  const code =
    verify && session !== undefined
      ? await verifyAnswer(host, sessionsFolder(settings.base), session.id, { format, quiet })
      : 0
  await renderer.close(end, code)
  if (session !== undefined && !quiet) host.stderr.write(`Session: ${session.id}\n`)
  return { code }
}

/** Prints the claims of the answer and returns the exit code of `zdx verify`. */
async function verifyAnswer(
  host: Host,
  folder: string,
  id: string,
  { format, quiet }: Pick<Globals, 'format' | 'quiet'>,
): Promise<number> {
  const { exitCodeFor, isWrong, printClaims, printClaimsAsJson, verifySession } =
    await import('../verify/verify.ts')
  const claims = await verifySession(folder, id)
  if (format === 'json') await printClaimsAsJson(host.stdout, claims, { type: 'claim' })
  else await printClaims(host.stderr, host.env, quiet ? claims.filter(isWrong) : claims)
  return exitCodeFor(claims)
}
