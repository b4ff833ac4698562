// The line editor of a chat on a terminal: history kept across runs, pasted lines kept together,
// Ctrl+C and Ctrl+D as everywhere. What is typed while a turn goes on waits for its end.
import type { Host } from '@zee/core/exit'
import path from 'node:path'
import type { Interface } from 'node:readline'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Interrupts } from '../interrupt/interrupt.ts'
import type { LineSource } from './lines.ts'
import { promptText } from './lines.ts'
import { completePath } from './complete-path.ts'
import { historyLines, recall, remember } from './history.ts'
import { pasteStream, visibleBreak } from './paste.ts'

const pasteMarksOn = '\u001b[?2004h'
const pasteMarksOff = '\u001b[?2004l'

export interface TerminalPlaces {
  base: string
  root: string
}

export function openTerminalLines(
  host: Host,
  { base, root }: TerminalPlaces,
  interrupts: Interrupts,
): LineSource {
  const file = path.join(base, 'history')
  const input = pasteStream()
  const screen = mutableScreen(host)
  host.stdin.pipe(input)
  host.stdin.setRawMode(true)
  host.stderr.write(pasteMarksOn)
  const editor = createInterface({
    input,
    output: screen.output,
    terminal: true,
    prompt: promptText,
    history: recall(file),
    historySize: historyLines,
    removeHistoryDuplicates: true,
    completer: (line: string) => completePath(root, line),
  })
  const typed = queueOf(editor)
  // Raw mode delivers Ctrl+C as a key. With text in the line it clears the line; otherwise it leaves,
  // and during a turn it stops the turn.
  editor.on('SIGINT', () => {
    if (screen.isShown() && editor.line !== '') clearLine(editor, host)
    else process.kill(process.pid, 'SIGINT')
  })
  return {
    next: async () => {
      const early = typed.early()
      if (early !== undefined) host.stderr.write(`${promptText}${early}\n`)
      screen.show()
      const line = early ?? (await typed.next(interrupts.signal))
      screen.hide()
      if (line === undefined) host.stderr.write('\n')
      if (line !== undefined && line.trim() !== '') remember(file, line)
      return line?.replaceAll(visibleBreak, '\n')
    },
    close: () => {
      host.stderr.write(pasteMarksOff)
      editor.close()
      if (!host.stdin.destroyed) host.stdin.setRawMode(false)
      host.stdin.unpipe(input)
      host.stdin.destroy()
    },
  }
}

/** Lines in the order of typing; those that nobody waits for yet are kept. */
function queueOf(editor: Interface) {
  const waiting: string[] = []
  let closed = false
  let settle: ((line: string | undefined) => void) | undefined
  const answer = (line: string | undefined) => {
    settle?.(line)
    settle = undefined
  }
  editor.on('line', (line) => (settle === undefined ? waiting.push(line) : answer(line)))
  editor.on('close', () => {
    closed = true
    answer(undefined)
  })
  return {
    /** A line that was typed before it was asked for. */
    early: () => waiting.shift(),
    next: async (signal: AbortSignal): Promise<string | undefined> => {
      if (closed || signal.aborted) return undefined
      return new Promise((resolve) => {
        settle = resolve
        signal.addEventListener('abort', () => answer(undefined), { once: true })
        // Keeps what was typed during the turn and shows it behind the prompt.
        editor.prompt(true)
      })
    },
  }
}

/** The editor draws only while a line is asked for: otherwise it would draw into the answer. */
function mutableScreen(host: Host) {
  let shown = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (shown) host.stderr.write(chunk)
      done()
    },
  })
  Object.defineProperties(output, {
    columns: { get: () => host.stderr.columns },
    rows: { get: () => host.stderr.rows },
    isTTY: { value: true },
  })
  host.stderr.on('resize', () => output.emit('resize'))
  return {
    output,
    isShown: () => shown,
    show: () => void (shown = true),
    hide: () => void (shown = false),
  }
}

function clearLine(editor: Interface, host: Host): void {
  host.stderr.write('^C\n')
  editor.write(null, { ctrl: true, name: 'e' })
  editor.write(null, { ctrl: true, name: 'u' })
}
