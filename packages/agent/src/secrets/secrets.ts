// Keeps secrets out of requests, sessions and events: values become placeholders before they reach the
// model, and a tool receives the values back for its call only.
import type { Placeholders } from '@zee/core/redact'
import type { Message } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import { failure } from '../envelope/envelope.ts'

export interface Secrets {
  /** The text with placeholders. */
  hide(text: string): Promise<string>
  /** The result with placeholders; images stay as they are. */
  hideResult(result: Envelope): Promise<Envelope>
  /** The input with values, or the failure for a placeholder without a value. */
  reveal(input: Input): Promise<{ input: Input } | { failure: Envelope }>
  /** A filter for the output of one command while it runs. */
  outputFilter(): (chunk: Uint8Array) => Uint8Array
}

type Input = Readonly<Record<string, unknown>>

export interface SecretsOptions {
  /** Values of variables with a secret name are hidden everywhere. */
  env: Readonly<Record<string, string | undefined>>
  /** Keys of the program itself; they are hidden and never put back. */
  ownKeys: readonly string[]
  /** Earlier messages of the session; their placeholders keep their numbers. */
  history: readonly Message[]
}

export function openSecrets({ env, ownKeys, history }: SecretsOptions): Secrets {
  let opened: Placeholders | undefined
  const open = async (): Promise<Placeholders> => {
    if (opened !== undefined) return opened
    const { createPlaceholders, lastPlaceholder } = await import('@zee/core/redact')
    const lastNumber = lastPlaceholder(JSON.stringify(history))
    opened ??= createPlaceholders({ environment: env, neverRevealed: ownKeys, lastNumber })
    return opened
  }
  return {
    hide: async (text) => (mayHoldSecret.test(text) ? (await open()).hide(text) : text),
    hideResult: async (result) => hiddenResult(await open(), result),
    reveal: async (input) => {
      // Loads the rules before the tool runs, because the output filter cannot wait.
      const revealed = (await open()).reveal(input)
      if ('value' in revealed) return { input: revealed.value as Input }
      return { failure: failure('secret_unknown', unknownText(revealed.unknown)) }
    },
    outputFilter: () => outputFilter(() => opened),
  }
}

/** Most prompts contain neither a long word nor an assignment; they do not load the rules. */
const mayHoldSecret = /[\w+/-]{12}|[=:@]\S|[=:] |password|⟦secret:/i

function unknownText(mark: string): string {
  return `The value of ${mark} is no longer in memory: read the file again`
}

function hiddenResult(placeholders: Placeholders, result: Envelope): Envelope {
  if (!result.ok) {
    const { code, message } = result.error
    return { ok: false, error: { code, message: placeholders.hide(message) } }
  }
  const { content, truncated } = result.data
  const isCut = truncated === true && typeof content === 'string'
  const data = placeholders.hideValue(result.data) as Record<string, unknown>
  if (isCut) data.content = placeholders.hide(content, { incomplete: true })
  return { ...result, data }
}

/** Characters before a chunk that decide whether it continues a secret, such as a PEM block. */
const contextLength = 16 * 1024

/** Passes complete lines on, with placeholders. */
function outputFilter(placeholders: () => Placeholders | undefined) {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let context = ''
  let rest = ''
  return (chunk: Uint8Array): Uint8Array => {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
    rest = text.slice(end)
    const lines = text.slice(0, end)
    const hidden = hiddenLines(placeholders(), context, lines)
    context = (context + lines).slice(-contextLength)
    return encoder.encode(hidden)
  }
}

function hiddenLines(
  placeholders: Placeholders | undefined,
  context: string,
  lines: string,
): string {
  if (placeholders === undefined || lines === '') return ''
  const before = placeholders.hide(context)
  const all = placeholders.hide(context + lines)
  return all.startsWith(before) ? all.slice(before.length) : placeholders.hide(lines)
}
