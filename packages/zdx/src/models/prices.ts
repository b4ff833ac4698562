// Token prices in US dollars per million. A `prices.json` beside the configuration overrides the built-in
// table, which is dated. A model in neither table has no cost.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isObject } from '@zee/core/json'
import type { Usage } from '@zee/llm'
import published from './prices.json' with { type: 'json' }
import { vendorOf } from '../providers/providers.ts'

export interface Price {
  input: number
  output: number
  /** Prices of input read from and written to the cache; default to `input`. */
  cached?: number
  cache_write?: number
  /** The prices of the entire request when its input exceeds `tokens`. */
  over?: { tokens: number } & Omit<Price, 'over'>
}

type PriceTable = Readonly<Record<string, Readonly<Record<string, Price>>>>

/** The cost of one request, or undefined if the model has no price. */
export function costOf(
  base: string,
  provider: string,
  model: string,
  usage: Usage,
): number | undefined {
  const vendor = vendorOf(provider)
  const price =
    findPrice(readUserPrices(base), vendor, model) ?? findPrice(published.prices, vendor, model)
  return price === undefined ? undefined : costAtPrice(price, usage)
}

export function costAtPrice(listed: Price, usage: Usage): number {
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

/** Finds the price of `model`, ignoring a date or `-latest` at its end. */
function findPrice(table: PriceTable, provider: string, model: string): Price | undefined {
  const prices = Object.hasOwn(table, provider) ? table[provider] : undefined
  if (prices === undefined) return undefined
  const name = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  const listed = [model, name].find((each) => Object.hasOwn(prices, each))
  return listed === undefined ? undefined : prices[listed]
}

/** Empty if the file is missing or invalid: a price must never fail a turn. */
function readUserPrices(base: string): PriceTable {
  try {
    const table: unknown = JSON.parse(readFileSync(path.join(base, 'prices.json'), 'utf8'))
    return isPriceTable(table) ? table : {}
  } catch {
    return {}
  }
}

function isPriceTable(value: unknown): value is PriceTable {
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
