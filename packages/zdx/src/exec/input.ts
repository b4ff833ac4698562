// The prompt of `zdx exec`: from -p, the arguments and standard input.
import { ZeeError, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { maxPromptBytes, promptTooLong } from '../conversation/conversation.ts'
import { fenced } from '../text/text.ts'

export interface PromptWords {
  /** The value of -p. */
  prompt: string | undefined
  /** Whether --stdin is set. */
  stdin: boolean
  args: readonly string[]
}

export interface PromptSource {
  /** Undefined: the prompt is read from standard input. */
  text: string | undefined
  isInputAppended: boolean
}

const maxAppendedBytes = 1024 * 1024

export function promptSource({ prompt, stdin, args }: PromptWords): PromptSource {
  const hasDash = args.includes('-')
  const [word, ...more] = args.filter((arg) => arg !== '-')
  if (more.length > 0) throw usageError('too many arguments: quote the prompt')
  if (prompt !== undefined && word !== undefined) {
    throw usageError('the prompt is given twice: by -p and as an argument')
  }
  const text = prompt ?? word
  if (text === undefined && !hasDash) {
    throw usageError("required option '-p, --prompt <text>' not specified")
  }
  if (text === undefined || text === '-') return { text: undefined, isInputAppended: false }
  return { text, isInputAppended: stdin || hasDash }
}

/** The complete prompt; reads standard input only if the source asks for it. */
export async function readPrompt(
  { text, isInputAppended }: PromptSource,
  host: Host,
  signal: AbortSignal,
): Promise<string> {
  if (text === undefined) return readInput(host, signal, maxPromptBytes, promptTooLong)
  if (text.trim() === '') throw usageError('the prompt is empty')
  if (!isInputAppended) return text
  const input = await readInput(host, signal, maxAppendedBytes, () => {
    return new ZeeError('input_too_large', 'standard input is longer than 1 MiB')
  })
  return input.trim() === '' ? text : `${text}\n\n${fenced(input.replace(/\n$/, ''), '').trimEnd()}`
}

/** Standard input up to its end or an interrupt. */
async function readInput(
  { stdin }: Host,
  signal: AbortSignal,
  maxBytes: number,
  tooLong: () => ZeeError,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const onAbort = () => stdin.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for await (const chunk of stdin) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLong()
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  return Buffer.concat(chunks).toString('utf8')
}
