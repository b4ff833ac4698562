// A process that keeps replacing a name with links into and out of the root, to provoke races.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Sandbox } from './sandbox.ts'

const program = `
const fs = require('node:fs')
const [root, what] = process.argv.slice(1)
process.chdir(root)
const outside = what === 'file' ? '../out/x.txt' : '../out'
const inside = what === 'file' ? 'plain.txt' : 'inside'
process.stdout.write('running\\n')
for (let round = 0; ; round++) {
  const target = round % 2 === 0 ? outside : inside
  try { fs.unlinkSync('next') } catch {}
  if (round % 3 === 0 && what === 'file') fs.copyFileSync('plain.txt', 'next')
  else fs.symlinkSync(target, 'next')
  fs.renameSync('next', 'flip')
}
`

export class Flipper {
  readonly #child: ChildProcess

  constructor(box: Sandbox, what: 'file' | 'folder') {
    const args = ['-e', program, box.root, what]
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  }

  running(): Promise<void> {
    return new Promise((resolve) => this.#child.stdout?.once('data', () => resolve()))
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve())
      this.#child.kill('SIGKILL')
    })
  }
}
