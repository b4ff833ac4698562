// The model table: context window, maximum output, modalities and prices of known models, from one dated
// data file. Imports no other module of the package, so that a program can load it alone.
import table from './models.json' with { type: 'json' }

export interface ModelFacts {
  /** Input and output of one request together, in tokens. */
  contextWindow: number
  /** Tokens of one answer, thinking included. */
  maxOutput: number
  /** What the model accepts as input. */
  modalities: readonly Modality[]
  price: Price
}

export type Modality = 'text' | 'image'

/** US dollars per million tokens. */
export interface Price {
  input: number
  output: number
  /** Input read from the cache and written to it; both default to `input`. */
  cached?: number
  cache_write?: number
  /** The prices of the entire request if its input exceeds `tokens`. */
  over?: { tokens: number } & Omit<Price, 'over'>
}

/** Token counts as in `Usage`. */
export interface TokenCounts {
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number | undefined
  cacheWriteTokens?: number | undefined
}

/** When the table was collected: `YYYY-MM-DD`. */
export const factsDate: string = table.as_of

/** The row of a model; undefined for local models and for models that the table lacks. */
export function modelFacts(provider: string, id: string): ModelFacts | undefined {
  const { vendor, name } = vendorModel(provider, id)
  const row = findByName(ownValue<Rows>(table.models, vendor), name)
  if (row === undefined) return undefined
  const { context, output, modalities, price } = row
  return { contextWindow: context, maxOutput: output, modalities, price }
}

/** The names of the models that the table has for a provider. */
export function modelNames(provider: string): string[] {
  return Object.keys(ownValue<Rows>(table.models, vendorOf(provider)) ?? {})
}

/** Whether the model is known to accept images. */
export function acceptsImages(provider: string, id: string): boolean {
  return modelFacts(provider, id)?.modalities.includes('image') === true
}

/** The entry of `model`, ignoring a date or `-latest` at the end of its name. */
export function findByName<Entry>(
  entries: Readonly<Record<string, Entry>> | undefined,
  model: string,
): Entry | undefined {
  if (entries === undefined) return undefined
  const plainName = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  return ownValue(entries, model) ?? ownValue(entries, plainName)
}

/** The provider without its wire: both wires of OpenAI share key, models and prices. */
export function vendorOf(provider: string): string {
  return provider.replace(/-responses$/, '')
}

/** The cost in US dollars, rounded to 1e-8. */
export function costAtPrice(listed: Price, usage: TokenCounts): number {
  const { over } = listed
  const price = over !== undefined && usage.inputTokens > over.tokens ? over : listed
  const cached = usage.cachedInputTokens ?? 0
  const written = usage.cacheWriteTokens ?? 0
  const fresh = Math.max(0, usage.inputTokens - cached - written)
  const millions =
    fresh * price.input +
    cached * (price.cached ?? price.input) +
    written * (price.cache_write ?? price.input) +
    usage.outputTokens * price.output
  return Math.round(millions * 100) / 1e8
}

interface Row {
  context: number
  output: number
  modalities: readonly Modality[]
  price: Price
}

type Rows = Readonly<Record<string, Row>>

/** OpenRouter names models `vendor/model` and charges the vendor's prices. */
const routedVendors: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gemini',
}

function vendorModel(provider: string, id: string): { vendor: string; name: string } {
  if (provider !== 'openrouter') return { vendor: vendorOf(provider), name: id }
  const [, prefix = '', name = id] = /^([^/]*)\/(.*)$/s.exec(id) ?? []
  const vendor = ownValue<string>(routedVendors, prefix) ?? ''
  // OpenRouter writes `claude-haiku-4.5` for `claude-haiku-4-5`.
  return { vendor, name: vendor === 'anthropic' ? name.replaceAll('.', '-') : name }
}

function ownValue<Value>(
  record: Readonly<Record<string, unknown>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(record, key) ? (record[key] as Value) : undefined
}
