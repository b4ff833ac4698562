// What tokens cost, in US dollars per million. The table is a data file that says when it was read; a
// `prices.json` beside the configuration goes before it. A model that neither knows has no cost.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isObject } from '@zee/core/json'
import type { Usage } from '@zee/llm'
import published from './prices.json' with { type: 'json' }
import { vendorOf } from '../providers/providers.ts'

export interface Price {
  input: number
  output: number
  /** Of input read from a cache, and written to one; the price of input where absent. */
  cached?: number
  cache_write?: number
  /** The prices of the whole answer when its input has more tokens than this. */
  over?: { tokens: number } & Omit<Price, 'over'>
}

type PriceTable = Readonly<Record<string, Readonly<Record<string, Price>>>>

/** The cost of an answer, or undefined. */
export function costOf(
  base: string,
  provider: string,
  model: string,
  usage: Usage,
): number | undefined {
  const vendor = vendorOf(provider)
  const price = priceIn(ownTable(base), vendor, model) ?? priceIn(published.prices, vendor, model)
  return price === undefined ? undefined : costAt(price, usage)
}

export function costAt(listed: Price, usage: Usage): number {
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

/** A dated or `-latest` name of a model costs what the model costs. */
function priceIn(table: PriceTable, provider: string, model: string): Price | undefined {
  const prices = Object.hasOwn(table, provider) ? table[provider] : undefined
  if (prices === undefined) return undefined
  const name = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  const known = [model, name].find((each) => Object.hasOwn(prices, each))
  return known === undefined ? undefined : prices[known]
}

/** A table of the user's own that cannot be read counts as none: a price is never worth a failure. */
function ownTable(base: string): PriceTable {
  try {
    const table: unknown = JSON.parse(readFileSync(path.join(base, 'prices.json'), 'utf8'))
    return isTable(table) ? table : {}
  } catch {
    return {}
  }
}

function isTable(value: unknown): value is PriceTable {
  const isPrice = (item: unknown) =>
    isObject(item) &&
    'input' in item &&
    typeof item.input === 'number' &&
    'output' in item &&
    typeof item.output === 'number'
  return (
    isObject(value) &&
    Object.values(value).every((prices) => isObject(prices) && Object.values(prices).every(isPrice))
  )
}
