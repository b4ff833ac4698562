// The three blocks at the end of an assistant's turn (the zeno contract, output blocks). The last start
// marker counts, up to the first end marker behind it; what does not parse is left out.

import { parseObject } from '@zee/core/json'
type Row = Record<string, unknown>

export interface TurnBlocks {
  state: Row | undefined
  evidence: Row[]
  claims: Row[]
}

const blockNames = {
  state: 'ZENO_STATE_UPDATE_JSON',
  evidence: 'ZENO_EVIDENCE_LEDGER_JSONL',
  claims: 'ZENO_CLAIM_LEDGER_JSONL',
}

export function parseBlocks(message: string): TurnBlocks {
  const state = parseObject(extractBlock(message, blockNames.state) ?? '')
  return {
    state,
    evidence: parseRows(extractBlock(message, blockNames.evidence) ?? ''),
    claims: parseRows(extractBlock(message, blockNames.claims) ?? ''),
  }
}

function extractBlock(message: string, name: string): string | undefined {
  const start = `===${name}===`
  const at = message.lastIndexOf(start)
  if (at === -1) return undefined
  const end = message.indexOf(`===/${name}===`, at)
  return end === -1 ? undefined : withoutFences(message.slice(at + start.length, end))
}

/** Models like to put a code fence around JSON. */
function withoutFences(text: string): string {
  return text.replace(/^[ \t]*```.*$/gm, '')
}

function parseRows(text: string): Row[] {
  return text
    .split('\n')
    .map(parseObject)
    .filter((row) => row !== undefined)
}
