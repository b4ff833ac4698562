// extract_symbols: what a file defines, by scanners that know the language's comments and strings.
import { closeSync } from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import { choiceArgument, numberArgument, requiredText } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine } from '../engine.ts'
import { metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, placeNumber, takePage } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import { openFile } from '../root/root.ts'
import { readError } from './read/read.ts'
import type { Steps } from '../steps.ts'
import { countChars } from '../text/text.ts'
import { readFully } from '../content/content.ts'
import { symbolsIn } from '../symbols/symbols.ts'
import type { CorpusSymbol } from '../symbols/symbols.ts'

export interface SymbolsArgs extends RequestArgs {
  path: string
  /** `all` adds fields, constants and variables. */
  detail?: 'outline' | 'all' | undefined
  max_symbols?: number | undefined
}

export interface SymbolsResult {
  path: string
  symbols: CorpusSymbol[]
  /** The number of symbols reached `max_symbols`, or what a scanner keeps at most. */
  truncated: boolean
  next_cursor?: string
  metrics: Metrics & { symbols: number }
}

/** Larger files are not source code, and a text of this size is the most a scanner can hold. */
const maxBytes = 128 << 20

export function* extractSymbols(engine: Engine, args: Arguments): Steps<SymbolsResult> {
  const time = requestTime(engine, args)
  const asked = requiredText(args, 'path')
  const max = numberArgument(args, 'max_symbols', 400)
  const detail = choiceArgument(args, 'detail', ['outline', 'all'], 'outline')
  const paging = pagingOf('extract_symbols', args)
  const { path, bytes } = readWhole(engine, asked)
  const chars = countChars(bytes)
  yield
  const { symbols: all, isTruncated: isCut } = symbolsIn(path, bytes, detail)
  const from = placeNumber(paging.at)
  const page = takePage(all.slice(from, max), paging.maxChars)
  return {
    path,
    symbols: page.items,
    truncated: all.length >= max || page.cut || isCut,
    ...(page.cut ? { next_cursor: paging.seal(from + page.items.length) } : {}),
    metrics: { ...metricsOf(time, chars, 1), symbols: page.items.length },
  }
}

/** The file's bytes in memory of its own, for the scanner to change. */
function readWhole(engine: Engine, asked: string): { path: string; bytes: Buffer } {
  const file = openFile(engine.root, asked)
  try {
    const { size } = file.stats
    if (size > maxBytes) {
      throw new ZeeError('too_large', `file is too large for extract_symbols: ${size} bytes`)
    }
    const buffer = Buffer.allocUnsafeSlow(size > 0 ? size : 1 << 20)
    return { path: file.path, bytes: buffer.subarray(0, readFully(file.fd, buffer, 0)) }
  } catch (error) {
    throw readError(engine, asked, error)
  } finally {
    closeSync(file.fd)
  }
}
