// `zcl hooks install` and `uninstall`: let a coding agent record its tool calls inside attempts.
import path from 'node:path'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import {
  editableJson,
  insertJson,
  leadsOut,
  parsePlan,
  readIfExists,
  removeJson,
  removeSettings,
  requireInside,
  restoredJson,
  writeSettings,
  type JsonEdit,
  type PlannedChange,
} from '@zee/core/settings'
import { zclError } from '../errors/errors.ts'
import { readInput } from '../input/input.ts'
import { printLines } from '../output/output.ts'
import { hookRows, type HookRow } from './agents.ts'

export { recordHook } from './record.ts'

export interface HookOptions {
  for: string
  user: boolean
  json: boolean
  given: boolean
}

export async function changeHooks(
  kind: 'install' | 'uninstall',
  options: HookOptions,
  host: Host,
): Promise<number> {
  const row = hookRows.find(({ name }) => name === options.for)
  if (row === undefined) throw usageError(`${options.for} has no hooks`)
  const base = baseFolder(options, host)
  const file = path.join(base, options.user ? (row.homeFile ?? row.file) : row.file)
  // `zee setup` writes nothing if the plan of one program fails.
  if (kind === 'install') requireInside(base, [file])
  const given = options.given ? parsePlan(await readInput(host)) : []
  const planned = given.find((change) => change.path === file)
  const before = planned === undefined ? readInside(base, file) : (planned.after ?? undefined)
  const after = kind === 'install' ? installed(before, row, file) : uninstalled(before, row)
  const change: PlannedChange = { path: file, before: before ?? null, after }
  if (options.json) {
    if (after !== change.before) printLines(host, [JSON.stringify(change)])
    return 0
  }
  const line = await applied(change, kind, base)
  printLines(host, kind === 'install' && row.note !== undefined ? [line, row.note] : [line])
  return 0
}

function readInside(base: string, file: string): string | undefined {
  return leadsOut(base, file) ? undefined : readIfExists(file)
}

function baseFolder({ user }: HookOptions, host: Host): string {
  if (!user) return host.cwd
  const home = host.env.HOME
  if (home === undefined || !path.isAbsolute(home)) throw usageError('HOME is not set')
  return home
}

/** The text with the hooks in it. */
function installed(before: string | undefined, { content }: HookRow, file: string): string {
  if ('text' in content) {
    if (before === undefined || before === content.text) return content.text
    throw zclError('ZCL_E_IO', `${oneLine(file)} exists and was edited: move it away first`)
  }
  // Each insertion goes to the start of its container: the first one comes last.
  return content.insertions.reduceRight(
    (text, insertion) => edited(text, insertJson(text, insertion), file),
    editableJson(before),
  )
}

/** The text without the hooks; null without a file. */
function uninstalled(before: string | undefined, { content }: HookRow): string | null {
  if (before === undefined) return null
  if ('text' in content) return before === content.text ? null : before
  const after = content.insertions.reduce((text, insertion) => {
    const edit = removeJson(text, insertion)
    return 'text' in edit ? edit.text : text
  }, before)
  return after === before ? before : restoredJson(after)
}

function edited(text: string, edit: JsonEdit, file: string): string {
  if ('text' in edit) return edit.text
  if (edit.unchanged === 'already has it') return text
  throw zclError('ZCL_E_IO', `${oneLine(file)} ${edit.unchanged}: add the hooks by hand`)
}

async function applied(
  { path: file, before, after }: PlannedChange,
  kind: 'install' | 'uninstall',
  base: string,
): Promise<string> {
  if (before === after) return `unchanged ${oneLine(file)}`
  if (after === null) {
    removeSettings(file, base)
    return `removed ${oneLine(file)}`
  }
  await writeSettings(file, after)
  if (kind === 'install') return `added zcl's hooks to ${oneLine(file)}`
  return `removed zcl's hooks from ${oneLine(file)}`
}
