// Adds zeno to a configuration of MCP servers and takes it out again. Both are edits of the text, so that the rest of
// the file keeps its bytes.
import {
  createdJson,
  editableJson,
  hasJson,
  insertJson,
  removeJson,
  restoredJson,
  type Insertion,
} from '@zee/core/settings'
import type { AgentRow, JsonForm } from './agents.ts'

/** The new text of the file, or null to remove a file that `register` created. */
export type Edit = { text: string | null } | { unchanged: string }

const tomlBlock = '[mcp_servers.zeno]\ncommand = "zeno"\nargs = ["mcp", "--root", "."]\n'

const created = ({ schema }: JsonForm): string =>
  schema === undefined ? createdJson : `{\n  "$schema": ${JSON.stringify(schema)}\n}\n\n`

/** Why nothing changes where zeno is registered. */
export const alreadyRegistered = 'already has zeno'

/** Adds the server; `text` is undefined for a missing file. */
export function register(
  text: string | undefined,
  form: AgentRow['form'],
): { text: string } | { unchanged: string } {
  if (form === 'toml') return registerToml(text)
  const edit = insertJson(editableJson(text, created(form)), insertionOf(form))
  if ('text' in edit) return edit
  if (['already has it', otherZeno].includes(edit.unchanged)) {
    return { unchanged: alreadyRegistered }
  }
  return { unchanged: `${edit.unchanged}; add zeno by hand` }
}

function insertionOf({ key, entry, allowsComments }: JsonForm): Insertion {
  return { keys: [key], name: 'zeno', value: entry, allowsComments }
}

/** What `insertJson` says about a server of this name that differs. */
const otherZeno = 'has zeno'

/** Takes the server out. */
export function unregister(text: string, form: AgentRow['form']): Edit {
  if (form === 'toml') return unregisterToml(text)
  const insertion = insertionOf(form)
  if (hasJson(text, insertion)) {
    const edit = removeJson(text, insertion)
    return 'text' in edit ? { text: restoredJson(edit.text, created(form)) } : edit
  }
  const probe = insertJson(text, insertion)
  const isThere = 'unchanged' in probe && probe.unchanged === otherZeno
  return { unchanged: isThere ? 'has a zeno that was edited; remove it by hand' : 'has no zeno' }
}

function registerToml(text: string | undefined): { text: string } | { unchanged: string } {
  if (text === undefined) return { text: tomlBlock }
  if (/^\s*\[\s*"?mcp_servers"?\s*\.\s*"?zeno"?\s*[.\]]/m.test(text))
    return { unchanged: alreadyRegistered }
  // After a value `mcp_servers`, a section of that name would not be valid TOML.
  if (/^\s*"?mcp_servers"?\s*[.=]/m.test(text))
    return { unchanged: 'has mcp_servers as a value; add zeno by hand' }
  return { text: `${text}\n${tomlBlock}` }
}

function unregisterToml(text: string): Edit {
  if (text === tomlBlock) return { text: null }
  for (const block of [`\n${tomlBlock}`, tomlBlock]) {
    if (text.includes(block)) return { text: text.replace(block, () => '') }
  }
  return { unchanged: 'has no zeno, or one that was edited' }
}
