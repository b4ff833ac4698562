// `zino chat`: sends the arguments or stdin as one message, or starts a conversation on a terminal.
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { findClientConfig } from '../config/config.ts'
import { printAnswer } from './exchange.ts'

export interface ChatCall {
  words: readonly string[]
  stream: boolean
  channel: string | undefined
  config: string | undefined
}

export async function runChat(call: ChatCall, host: Host): Promise<number> {
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  const isInteractive = call.words.length === 0 && host.stdin.isTTY === true
  const message = isInteractive ? '' : await readMessage(call, host)
  const { config } = await findClientConfig(lookup)
  const { socket } = config.daemon
  const { channel } = call
  if (isInteractive) {
    const { runConversation } = await import('./conversation.ts')
    return runConversation({ socket, channel }, host)
  }
  await printAnswer({ socket, message, channel, stream: call.stream }, host)
  return 0
}

async function readMessage(call: ChatCall, host: Host): Promise<string> {
  if (call.words.length > 0) return call.words.join(' ')
  const pieces: Buffer[] = []
  for await (const piece of host.stdin) pieces.push(Buffer.from(piece as Buffer))
  const text = Buffer.concat(pieces).toString('utf8')
  if (text.trim() !== '') return text
  throw usageError("no message: write it after 'zino chat' or pipe it in (see 'zino chat --help')")
}
