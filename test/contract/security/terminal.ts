// Runs programs whose output streams pretend to be a terminal, and defines a text with control
// sequences.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ProgramName, Ran, RunOptions } from '../../support/run-program.ts'
import { runProgram } from '../../support/run-program.ts'

/**
 * Sets the title, clears the screen, moves the cursor, rings the bell, overwrites; 7-bit and 8-bit
 * forms.
 */
export const hostile =
  'a\u001b]0;owned\u0007b\u001b[2Jc\u001b[1;1Hd\u0007e\u009b2Jf\u009d0;owned\u009cg\u0008h\u007fi'

/** The control sequences of `hostile` in the text. The programs' own colours do not count. */
export function controlSequencesIn(text: string): string[] {
  const marks = ['\u001b]0', '\u001b[2J', '\u001b[1;1H', '\u0007', '\u009b', '\u009d', '\u0008']
  return marks.filter((mark) => text.includes(mark)).map((mark) => JSON.stringify(mark))
}

export class Terminal {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'zee-tty-'))
  readonly #preload = path.join(this.folder, 'terminal.cjs')

  constructor() {
    writeFileSync(
      this.#preload,
      `for (const stream of [process.stdout, process.stderr]) {
  Object.defineProperty(stream, 'isTTY', { value: true })
  Object.assign(stream, { columns: 120, rows: 40 })
}\n`,
    )
  }

  at(...names: string[]): string {
    return path.join(this.folder, ...names)
  }

  run(name: ProgramName, args: string[], options: RunOptions = {}): Promise<Ran> {
    const env = {
      HOME: this.folder,
      ZDX_HOME: this.at('zdx'),
      XDG_CONFIG_HOME: undefined,
      NODE_OPTIONS: `--require ${this.#preload}`,
      NO_COLOR: undefined,
      FORCE_COLOR: undefined,
      TERM: 'xterm-256color',
      ...options.env,
    }
    return runProgram(name, args, { cwd: this.folder, ...options, env })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
