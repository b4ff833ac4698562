// extract_symbols: the definitions in a file, found by scanners that skip comments and strings.
import { ZeeError } from '@zee/core/errors'
import { choiceArgument, numberArgument, requiredText } from '../arguments.ts'
import type { Arguments } from '../arguments.ts'
import { requestTime } from '../request-time.ts'
import type { Engine } from '../../engine.ts'
import { metricsOf } from '../metrics.ts'
import type { Metrics } from '../metrics.ts'
import { pagingOf, offsetFrom, cutPage } from '../paging.ts'
import type { RequestArgs } from '../paging.ts'
import { openBytes, readError } from '../read/read.ts'
import type { RevisionArgs } from '../revision.ts'
import type { Steps } from '../../steps.ts'
import { countChars } from '../../text/text.ts'
import { symbolsIn } from '../../symbols/symbols.ts'
import type { CorpusSymbol } from '../../symbols/symbols.ts'

export interface SymbolsArgs extends RevisionArgs, RequestArgs {
  path: string
  /** `all` adds fields, constants and variables. */
  detail?: 'outline' | 'all' | undefined
  max_symbols?: number | undefined
}

export interface SymbolsResult {
  path: string
  symbols: CorpusSymbol[]
  /** The number of symbols reached `max_symbols` or the limit of the scanner. */
  truncated: boolean
  next_cursor?: string
  metrics: Metrics & { symbols: number }
}

/** Maximum file size: larger files are not source code. */
const maxBytes = 128 << 20

export function* extractSymbols(engine: Engine, args: Arguments): Steps<SymbolsResult> {
  const time = requestTime(engine, args)
  const requestedPath = requiredText(args, 'path')
  const max = numberArgument(args, 'max_symbols', 400)
  const detail = choiceArgument(args, 'detail', ['outline', 'all'], 'outline')
  const paging = pagingOf('extract_symbols', args)
  const { path, bytes } = readEntireFile(engine, requestedPath)
  const chars = countChars(bytes)
  yield
  const { symbols: all, isTruncated: isCut } = symbolsIn(path, bytes, detail)
  const from = offsetFrom(paging.position)
  const page = cutPage(all.slice(from, max), paging)
  return {
    path,
    symbols: page.items,
    truncated: all.length >= max || page.isCut || isCut,
    ...(page.isCut ? { next_cursor: paging.cursorAt(from + page.items.length) } : {}),
    metrics: { ...metricsOf(time, chars, 1), symbols: page.items.length },
  }
}

/** Reads the file into a separate buffer, which the scanner may modify. */
export function readEntireFile(
  engine: Engine,
  requestedPath: string,
): { path: string; bytes: Buffer } {
  const file = openBytes(engine, requestedPath)
  try {
    const { size } = file
    if (size > maxBytes) {
      throw new ZeeError('too_large', `file is too large for extract_symbols: ${size} bytes`)
    }
    const buffer = Buffer.allocUnsafeSlow(size > 0 ? size : 1 << 20)
    return { path: file.path, bytes: buffer.subarray(0, file.read(buffer, 0)) }
  } catch (error) {
    throw readError(engine, requestedPath, error)
  } finally {
    file.close()
  }
}
