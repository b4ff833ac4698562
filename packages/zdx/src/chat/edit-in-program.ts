// `:edit` and Ctrl+G: writes the prompt in $VISUAL or $EDITOR. The text comes back into the line editor.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import type { Chat } from './commands.ts'

export async function editInProgram(chat: Chat, text: string): Promise<void> {
  const { lines } = chat
  if (lines.lend === undefined || lines.setText === undefined) {
    throw new Error(':edit needs a terminal')
  }
  const initial = text === '' ? (lines.text?.() ?? '') : text
  const edited = await lines.lend(() => editText(chat, initial))
  lines.setText(edited.replace(/\n+$/, ''))
}

/** The text after the user has left the editor. */
export async function editText(
  { host, conversation }: Pick<Chat, 'host' | 'conversation'>,
  text: string,
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'zdx-edit-'))
  const file = path.join(folder, 'prompt.md')
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const { startProcess } = await import('@zee/core/process')
    const program = host.env.VISUAL || host.env.EDITOR || 'vi'
    const started = await startProcess({
      // A shell, because the variable may hold arguments, as in `code --wait`.
      command: 'sh',
      args: ['-c', 'eval "$1 \\"\\$2\\""', 'sh', program, file],
      cwd: conversation.info.root,
      env: host.env,
      foreground: true,
      stdin: 'inherit',
      stdout: 'inherit',
      stderr: 'inherit',
    })
    const end = started.failure ?? (await started.process.exited)
    if (end.exitCode !== 0) throw new Error(`${program} failed; the text is unchanged`)
    return readBoundedText(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
