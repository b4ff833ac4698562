// The line editor of a chat: readline with stored history, path completion and bracketed paste. Lines
// typed during a turn are queued until it ends.
import type { Host } from '@zee/core/exit'
import path from 'node:path'
import type { Interface } from 'node:readline'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Interrupts } from '../interrupt/interrupt.ts'
import type { LineSource } from './lines.ts'
import { promptText } from './lines.ts'
import { completePath } from './complete-path.ts'
import { maxHistoryLines, loadHistory, appendHistory } from './history.ts'
import { pasteStream, visibleBreak } from './paste.ts'

const pasteMarksOn = '\u001b[?2004h'
const pasteMarksOff = '\u001b[?2004l'

export interface TerminalFolders {
  base: string
  root: string
}

export function openTerminalLines(
  host: Host,
  { base, root }: TerminalFolders,
  interrupts: Interrupts,
): LineSource {
  const file = path.join(base, 'history')
  const input = pasteStream()
  const screen = createMutedOutput(host)
  host.stdin.pipe(input)
  host.stdin.setRawMode(true)
  host.stderr.write(pasteMarksOn)
  const editor = createInterface({
    input,
    output: screen.output,
    terminal: true,
    prompt: promptText,
    history: loadHistory(file),
    historySize: maxHistoryLines,
    removeHistoryDuplicates: true,
    completer: (line: string) => completePath(root, line),
  })
  const typed = createLineQueue(editor)
  // Raw mode delivers Ctrl+C as a key: it clears a non-empty line, otherwise it raises SIGINT, which stops
  // the turn or quits.
  editor.on('SIGINT', () => {
    if (screen.isShown() && editor.line !== '') clearLine(editor, host)
    else process.kill(process.pid, 'SIGINT')
  })
  return {
    next: async () => {
      const queued = typed.typedAhead()
      if (queued !== undefined) host.stderr.write(`${promptText}${queued}\n`)
      screen.show()
      const line = queued ?? (await typed.next(interrupts.signal))
      screen.hide()
      if (line === undefined) host.stderr.write('\n')
      if (line !== undefined && line.trim() !== '') appendHistory(file, line)
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

/** Queues lines that are typed before `next` is called. */
function createLineQueue(editor: Interface) {
  const queued: string[] = []
  let isClosed = false
  let settle: ((line: string | undefined) => void) | undefined
  const answer = (line: string | undefined) => {
    settle?.(line)
    settle = undefined
  }
  editor.on('line', (line) => (settle === undefined ? queued.push(line) : answer(line)))
  editor.on('close', () => {
    isClosed = true
    answer(undefined)
  })
  return {
    /** A queued line, if there is one. */
    typedAhead: () => queued.shift(),
    next: async (signal: AbortSignal): Promise<string | undefined> => {
      if (isClosed || signal.aborted) return undefined
      return new Promise((resolve) => {
        settle = resolve
        signal.addEventListener('abort', () => answer(undefined), { once: true })
        // True preserves text that was typed during the turn.
        editor.prompt(true)
      })
    },
  }
}

/** Output that is muted during a turn, so that readline does not draw into the answer. */
function createMutedOutput(host: Host) {
  let isShown = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isShown) host.stderr.write(chunk)
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
    isShown: () => isShown,
    show: () => void (isShown = true),
    hide: () => void (isShown = false),
  }
}

function clearLine(editor: Interface, host: Host): void {
  host.stderr.write('^C\n')
  editor.write(null, { ctrl: true, name: 'e' })
  editor.write(null, { ctrl: true, name: 'u' })
}
