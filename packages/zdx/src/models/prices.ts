// The cost of a request. A `prices.json` beside the configuration overrides the prices of the model table.
// A model in neither table has no cost.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { isObject } from '@zee/core/json'
import type { Usage } from '@zee/llm'
import { costAtPrice, findByName, modelFacts, vendorOf, type Price } from '@zee/llm/facts'

type PriceTable = Readonly<Record<string, Readonly<Record<string, Price>>>>

/** The cost of one request, or undefined if the model has no price. */
export function costOf(
  base: string,
  provider: string,
  model: string,
  usage: Usage,
): number | undefined {
  const price = findUserPrice(base, vendorOf(provider), model) ?? modelFacts(provider, model)?.price
  return price === undefined ? undefined : costAtPrice(price, usage)
}

function findUserPrice(base: string, vendor: string, model: string): Price | undefined {
  const table = readUserPrices(base)
  return Object.hasOwn(table, vendor) ? findByName(table[vendor], model) : undefined
}

/** Empty if the file is missing or invalid: a price must never fail a turn. */
function readUserPrices(base: string): PriceTable {
  const file = path.join(base, 'prices.json')
  if (!existsSync(file)) return {}
  try {
    const table: unknown = JSON.parse(readBoundedFile(file).toString('utf8'))
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
