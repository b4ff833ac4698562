// `zdx` without a command: a conversation, with a first prompt if one is given.
import type { Call } from '@zee/core/command-line'
import { usageError } from '@zee/core/errors'
import type { ChatCall } from './chat.ts'
import { runChat } from './chat.ts'

export async function runConversation(call: ChatCall & Pick<Call, 'args'>): Promise<number> {
  if (call.globals.quiet && call.globals.verbose) {
    throw usageError('--quiet and --verbose exclude each other')
  }
  if (call.args.length === 0) return runChat(call)
  const firstPrompt = call.args.join(' ').trim()
  if (firstPrompt === '') throw usageError('the prompt is empty')
  return runChat(call, { firstPrompt })
}
