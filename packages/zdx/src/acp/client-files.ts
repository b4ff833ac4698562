// Reads and writes files through the editor, if it offers that: the model then sees unsaved changes.
import type { AgentContext, FileSystemCapabilities } from '@agentclientprotocol/sdk'
import type { EditorFiles } from '@zee/agent'

export function clientFiles(
  { readTextFile, writeTextFile }: FileSystemCapabilities,
  editor: AgentContext,
  sessionId: string,
): EditorFiles | undefined {
  if (readTextFile !== true && writeTextFile !== true) return undefined
  return {
    read: readTextFile === true ? (path) => readText(editor, sessionId, path) : undefined,
    write:
      writeTextFile === true
        ? async (path, content) => {
            await editor.request('fs/write_text_file', { sessionId, path, content })
          }
        : undefined,
  }
}

/** Undefined if the editor refuses, for example for a file outside its project. */
async function readText(
  editor: AgentContext,
  sessionId: string,
  path: string,
): Promise<string | undefined> {
  try {
    return (await editor.request('fs/read_text_file', { sessionId, path })).content
  } catch {
    return undefined
  }
}
