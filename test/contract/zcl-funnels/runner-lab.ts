// An attempt with a known agent id and prompt, runner logs in its HOME, and `zcl enrich` over them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createLab, type Lab } from './lab.ts'
import type { Ran } from '../../support/run-program.ts'

export type Line = Record<string, unknown>

export interface Enriched {
  ran: Ran
  ref: Line | undefined
  metrics: Line | undefined
}

export interface RunnerLab extends Lab {
  /** Writes a log below HOME; lines that are not objects are written unchanged. */
  put(file: string, lines: (Line | string)[]): string
  enrich(runner: string, ...flags: string[]): Promise<Enriched>
}

/** The id of the agent. */
export const thread = '019c6060-1111-7222-8333-944455556666'
/** The start of its prompt. */
export const promptStart = 'Find the title. '.repeat(30)

export async function createRunnerLab(): Promise<RunnerLab> {
  const lab = await createLab(['--agent-id', thread, '--prompt', `${promptStart}End.`])
  const read = (name: string): Line | undefined =>
    existsSync(lab.file(name))
      ? (JSON.parse(readFileSync(lab.file(name), 'utf8')) as Line)
      : undefined
  return {
    ...lab,
    put: (file, lines) => {
      const place = path.join(lab.home, file)
      mkdirSync(path.dirname(place), { recursive: true })
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(place, texts.map((text) => `${text}\n`).join(''))
      return place
    },
    enrich: async (runner, ...flags) => {
      const ran = await lab.zcl(['enrich', '--runner', runner, '--json', ...flags])
      return { ran, ref: read('runner.ref.json'), metrics: read('runner.metrics.json') }
    },
  }
}
