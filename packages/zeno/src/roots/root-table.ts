// The roots of a server, from `--root` options or from a file of `--roots`.
import path from 'node:path'
import { defineConfig, setting } from '@zee/core/config'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import * as z from 'zod/mini'
import type { RootChoice } from '../engine/engine.ts'
import { readServerFile } from '../server-file/server-file.ts'

export interface RootRow {
  name: string
  /** Absolute. */
  path: string
  /** Globs of the only files that are served. */
  allow: readonly string[] | undefined
}

const rootSection = z.object({
  path: setting(z.string().check(z.minLength(1, { error: 'must not be empty' })), {
    description: 'The folder or single file; a relative path starts at the folder of this file.',
  }),
  allow: setting(z.optional(z.array(z.string())), {
    description: 'Globs of the only files that are served; all by default.',
  }),
})

const rootsFile = defineConfig({
  program: 'zeno',
  title: 'Roots of a zeno server.',
  format: 'toml',
  unknownKeys: 'error',
  schema: z.object({
    roots: setting(z.record(z.string(), rootSection), { description: 'The roots by name.' }),
  }),
})

const maxNameChars = 200

/** Rows in the order of the options, then of the file. Throws a usage error if two have the same name. */
export async function readRootTable(
  { paths, file }: RootChoice,
  host: Pick<Host, 'cwd'>,
): Promise<RootRow[]> {
  const rows = paths.map((each) => optionRow(path.resolve(host.cwd, each)))
  if (file !== undefined) rows.push(...(await fileRows(path.resolve(host.cwd, file))))
  if (rows.length === 0) throw usageError(`${file ?? '--roots'} names no roots`)
  const names = new Set<string>()
  for (const { name } of rows) {
    if (names.has(name)) {
      throw usageError(`two roots are named ${oneLine(name)}: name them in a file of --roots`)
    }
    names.add(name)
  }
  return rows
}

/** An option has no name: the last part of the path is the name. */
function optionRow(root: string): RootRow {
  const name = path.basename(root)
  if (!isName(name)) throw usageError(`--root ${oneLine(root)} needs a name in a file of --roots`)
  return { name, path: root, allow: undefined }
}

async function fileRows(file: string): Promise<RootRow[]> {
  const { roots } = await readServerFile(rootsFile, file)
  return Object.entries(roots).map(([name, { path: root, allow }]) => {
    if (!isName(name)) {
      throw usageError(`${file}: '${oneLine(name)}' cannot name a root: use a name without ':'`)
    }
    return { name, path: path.resolve(path.dirname(file), root), allow }
  })
}

/** A colon ends a name; control characters would break lines. */
function isName(name: string): boolean {
  return name !== '' && name.length <= maxNameChars && !/[:\p{Cc}]/u.test(name)
}
