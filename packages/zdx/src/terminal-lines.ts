// The line editor of a chat on a terminal: history kept across runs, pasted lines kept together,
// Ctrl+C and Ctrl+D as everywhere.
import type { Host } from '@zee/core/exit'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Transform } from 'node:stream'
import type { LineSource } from './chat-lines.ts'
import { promptText } from './chat-lines.ts'
import type { Interrupts } from './interrupt.ts'

const historyLines = 1000
const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
/** Stands for a line break inside a pasted text while it is being edited. */
const visibleBreak = '\u2424'

export function openTerminalLines(host: Host, base: string, interrupts: Interrupts): LineSource {
  const file = path.join(base, 'history')
  const input = keepPastesWhole()
  host.stdin.pipe(input)
  host.stdin.setRawMode(true)
  host.stderr.write('\u001b[?2004h')
  const editor = createInterface({
    input,
    output: host.stderr,
    terminal: true,
    prompt: promptText,
    history: recall(file),
    historySize: historyLines,
    removeHistoryDuplicates: true,
  })
  let settle: ((line: string | undefined) => void) | undefined
  const answer = (line: string | undefined) => {
    settle?.(line)
    settle = undefined
  }
  editor.on('line', (line) => answer(line))
  editor.on('close', () => answer(undefined))
  // Raw mode delivers Ctrl+C as a key; at the prompt it leaves, during a turn it stops the turn.
  editor.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  return {
    next: async () => {
      const { signal } = interrupts
      const line = await new Promise<string | undefined>((resolve) => {
        settle = resolve
        if (signal.aborted) resolve(undefined)
        signal.addEventListener('abort', () => answer(undefined), { once: true })
        editor.prompt()
      })
      if (line === undefined) host.stderr.write('\n')
      const text = line?.replaceAll(visibleBreak, '\n')
      if (text !== undefined && text.trim() !== '') remember(file, line ?? '')
      return text
    },
    close: () => {
      host.stderr.write('\u001b[?2004l')
      editor.close()
      host.stdin.setRawMode(false)
      host.stdin.unpipe(input)
      host.stdin.destroy()
    },
  }
}

/** Line breaks between the terminal's paste marks become one visible character. */
function keepPastesWhole(): Transform {
  let pasting = false
  return new Transform({
    decodeStrings: false,
    encoding: 'utf8',
    transform(chunk: Buffer | string, _encoding, done) {
      const pieces = chunk.toString().split(/(\u001b\[20[01]~)/)
      let text = ''
      for (const piece of pieces) {
        if (piece === pasteStart) pasting = true
        else if (piece === pasteEnd) pasting = false
        else text += pasting ? piece.replace(/\r\n?|\n/g, visibleBreak) : piece
      }
      done(null, text)
    },
  })
}

/** Newest first, as the editor wants it. */
function recall(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    return lines.slice(-historyLines).reverse()
  } catch {
    return []
  }
}

function remember(file: string, line: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
  } catch {
    // A history that cannot be kept is no reason to stop a conversation.
  }
}
