// symbols: the definitions of a file, each with the number of its line.
import { isObject } from '@zee/core/json'
import { locationOf } from '../evidence/evidence.ts'
import { objectSchema, requiredText } from './input.ts'
import { readSlice } from './read.ts'
import type { ReaderTool } from './tools.ts'

const maxSymbols = 150

export const symbols: ReaderTool = {
  name: 'symbols',
  description: 'List the definitions in a source file, with line numbers to read and cite.',
  schema: objectSchema({ path: { type: 'string' } }, ['path']),
  async run(input, { corpus, ledger, callId }) {
    const path = requiredText(input, 'path')
    const result = await corpus.run('extract_symbols', { path, max_symbols: maxSymbols }, callId)
    const found = Array.isArray(result.symbols) ? result.symbols.filter(isObject) : []
    const last = found.reduce((max, { line }) => Math.max(max, Number(line)), 0)
    if (last === 0) return `no definitions found in ${path}`
    const text = await readSlice(corpus, path, [1, last], callId)
    const lines = text?.split('\n') ?? []
    const shown = found.map(({ kind, name, line }) => {
      const source = lines[Number(line) - 1]
      const title = `${String(kind)} ${String(name)}`
      if (source === undefined) return `${path}:${Number(line)} ${title}`
      const evidence = ledger.addLines(String(result.path), Number(line), source)
      return `[${evidence.id}] ${locationOf(evidence)} ${title}`
    })
    const more = result.truncated === true ? '\n[more definitions than shown]' : ''
    return `${shown.join('\n')}${more}`
  },
}
