// extract_symbols (placeholder while the scanners are written).
import { numberArgument, requiredText } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { requestTime } from '../engine.ts'
import type { Engine } from '../engine.ts'
import { metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { withText } from '../slices.ts'
import type { Steps } from '../steps.ts'

export interface CorpusSymbol {
  kind: string
  name: string
  line: number
}

export interface SymbolsResult {
  path: string
  symbols: CorpusSymbol[]
  truncated: boolean
  next_cursor?: string
  metrics: Metrics & { symbols: number }
}

export function* extractSymbols(engine: Engine, args: Arguments): Steps<SymbolsResult> {
  const time = requestTime(engine, args)
  numberArgument(args, 'max_symbols', 400)
  return yield* withText(engine, requiredText(args, 'path'), (text, file) => ({
    path: file.path,
    symbols: [],
    truncated: false,
    metrics: { ...metricsOf(time, text.chars, 1), symbols: 0 },
  }))
}
