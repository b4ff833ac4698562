// Adds zeno to a configuration of MCP servers and takes it out again. Both are edits of the text, so that the rest of
// the file keeps its bytes.
import { isObject } from '@zee/core/json'
import type { AgentRow, JsonForm } from './agents.ts'

/** The new text of the file, or null to remove a file that `register` created. */
export type Edit = { text: string | null } | { unchanged: string }

const tomlBlock = '[mcp_servers.zeno]\ncommand = "zeno"\nargs = ["mcp", "--root", "."]\n'

/** A file that `register` creates ends with an empty line, which tells it from a user's `{}`. */
const createdJson = ({ schema }: JsonForm): string =>
  schema === undefined ? '{}\n\n' : `{\n  "$schema": ${JSON.stringify(schema)}\n}\n\n`

/** Adds the server; `text` is undefined for a missing file. */
export function register(
  text: string | undefined,
  form: AgentRow['form'],
): { text: string } | { unchanged: string } {
  if (form === 'toml') return registerToml(text)
  const { key } = form
  const source = text ?? createdJson(form)
  const config = parse(source)
  if (config === undefined) return { unchanged: 'is not a JSON object; add zeno by hand' }
  const servers = config[key]
  if (isObject(servers) && servers.zeno !== undefined) return { unchanged: 'already has zeno' }
  if (servers !== undefined && !isObject(servers))
    return { unchanged: `has another kind of ${key}` }
  const at = servers === undefined ? source.indexOf('{') : objectStart(source, key)
  if (at === undefined) return { unchanged: `has no ${key} that can be edited` }
  const holder = servers ?? config
  const snippets = snippetsOf(form, servers === undefined)
  const snippet = Object.keys(holder).length === 0 ? snippets.alone : snippets.first
  const edited = source.slice(0, at + 1) + snippet + source.slice(at + 1)
  return parse(edited) === undefined ? { unchanged: 'cannot be edited' } : { text: edited }
}

/** Takes the server out. */
export function unregister(text: string, form: AgentRow['form']): Edit {
  if (form === 'toml') return unregisterToml(text)
  for (const isTop of [true, false]) {
    for (const snippet of Object.values(snippetsOf(form, isTop))) {
      if (!text.includes(snippet)) continue
      const edited = text.replace(snippet, () => '')
      if (parse(edited) !== undefined) return { text: edited === createdJson(form) ? null : edited }
    }
  }
  const servers = parse(text)?.[form.key]
  const isThere = isObject(servers) && servers.zeno !== undefined
  return { unchanged: isThere ? 'has a zeno that was edited; remove it by hand' : 'has no zeno' }
}

/** What is inserted after an opening brace, of an empty object and of one with further keys. */
function snippetsOf({ key, entry }: JsonForm, isTop: boolean): { alone: string; first: string } {
  const value = isTop ? { zeno: entry } : entry
  const name = isTop ? key : 'zeno'
  const indent = isTop ? '  ' : '    '
  const json = JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
  const property = `\n${indent}${JSON.stringify(name)}: ${json}`
  return { alone: `${property}\n${indent.slice(2)}`, first: `${property},` }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The offset of the brace that opens the object of a key at the top level. */
function objectStart(json: string, key: string): number | undefined {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    else if (char === '"') {
      const end = stringEnd(json, at)
      const [, brace] = /^\s*:\s*(\{)/.exec(json.slice(end, end + 1000)) ?? []
      if (depth === 1 && brace !== undefined && JSON.parse(json.slice(at, end)) === key) {
        return json.indexOf('{', end)
      }
      at = end - 1
    }
  }
  return undefined
}

/** The offset after the string that starts at `at`. */
function stringEnd(json: string, at: number): number {
  for (let end = at + 1; ; end++) {
    if (json[end] === '\\') end++
    else if (json[end] === '"') return end + 1
  }
}

function registerToml(text: string | undefined): { text: string } | { unchanged: string } {
  if (text === undefined) return { text: tomlBlock }
  if (/^\s*\[\s*mcp_servers\s*\.\s*"?zeno"?\s*\]/m.test(text))
    return { unchanged: 'already has zeno' }
  return { text: `${text}\n${tomlBlock}` }
}

function unregisterToml(text: string): Edit {
  if (text === tomlBlock) return { text: null }
  for (const block of [`\n${tomlBlock}`, tomlBlock]) {
    if (text.includes(block)) return { text: text.replace(block, () => '') }
  }
  return { unchanged: 'has no zeno, or one that was edited' }
}
