// The folder of the tour: a small repository, screenplays, and an environment that keeps every
// program inside this folder.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findProgram, programNames } from '../programs/programs.ts'
import {
  agentPlay,
  foreignLog,
  foreignSession,
  repositoryFiles,
  secretFile,
  secretPlay,
  zinoPlay,
} from './story.ts'

/** The model: a screenplay or a real one. */
export type Cast = { scripted: true } | { scripted: false; provider: string; model: string }

export interface TourFolder {
  base: string
  repository: string
  /** The environment of every step. */
  env: Record<string, string | undefined>
  /** A shell file that sets the same environment. */
  envFile: string
  path(...names: string[]): string
  read(...names: string[]): string
  /** Adds `NAME=value` lines to the environment. */
  addVariables(variables: string): void
  remove(): void
}

type Environment = Readonly<Record<string, string | undefined>>

export function prepareFolder(outside: Environment, cast: Cast): TourFolder {
  const base = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'zee-tour-'))
  const inFolder = (...names: string[]): string => path.join(base, ...names)
  for (const [name, text] of Object.entries(repositoryFiles)) put(inFolder('shop', name), text)
  if (cast.scripted) {
    put(inFolder('zdx-play.jsonl'), toJsonLines(agentPlay))
    put(inFolder('zino-play.jsonl'), toJsonLines(zinoPlay))
    put(inFolder('secret-play.jsonl'), toJsonLines(secretPlay))
    put(inFolder('secret.env'), secretFile)
    const log = toJsonLines(foreignLog(inFolder('shop')))
    put(inFolder('home/.claude/projects/shop', `${foreignSession}.jsonl`), log)
  }
  mkdirSync(inFolder('home'), { recursive: true })
  mkdirSync(inFolder('bin'))
  for (const name of programNames) symlinkSync(findProgram(name).file, inFolder('bin', name))
  const tourVariables: Record<string, string> = {
    PATH: `${inFolder('bin')}${path.delimiter}${outside.PATH ?? ''}`,
    ZDX_HOME: inFolder('zdx'),
    ZINO_CONFIG: inFolder('zino/ZINO.toml'),
  }
  const env: Record<string, string | undefined> = { ...withoutZee(outside), ...tourVariables }
  env.HOME = inFolder('home')
  const envFile = inFolder('env.sh')
  const save = (): void => writeFileSync(envFile, shellLines(tourVariables))
  save()
  return {
    base,
    repository: inFolder('shop'),
    env,
    envFile,
    path: inFolder,
    read: (...names) => readFileSync(inFolder(...names), 'utf8'),
    addVariables(variables) {
      for (const [, name = '', text = ''] of variables.matchAll(/^([A-Z_]+)=(.*)$/gm)) {
        const isQuoted = text.startsWith('"')
        tourVariables[name] = env[name] = isQuoted
          ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
          : text
      }
      save()
    },
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Removes the user's own zee settings. API keys of providers stay. */
function withoutZee(outside: Environment): Record<string, string | undefined> {
  const foreign = /^(ZDX_|ZENO_|ZINO_|ZCL_|XDG_|NODE_OPTIONS$|npm_|NODE_EXTRA_CA_CERTS$)/
  return Object.fromEntries(Object.entries(outside).filter(([name]) => !foreign.test(name)))
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function toJsonLines(steps: readonly object[]): string {
  return steps.map((step) => `${JSON.stringify(step)}\n`).join('')
}

function shellLines(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join('')
}
