// Runs the commands of a transcript in the docs, in one shell, and normalizes their output for
// comparison.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { repository } from '../../support/paths.ts'

export interface Step {
  command: string
  /** The output that the page shows. */
  output: string
}

export function readPage(name: string): string {
  return readFileSync(path.join(repository, name), 'utf8')
}

/** The transcripts of a page that are marked with `<!-- transcript -->`. */
export function transcriptsOf(page: string): Step[][] {
  const blocks = page.matchAll(/<!-- transcript -->\n\n```console\n([\s\S]*?)```/g)
  return [...blocks].map(([, text = '']) => stepsOf(text))
}

function stepsOf(transcript: string): Step[] {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { command: part.slice(0, end), output: part.slice(end + 1) }
    })
}

/** The home folder of a user who types the commands of a page. */
export class Home {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'zr-'))
  /** The working directory of the commands. */
  readonly work: string

  constructor(work = '.') {
    this.work = path.join(this.folder, work)
    mkdirSync(this.work, { recursive: true })
  }

  put(name: string, text: string): void {
    const file = path.join(this.folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  /** Runs the steps and returns the normalized output of each. */
  play(steps: readonly Step[]): string[] {
    const script = steps.map(
      ({ command }) => `printf '\\036'; { ${withNewestSession(command)}; } || true`,
    )
    const printed = this.#sh(script.join('\n')).split('\u001e').slice(1)
    return printed.map((text) => this.normalize(text))
  }

  /** Replaces the parts that vary between runs: ids, times, sizes, paths, disks. */
  normalize(text: string): string {
    return text
      .replaceAll(this.folder, '/home/me')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replaceAll(/\d{8}-\d{6}Z-[0-9a-f]{6}/g, 'RUN')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')
      .replaceAll(/\(\d+\.\d\ds\)/g, '(0.00s)')
      .replaceAll(/"time_ms":\d+/g, '"time_ms":0')
      .replaceAll(/\b\d+(\.\d+)? (ms|s|B|KiB)\b/g, 'N')
      .replaceAll(/^\S+ +\S+ +\S+ +\S+ +\d+% \/$/gm, 'DISK')
      .trimEnd()
  }

  remove(): void {
    this.#sh('zino stop 2>/dev/null || true')
    rmSync(this.folder, { recursive: true, force: true })
  }

  #sh(script: string): string {
    const bin = path.join(repository, 'node_modules/.bin')
    const env = { HOME: this.folder, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
    const options = { cwd: this.work, env, encoding: 'utf8' as const }
    return execFileSync('bash', ['-c', `exec 2>&1\n${script}`], options)
  }
}

/** Replaces the session id of the page by the newest one of this run. */
function withNewestSession(command: string): string {
  const newest = '$(ls ~/.config/zdx/sessions | head -1 | cut -d. -f1)'
  return command.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, newest)
}
