// MCP resources: the trace of this session, and the evidence and claims in it so far.
import { readFileSync } from 'node:fs'
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { McpServer } from '@modelcontextprotocol/server'
import { parseObject } from '@zee/core/json'

export interface ResourceSources {
  /** Absolute path of the trace; undefined without one. */
  log: string | undefined
  /** The lines of a trace in memory, which replaces a missing file. */
  recentLines?: (() => readonly string[]) | undefined
}

/** The end of a long trace is shown. */
export const maxResourceChars = 100_000
const uris = { trace: 'zeno://trace', evidence: 'zeno://evidence' }
const evidenceEvents: ReadonlySet<unknown> = new Set(['evidence', 'claim'])

export function registerResources(server: McpServer, sources: ResourceSources): void {
  const mimeType = 'application/jsonl'
  server.server.setRequestHandler('resources/list', () => ({
    resources: [
      { uri: uris.trace, name: 'trace', description: 'requests and answers so far', mimeType },
      {
        uri: uris.evidence,
        name: 'evidence',
        description: 'slices read, evidence, claims',
        mimeType,
      },
    ],
  }))
  server.server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const lines = sources.recentLines?.() ?? readLines(sources.log)
    if (uri === uris.trace) return contents(uri, mimeType, lines)
    if (uri !== uris.evidence) {
      throw new ResourceNotFoundError(uri, `unknown resource: ${uri}`)
    }
    return contents(uri, mimeType, lines.filter(isEvidence))
  })
}

function contents(uri: string, mimeType: string, lines: readonly string[]) {
  let text = lines.map((line) => `${line}\n`).join('')
  if (text.length > maxResourceChars) {
    const start = text.indexOf('\n', text.length - maxResourceChars) + 1
    text = text.slice(start)
  }
  return { contents: [{ uri, mimeType, text }] }
}

function readLines(log: string | undefined): string[] {
  if (log === undefined) return []
  try {
    return readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}

/** Agent events about evidence, and requests that returned slices of files. */
function isEvidence(line: string): boolean {
  const row = parseObject(line)
  if (row === undefined) return false
  if (evidenceEvents.has(row.event)) return true
  return row.event === 'request' && ['read_file', 'read_many', 'peek'].includes(String(row.op))
}
