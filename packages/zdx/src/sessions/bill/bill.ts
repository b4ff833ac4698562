// Formats the bill of a session, as text for people or as one JSON object per turn and one in total.
import type { BilledTurn, Charges } from './read-bill.ts'
import { addCharges, noCharges } from './read-bill.ts'
import { formatDollars } from '../../render/render.ts'
import { counted, cutToCharacters } from '../../text/text.ts'

export { readBill } from './read-bill.ts'

const maxPromptCharacters = 60
const maxSources = 12

export function billText(id: string, turns: readonly BilledTurn[]): string {
  const total = totalOf(turns)
  const requests = counted(total.requests, 'request')
  const blocks = turns.map((turn, index) => {
    const prompt = cutToCharacters(turn.prompt, maxPromptCharacters)
    const title = `turn ${index + 1} (event ${turn.event}): ${prompt.text}${prompt.truncated ? '…' : ''}`
    const misses = turn.misses.map(
      ({ event, cachedTokens, cacheableTokens, reason }) =>
        `  cache: event ${event} read ${cachedTokens} of ${cacheableTokens} tokens; ${reason}\n`,
    )
    return `${title}\n${chargesText(turn)}${misses.join('')}`
  })
  return `${[`session ${id}: ${requests}\n`, ...blocks, `total\n${chargesText(total)}`].join('\n')}`
}

function chargesText(charges: Charges): string {
  const { fresh, cached, cacheWritten, thinking, output, costUsd } = charges
  const cost = costUsd === undefined ? 'unknown' : formatDollars(costUsd)
  const counts =
    `  tokens: ${fresh} fresh, ${cached} cached, ${cacheWritten} cache-written, ` +
    `${thinking} thinking, ${output} output\n  cost: ${cost}\n`
  const input = fresh + cached + cacheWritten
  const sources = sortedSources(charges)
  const shown = sources.slice(0, maxSources)
  const rest = sources.slice(maxSources).reduce((sum, [, tokens]) => sum + tokens, 0)
  const rows = rest > 0 ? [...shown, ['other sources', rest] as const] : shown
  const width = Math.max(0, ...rows.map(([, tokens]) => String(tokens).length))
  const lines = rows.map(([source, tokens]) => {
    const percent = input === 0 ? 0 : Math.round((100 * tokens) / input)
    return `    ${String(tokens).padStart(width)}  ${String(percent).padStart(3)} %  ${source}\n`
  })
  return lines.length === 0 ? counts : `${counts}  input by source:\n${lines.join('')}`
}

export function billJson(id: string, turns: readonly BilledTurn[]): string {
  const lines = [
    ...turns.map((turn, index) => ({
      type: 'turn',
      turn: index + 1,
      event: turn.event,
      prompt: turn.prompt,
      ...chargeFields(turn),
      cache_misses: turn.misses.map((miss) => ({
        event: miss.event,
        cached_input_tokens: miss.cachedTokens,
        cacheable_tokens: miss.cacheableTokens,
        first_changed: miss.firstChanged ?? null,
        reason: miss.reason,
      })),
    })),
    { type: 'total', id, turns: turns.length, ...chargeFields(totalOf(turns)) },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function chargeFields(charges: Charges) {
  const { requests, fresh, cached, cacheWritten, thinking, output, costUsd } = charges
  return {
    requests,
    input_tokens: fresh + cached + cacheWritten,
    fresh_input_tokens: fresh,
    cached_input_tokens: cached,
    cache_write_tokens: cacheWritten,
    thinking_tokens: thinking,
    output_tokens: output,
    // Removes the noise of floating-point sums.
    cost_usd: costUsd === undefined ? null : Math.round(costUsd * 1e8) / 1e8,
    sources: sortedSources(charges).map(([source, tokens]) => ({ source, tokens })),
  }
}

function totalOf(turns: readonly BilledTurn[]): Charges {
  const total = noCharges()
  for (const turn of turns) addCharges(total, turn)
  return total
}

/** Largest first. */
function sortedSources({ sources }: Charges): [string, number][] {
  return [...sources].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
