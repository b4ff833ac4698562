// The tokens that an answer of a model reports, by the one definition of zcl: fresh input, cached input,
// cache writes and output, thinking included.
import { isObject } from '@zee/core/json'
import { usageNumbers } from '@zee/evidence/runners'

type Loose = Readonly<Record<string, unknown>>

/** Collects the usage of a stream; later values replace earlier ones. */
export class StreamUsage {
  #usage: Loose = {}
  #model: string | undefined

  add(data: Loose): void {
    const inner = objectAt(data.message ?? data.response)
    const model = data.model ?? data.modelVersion ?? inner.model
    if (typeof model === 'string') this.#model = model
    for (const usage of [inner.usage, data.usage, data.usageMetadata]) {
      if (isObject(usage)) this.#usage = { ...this.#usage, ...usage }
    }
  }

  numbers(): Record<string, unknown> | undefined {
    const usage = numbersOf(this.#usage)
    if (usage === undefined) return undefined
    return { model: this.#model, ...usage }
  }
}

/** The usage of an answer that is one JSON document. */
export function jsonUsage(text: string): Record<string, unknown> | undefined {
  if (!/"usage(?:Metadata)?"/.test(text)) return undefined
  try {
    const usage = new StreamUsage()
    usage.add(objectAt(JSON.parse(text)))
    return usage.numbers()
  } catch {
    return undefined
  }
}

const anthropic = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cache_read_input_tokens',
  written: 'cache_creation_input_tokens',
}
const openai = {
  input: 'input',
  output: 'output',
  cached: 'cached',
  reasoning: 'reasoning',
  inputHasCached: true,
}
const gemini = {
  input: 'promptTokenCount',
  output: 'candidatesTokenCount',
  cached: 'cachedContentTokenCount',
  reasoning: 'thoughtsTokenCount',
  inputHasCached: true,
  outputLacksThinking: true,
}

function numbersOf(usage: Loose): object | undefined {
  if (Object.keys(usage).length === 0) return undefined
  if (usage.promptTokenCount !== undefined) return usageNumbers(usage, gemini)
  const input = objectAt(usage.input_tokens_details ?? usage.prompt_tokens_details)
  const output = objectAt(usage.output_tokens_details ?? usage.completion_tokens_details)
  const isOpenai =
    usage.prompt_tokens !== undefined ||
    usage.input_tokens_details !== undefined ||
    usage.total_tokens !== undefined
  if (!isOpenai) return usageNumbers(usage, anthropic)
  const fields = {
    input: usage.input_tokens ?? usage.prompt_tokens,
    output: usage.output_tokens ?? usage.completion_tokens,
    cached: input.cached_tokens,
    reasoning: output.reasoning_tokens,
  }
  return usageNumbers(fields, openai)
}

function objectAt(value: unknown): Loose {
  return isObject(value) ? value : {}
}
