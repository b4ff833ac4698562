// `zeno plan`: lists and describes the modes, prints the requests of one, and runs them.
import path from 'node:path'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { wrapStyled } from '@zee/core/styled-text'
import { asciiJson } from '../json/json.ts'
import { terminalSafeWriter, streamWriter } from '@zee/core/lossless'
import { changedFiles } from './changed-files.ts'
import type { ChangedFile } from './changed-files.ts'
import { languageNames, languageOf } from './definitions.ts'
import { modes } from './modes.ts'
import type { Mode, PlanRow } from './modes.ts'
import { builtInPack, readPack } from './security-pack.ts'

export interface PlanOptions {
  mode?: string | undefined
  doc?: string | undefined
  run: boolean
  root?: string | undefined
  log?: string | undefined
  language?: string | undefined
  symbol?: string | undefined
  keyTerm?: string | undefined
  changed: readonly string[]
  git: boolean
  gitRoot?: string | undefined
  base?: string | undefined
  head?: string | undefined
  pack?: string | undefined
  maxPatterns?: number | undefined
  format: string
}

const modeNames: readonly string[] = modes.map(({ name }) => name)

export async function runPlan(
  options: PlanOptions,
  name: string | undefined,
  host: Host,
): Promise<number> {
  if (name !== undefined && options.mode !== undefined && name !== options.mode) {
    throw usageError('pass the mode once: as an argument or with --mode')
  }
  if (!options.run && (options.root !== undefined || options.log !== undefined)) {
    throw usageError('--root and --log need --run')
  }
  const mode = findMode(name ?? options.mode)
  const patterns = options.pack === undefined ? builtInPack : readPack(options.pack)
  const rows = mode.plan({
    language: parseLanguage(options.language),
    symbol: options.symbol,
    keyTerm: options.keyTerm,
    doc: options.doc,
    changed: await changedFor(mode, options, host),
    patterns: patterns.slice(0, options.maxPatterns),
  })
  if (options.run) return (await import('./run.ts')).runRows(rows, options, host)
  await terminalSafeWriter(host.stdout)(formatPlan(rows, options.format))
  return 0
}

export async function listModes(host: Host): Promise<number> {
  const width = Math.max(...modeNames.map((name) => name.length)) + 2
  const columns = host.stdout.isTTY ? host.stdout.columns || 80 : Infinity
  const lines = modes.flatMap(({ name, summary }) =>
    wrapStyled(summary, columns, { first: name.padEnd(width), rest: ' '.repeat(width) }),
  )
  await streamWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
  return 0
}

export async function describeMode(name: string, host: Host): Promise<number> {
  const { summary, inputs, plan } = findMode(name)
  const rows = plan({ changed: [], patterns: builtInPack })
  const steps = rows.map((row) => `  ${row.id.padEnd(12)}${row.op.padEnd(17)}${row.purpose}\n`)
  await streamWriter(host.stdout)(
    `${name}: ${summary}\ninputs: ${inputs.join(' ')}\n${steps.join('')}`,
  )
  return 0
}

function findMode(name: string | undefined): Mode {
  if (name === undefined) throw usageError(`missing mode: pass one of ${modeNames.join(', ')}`)
  const mode = modes.find((each) => each.name === name)
  if (mode === undefined) throw usageError(`unknown mode '${name}' (${modeNames.join(', ')})`)
  return mode
}

function parseLanguage(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const language = languageOf(name)
  if (language === undefined) {
    throw usageError(`unknown language '${name}' (${languageNames.join(', ')})`)
  }
  return language
}

async function changedFor(mode: Mode, options: PlanOptions, host: Host): Promise<ChangedFile[]> {
  const { git, run, gitRoot, root = '.', base, head } = options
  const named = options.changed.map((file) => ({ path: file, hunks: [] }))
  if (!git && (base !== undefined || head !== undefined)) {
    throw usageError('--base and --head need --git')
  }
  const folder = path.resolve(host.cwd, gitRoot ?? root)
  if (git) return [...named, ...(await changedFiles({ folder, base, head, env: host.env }))]
  // A review that runs needs files; without any it takes the uncommitted changes, if there is a repository.
  if (!run || mode.name !== 'pr-review' || named.length > 0) return named
  return changedFiles({ folder, base, head, env: host.env }).catch(() => [])
}

function formatPlan(rows: readonly PlanRow[], format: string): string {
  if (format === 'json') return `${JSON.stringify(rows, null, 2)}\n`
  const line = (row: PlanRow): string =>
    format === 'text'
      ? `${row.id}  ${row.op} ${asciiJson(row.args)}\n    ${row.purpose}\n`
      : `${asciiJson(row)}\n`
  return rows.map(line).join('')
}
