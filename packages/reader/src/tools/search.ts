// search: lines that match, in numbered slices. A search without hits is evidence too: of absence.
import { isObject } from '@zee/core/json'
import { locationOf } from '../evidence/evidence.ts'
import { objectSchema, optionalNumber, optionalTexts, requiredText } from './input.ts'
import { numbered } from './read.ts'
import type { ReaderTool } from './tools.ts'

interface Slice {
  path: string
  start: number
  lines: string[]
}

const maxHits = 200
const maxContext = 20

export const search: ReaderTool = {
  name: 'search',
  description:
    'Find lines by literal text or regex. Each slice of the result has a number such as [E3] to cite.',
  schema: objectSchema(
    {
      pattern: { type: 'string' },
      regex: { type: 'boolean', description: 'the pattern is a Python-style regex' },
      case_sensitive: { type: 'boolean', description: 'true by default' },
      glob: { type: 'string', description: 'only files that match, such as src/**/*.ts' },
      context: { type: 'integer', description: 'lines around each hit (1)' },
    },
    ['pattern'],
  ),
  async run(input, { corpus, ledger, callId, maxChars }) {
    const paths = optionalTexts(input, 'glob') ?? optionalTexts(input, 'paths')
    const args = {
      pattern: requiredText(input, 'pattern'),
      ...(input.regex === true ? { regex: true } : {}),
      ...(input.case_sensitive === false ? { case_sensitive: false } : {}),
      ...(paths === undefined ? {} : { paths }),
    }
    const context = Math.min(maxContext, Math.max(0, optionalNumber(input, 'context') ?? 1))
    const request = {
      ...args,
      context: Math.max(1, context),
      max_hits: maxHits,
      max_line_chars: 2000,
    }
    const result = await corpus.run('grep', { ...request, max_chars: maxChars }, callId)
    const hits = Array.isArray(result.hits) ? result.hits.filter(isObject) : []
    if (hits.length === 0) {
      const evidence = ledger.addAbsence(args)
      return `[${evidence.id}] ${locationOf(evidence)}${leftOut(result)}`
    }
    const shown = slicesOf(hits, context).map(({ path, start, lines }) => {
      const text = lines.join('\n')
      const evidence = ledger.addLines(path, start, text)
      return `[${evidence.id}] ${locationOf(evidence)}\n${numbered(text, start)}`
    })
    const more = result.truncated === true ? '\n[more hits than shown: narrow the search]' : ''
    return `${shown.join('\n')}${more}${leftOut(result)}`
  },
}

/** Consecutive lines of one file form a slice. Lines that were cut cannot be cited and are left out. */
function slicesOf(hits: readonly Record<string, unknown>[], context: number): Slice[] {
  const slices: Slice[] = []
  for (const hit of hits) {
    const around = Array.isArray(hit.context) ? hit.context.filter(isObject) : []
    for (const { line, text, text_truncated: isCut } of around) {
      const number = Number(line)
      if (isCut === true || Math.abs(number - Number(hit.line)) > context) continue
      const last = slices.at(-1)
      const next = last === undefined ? -1 : last.start + last.lines.length
      if (last !== undefined && last.path === hit.path && number < next) continue
      if (last !== undefined && last.path === hit.path && number === next)
        last.lines.push(String(text))
      else slices.push({ path: String(hit.path), start: number, lines: [String(text)] })
    }
  }
  return slices
}

/** What the search did not cover. */
function leftOut({
  excluded,
  skipped_large: large,
  skipped_denied: denied,
  unreadable,
}: Record<string, unknown>): string {
  const notes = Object.entries({
    excluded,
    skipped_large: large,
    skipped_denied: denied,
    unreadable,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return notes.length === 0 ? '' : `\n[not searched: ${notes.join('; ')}]`
}
