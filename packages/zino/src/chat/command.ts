// `zino chat`: sends the arguments or stdin as one message, or starts a conversation on a terminal.
import { readBoundedInput } from '@zee/core/bounded-input'
import { reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { findClientConfig } from '../config/config.ts'
import { isTurnId, newTurnId } from '../turns/turns.ts'
import type { ChatRequest } from './exchange.ts'
import { maxFrameBytes } from '../wire/wire.ts'
import { isInterrupted, printAnswer } from './exchange.ts'

export interface ChatCall {
  words: readonly string[]
  stream: boolean
  channel: string | undefined
  resume: string | undefined
  config: string | undefined
}

export async function runChat(call: ChatCall, host: Host): Promise<number> {
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  const { channel, resume, stream } = call
  checkResume(call)
  const isInteractive = resume === undefined && call.words.length === 0 && host.stdin.isTTY === true
  const message = isInteractive || resume !== undefined ? '' : await readMessage(call, host)
  const { config } = await findClientConfig(lookup)
  const { socket } = config.daemon
  if (isInteractive) {
    const { runConversation } = await import('./conversation.ts')
    return runConversation({ socket, channel }, host)
  }
  const turn = resume ?? newTurnId(host.clock.now())
  const request = { socket, turn, resumes: resume !== undefined, message, channel, stream }
  await printOnce(request, host)
  return 0
}

/** Prints how to resume the turn when it is interrupted. */
async function printOnce(request: ChatRequest, host: Host): Promise<void> {
  const hint = `zino chat --resume ${request.turn}`
  const onInterrupt = () => {
    process.stderr.write(`\ninterrupted; continue with: ${hint}\n`)
    process.kill(process.pid, 'SIGINT')
  }
  // In collected mode a client that leaves ends the turn.
  if (request.stream || request.resumes) process.once('SIGINT', onInterrupt)
  try {
    await printAnswer(request, host)
  } catch (error) {
    if (!isInterrupted(error)) throw error
    throw new ZeeError('interrupted', `${reasonOf(error)}; continue with: ${hint}`)
  } finally {
    process.removeListener('SIGINT', onInterrupt)
  }
}

function checkResume({ resume, words }: ChatCall): void {
  if (resume === undefined) return
  if (!isTurnId(resume)) throw usageError(`--resume ${resume}: this is not the id of a turn`)
  if (words.length > 0) throw usageError('--resume continues a turn and takes no message')
}

async function readMessage(call: ChatCall, host: Host): Promise<string> {
  if (call.words.length > 0) return call.words.join(' ')
  const text = await readBoundedInput(host.stdin, maxFrameBytes)
  if (text.trim() !== '') return text
  throw usageError("no message: write it after 'zino chat' or pipe it in (see 'zino chat --help')")
}
