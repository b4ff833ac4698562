// Parses the three output blocks at the end of an assistant's turn. A block runs from the last start marker
// to the first end marker after it; invalid JSON is dropped.
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

/** Extracts the state, evidence and claims from a message. */
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
  const from = message.lastIndexOf(start)
  if (from === -1) return undefined
  const end = message.indexOf(`===/${name}===`, from)
  return end === -1 ? undefined : withoutFences(message.slice(from + start.length, end))
}

/** Models often wrap JSON in a code fence. */
function withoutFences(text: string): string {
  return text.replace(/^[ \t]*```.*$/gm, '')
}

function parseRows(text: string): Row[] {
  return text
    .split('\n')
    .map(parseObject)
    .filter((row) => row !== undefined)
}
