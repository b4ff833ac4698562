// A program on a real terminal, which `script` from util-linux provides.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtProgram } from '../../support/paths.ts'
import { ScreenText } from '../../support/screen.ts'
import type { Sandbox } from './sandbox.ts'

export interface Terminal {
  /** The bytes that the program has written. */
  raw(): string
  /** What a person sees, including what has scrolled off. */
  screen(): string
  /** Waits until the program has written the text after the previous match. */
  shows(text: string): Promise<void>
  /** Waits until the screen matches. */
  sees(pattern: RegExp): Promise<void>
  type(keys: string): void
  resize(columns: number): Promise<void>
  ended: Promise<number>
}

export interface TerminalOptions {
  columns?: number
  env?: Record<string, string | undefined>
  /** Replaces zdx, for example by a shell. */
  command?: string
}

export function openTerminal(
  box: Sandbox,
  args: readonly string[] = [],
  { columns = 100, env = {}, command = builtProgram('zdx') }: TerminalOptions = {},
): Terminal {
  const ttyFile = path.join(box.base, 'tty')
  const line = [command, ...args].join(' ')
  const setup = `tty > ${ttyFile}; stty cols ${columns} rows 40`
  const child = spawn('script', ['-qec', `${setup}; exec ${line}`, '/dev/null'], {
    cwd: box.root,
    env: {
      ...process.env,
      ...box.env,
      TERM: 'xterm',
      NO_COLOR: '',
      FORCE_COLOR: undefined,
      TMUX: undefined,
      ...env,
    },
  })
  let raw = ''
  let seen = 0
  let shown = new ScreenText(columns)
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    raw += chunk
    shown.write(chunk)
  })
  const waitFor = async (condition: () => boolean, what: unknown) => {
    const end = Date.now() + 20_000
    while (!condition()) {
      if (Date.now() > end) throw new Error(`waited in vain for ${String(what)}:\n${shown.text()}`)
      await sleep(5)
    }
  }
  return {
    raw: () => raw,
    screen: () => shown.text(),
    shows: async (text) => {
      await waitFor(() => raw.includes(text, seen), text)
      seen = raw.indexOf(text, seen) + text.length
    },
    sees: (pattern) => waitFor(() => pattern.test(shown.text()), pattern),
    type: (keys) => void child.stdin.write(keys),
    resize: async (wide) => {
      await waitFor(() => existsSync(ttyFile), 'the terminal')
      shown = new ScreenText(wide)
      const device = readFileSync(ttyFile, 'utf8').trim()
      await once(spawn('stty', ['-F', device, 'cols', String(wide)]), 'close')
    },
    ended: once(child, 'close').then(([code]) => code as number),
  }
}
