// Searches the working folder for lines, files and symbols. Offered only if configured, because every
// tool enlarges every request.
import { reasonOf } from '@zee/core/errors'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { BuiltInTool, ToolContext, ToolInput } from './tool.ts'
import { invalidInput } from './tool.ts'

/** Every field of the schema is a string. */
type SearchInput = Readonly<Record<string, string | undefined>>

const maxHits = 100

export const search: BuiltInTool = {
  name: 'search',
  description: 'Search files: grep (regex), list (glob), symbols (of one file).',
  schema: {
    type: 'object',
    properties: {
      op: { type: 'string', enum: ['grep', 'list', 'symbols'] },
      pattern: { type: 'string' },
      path: { type: 'string' },
      glob: { type: 'string' },
    },
    required: ['op'],
  },
  run: runSearch,
}

async function runSearch(input: ToolInput, context: ToolContext): Promise<Envelope> {
  const { op, pattern = '', path, glob } = input as SearchInput
  if (op === 'grep' && !pattern) return invalidInput(search, "grep needs 'pattern'")
  if (op === 'symbols' && !path) return invalidInput(search, "symbols needs 'path'")
  const { openCorpus } = await import('@zee/corpus')
  const options = { signal: context.signal }
  try {
    const corpus = openCorpus(context.root)
    try {
      if (op === 'list') return searchResult(await corpus.list({ glob, max: 1000 }, options))
      if (op === 'symbols') return searchResult(await corpus.symbols({ path: path ?? '' }, options))
      const paths = [path ?? glob].filter((each) => each !== undefined)
      const query = { pattern, regex: true, max_hits: maxHits, paths }
      return searchResult(await corpus.grep(query, options))
    } finally {
      await corpus.close()
    }
  } catch (error) {
    context.signal.throwIfAborted()
    return failure('search_error', reasonOf(error))
  }
}

/** Omits the metrics, which are of no use to a model. */
function searchResult({ metrics: _metrics, ...result }: object & { metrics: unknown }): Envelope {
  return success(result)
}
