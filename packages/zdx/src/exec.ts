// `zdx exec`: one prompt, the answer on stdout, an exit code.
import { runTurn } from '@zee/agent'
import type { Call } from '@zee/core/command-line'
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Globals } from './commands.ts'
import { openConversation } from './conversation.ts'
import { listenForInterrupts } from './interrupt.ts'
import { renderTurn } from './render-turn.ts'
import { retryLine } from './retry-line.ts'

export interface ExecCall extends Pick<Call, 'host'> {
  globals: Globals
  options: { prompt: string }
}

export async function runExec({ host, globals, options }: ExecCall): Promise<number> {
  const interrupts = listenForInterrupts()
  const prompt = options.prompt === '-' ? await readAll(host) : options.prompt
  if (prompt.trim() === '') throw usageError('the prompt is empty')
  const conversation = await openConversation({
    host,
    globals,
    onRetry: (wait) => void host.stderr.write(`${retryLine(wait)}\n`),
  })
  for (const warning of [
    ...conversation.settings.config.warnings,
    ...conversation.context.warnings,
  ]) {
    host.stderr.write(`Warning: ${warning}\n`)
  }
  if (conversation.model.provider === 'script') {
    host.stderr.write(`Answers come from ${conversation.modelLabel}\n`)
  }
  const { paths } = conversation.context
  if (paths.length > 0) host.stderr.write(`Loaded AGENTS.md from: ${paths.join(', ')}\n`)
  const left = new AbortController()
  const signal = AbortSignal.any([interrupts.signal, left.signal])
  const outcome = await renderTurn(runTurn(conversation.turn(prompt, signal)), {
    host,
    abort: () => left.abort(),
  })
  conversation.session?.close()
  conversation.model.close()
  interrupts.stop()
  if (outcome.readerGone) return 0
  if (outcome.interrupted) return interrupts.exitCode() ?? 130
  if (outcome.error !== undefined) {
    throw new ZeeError('turn_failed', `execute prompt: ${outcome.error.message}`)
  }
  if (conversation.session !== undefined) host.stderr.write(`Session: ${conversation.session.id}\n`)
  return 0
}

async function readAll(host: Host): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
