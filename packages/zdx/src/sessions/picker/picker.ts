// The session picker of `zdx sessions resume` on a terminal: newest first, type to filter by title or
// text, arrows, Enter, Esc. It draws on stderr and leaves nothing on the screen.
import { readSession } from '@zee/agent'
import { coloursFor, withoutControls } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { interruptible, listenForInterrupts } from '../../interrupt/interrupt.ts'
import type { SessionScope } from '../../project/project.ts'
import { fitRow } from '../../terminal/terminal.ts'
import { cutToCharacters } from '../../text/text.ts'
import { formatMinute, listedSessions } from '../sessions.ts'
import type { Choice, PickerState } from './choices.ts'
import { applyKey, isEnter, matchesOf, splitKeys } from './choices.ts'

/** Text per session that the filter searches. */
const maxTextLength = 256 * 1024
const maxTitleCharacters = 200
/** A terminal sends an escape sequence in one piece; an Esc alone is the key. */
const escapeDelayMs = 40

// Without automatic wrapping, a line that is too long cannot break the drawing.
const wrapOff = '\u001b[?7l'
const wrapOn = '\u001b[?7h'

/** The id of the chosen session; undefined if the user left without one. Throws after Ctrl+C. */
export async function pickSession(host: Host, scope: SessionScope): Promise<string | undefined> {
  const { sessions } = listedSessions(scope)
  const choices: Choice[] = sessions.map(({ id, title, root, modifiedMs }) => ({
    id,
    time: formatMinute(modifiedMs),
    title: [
      ...(scope.project === undefined && root !== undefined ? [oneLine(root)] : []),
      oneLine(title ?? ''),
    ].join('  '),
    text: '',
  }))
  const stop = new AbortController()
  const interrupts = listenForInterrupts()
  const picker = openPicker(host, choices, interrupts.signal)
  void readTexts(scope.folder, choices, stop.signal).then(picker.textsRead)
  try {
    return await interruptible(interrupts, () => picker.chosen)
  } finally {
    stop.abort()
    picker.close()
    interrupts.stop()
  }
}

function openPicker(host: Host, choices: readonly Choice[], signal: AbortSignal) {
  let state: PickerState = { choices, filter: '', selected: 0 }
  let drawnLines = 0
  let pending = ''
  let areTextsRead = false
  let isClosed = false
  /** An Enter without a match, and what follows: the texts that may match are still being read. */
  let held: string | undefined
  let timer: NodeJS.Timeout | undefined
  let [resolve, reject] = [(_id: string | undefined) => {}, (_error: Error) => {}]
  const chosen = new Promise<string | undefined>((onChosen, onFailure) => {
    resolve = onChosen
    reject = onFailure
  })

  const erase = () => (drawnLines === 0 ? '' : `\u001b[${drawnLines}A\r\u001b[J`)
  const redraw = () => {
    const lines = drawnText(host, state)
    host.stderr.write(erase() + lines.map((line) => `${line}\r\n`).join(''))
    drawnLines = lines.length
  }
  /** Handles keys until one ends the picker; the keys after it belong to the conversation. */
  const press = (keys: readonly string[], rest: string) => {
    for (const [index, key] of keys.entries()) {
      if (!areTextsRead && isEnter(key) && matchesOf(state).length === 0) {
        held = keys.slice(index).join('')
        break
      }
      const step = applyKey(state, key)
      if ('state' in step) {
        state = step.state
        continue
      }
      const unread = keys.slice(index + 1).join('') + rest
      host.stdin.off('data', onData)
      if (unread !== '') host.stdin.unshift(Buffer.from(unread))
      if ('chosen' in step) resolve(step.chosen)
      else process.kill(process.pid, 'SIGINT')
      return
    }
    redraw()
  }
  const pressPending = () => {
    const key = pending
    pending = ''
    press([key], '')
  }
  const onData = (chunk: Buffer) => {
    clearTimeout(timer)
    const typed = chunk.toString('utf8')
    // Esc and Ctrl+C do not wait.
    if (held !== undefined && !/[\u0003\u001b]/.test(typed)) {
      held += typed
      return
    }
    held = undefined
    const { keys, rest } = splitKeys(pending + typed)
    pending = rest
    if (rest !== '') timer = setTimeout(pressPending, escapeDelayMs)
    press(keys, rest)
  }
  const textsRead = () => {
    areTextsRead = true
    const typed = held
    held = undefined
    if (typed === undefined) redraw()
    else onData(Buffer.from(typed))
  }
  const onEnd = () => resolve(undefined)
  signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true })

  host.stdin.setRawMode(true)
  host.stdin.on('data', onData)
  host.stdin.on('end', onEnd)
  host.stderr.on('resize', redraw)
  host.stderr.write(wrapOff)
  redraw()
  return {
    chosen,
    textsRead: () => {
      if (!isClosed) textsRead()
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      host.stderr.off('resize', redraw)
      host.stdin.off('data', onData)
      host.stdin.off('end', onEnd)
      host.stdin.setRawMode(false)
      host.stdin.pause()
      host.stderr.write(erase() + wrapOn)
    },
  }
}

function drawnText(host: Host, state: PickerState): string[] {
  const paint = coloursFor(host.stderr, host.env)
  const fit = (row: string) => fitRow(row, Math.max(8, (host.stderr.columns || 80) - 1))
  const matches = matchesOf(state)
  const height = Math.max(1, (host.stderr.rows || 24) - 4)
  const first = Math.max(0, Math.min(state.selected - height + 1, matches.length - height))
  const rows = matches.slice(first, first + height).map(({ time, title, id }, index) => {
    const shown = withoutControls(cutToCharacters(title || id, maxTitleCharacters).text)
    const isSelected = first + index === state.selected
    const row = fit(`${isSelected ? '❯' : ' '} ${time}  ${shown}`)
    return isSelected ? paint.bold(row) : row
  })
  const count = `${matches.length} of ${state.choices.length}`
  return [
    paint.dim(fit('Type to filter, ↑ ↓ to choose, Enter to resume, Esc to leave')),
    fit(`filter: ${withoutControls(state.filter)}`),
    ...(rows.length === 0 ? ['  no session matches'] : rows),
    paint.dim(count),
  ]
}

/** Reads the prompts and answers of each session in the background, newest first. */
async function readTexts(
  folder: string,
  choices: readonly Choice[],
  signal: AbortSignal,
): Promise<void> {
  for (const choice of choices) {
    try {
      const texts: string[] = []
      let length = 0
      for await (const { record } of readSession(folder, choice.id)) {
        if (signal.aborted) return
        if (record.type !== 'message') continue
        const text = record.text.slice(0, maxTextLength - length).toLowerCase()
        texts.push(text)
        length += text.length
        if (length >= maxTextLength) break
      }
      choice.text = texts.join('\n')
    } catch {
      // An unreadable session can still be found by its title.
    }
    if (signal.aborted) return
  }
}
