// `zcl query`: updates the cache, runs the SELECT, and writes the result to stdout or to a file.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fillFileAtomic } from '@zee/core/atomic-file'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { outRootFor } from '../config/config.ts'
import { printJson, printLines, Progress } from '../output/output.ts'
import { zclError } from '../errors/errors.ts'
import { answerText, type TextForm } from './answer-text.ts'
import { runSelect, asQueryError, type SelectOptions } from './run-select.ts'
import { cacheFolder, currentTables, type CachedTables } from './cache/cache.ts'
import { loadDuckDB, type DuckDB } from './duckdb.ts'
import type { QueryFormat } from './query.ts'

export interface QueryOptions {
  format: string | undefined
  out: string | undefined
  rebuild: boolean
  outRoot: string | undefined
  json: boolean
}

export async function runQuery(sql: string, options: QueryOptions, host: Host): Promise<number> {
  const format = chooseFormat(options)
  if (sql.trim() === '') throw zclError('ZCL_E_USAGE', 'the query is empty; give one SELECT')
  const { absolute } = await outRootFor(host, options.outRoot)
  const duckdb = loadDuckDB()
  const tables = (rebuild: boolean) => updateTables(absolute, duckdb, rebuild, host)
  const cached = await tables(options.rebuild)
  const written = { pieces: 0 }
  try {
    await writeAnswer({ duckdb, sql, cached }, format, options, host, written)
  } catch (error) {
    if (written.pieces > 0 || !isCacheError(error, absolute)) throw error
    // A cache file was removed, or damaged without a change of its size and times.
    await writeAnswer({ duckdb, sql, cached: await tables(true) }, format, options, host, written)
  }
  return 0
}

function chooseFormat({ format, out, json }: QueryOptions): QueryFormat {
  if (format === 'parquet' && out === undefined) {
    throw zclError('ZCL_E_USAGE', '--format parquet needs --out <file>')
  }
  if (json && out === undefined && format !== undefined && format !== 'json') {
    const message = `--json and --format ${format} both write to stdout; drop one of them or add --out`
    throw zclError('ZCL_E_USAGE', message)
  }
  return (format ?? (json ? 'json' : 'table')) as QueryFormat
}

async function updateTables(
  outRoot: string,
  duckdb: DuckDB,
  rebuild: boolean,
  host: Host,
): Promise<CachedTables> {
  const progress = new Progress(host)
  try {
    return await currentTables({
      outRoot,
      duckdb,
      rebuild,
      nowMs: host.clock.now().getTime(),
      onRun: (done, total) =>
        progress.show(host.clock.monotonicMs(), `read ${done} of ${total} changed runs`),
    })
  } finally {
    progress.end()
  }
}

function isCacheError(error: unknown, outRoot: string): boolean {
  if (!(error instanceof ZeeError) || error.code !== 'ZCL_E_QUERY') return false
  const { message } = error.cause instanceof Error ? error.cause : error
  return message.includes(cacheFolder(outRoot))
}

async function writeAnswer(
  question: SelectOptions,
  format: QueryFormat,
  { out, json }: QueryOptions,
  host: Host,
  written: { pieces: number },
): Promise<void> {
  if (out === undefined) {
    const form = json && format === 'json' ? 'document' : (format as TextForm)
    const write = terminalSafeWriter(host.stdout)
    await runSelect(question, (result) =>
      asQueryError(question.sql, async () => {
        for await (const piece of answerText(question.duckdb, result, form, widthOf(host))) {
          written.pieces++
          await write(piece)
        }
      }),
    )
    return
  }
  await fillFileAtomic(path.resolve(host.cwd, out), (temp) =>
    writeAnswerFile(question, format, temp),
  )
  if (json) printJson(host, { ok: true, format, path: out })
  else printLines(host, [`${out} written`])
}

/** A table is cut only for a terminal. */
function widthOf({ stdout }: Host): number {
  return stdout.isTTY === true ? stdout.columns || 80 : Number.POSITIVE_INFINITY
}

async function writeAnswerFile(
  question: SelectOptions,
  format: QueryFormat,
  file: string,
): Promise<void> {
  if (format === 'parquet') return runSelect({ ...question, parquet: file }, async () => {})
  await runSelect(question, (result) =>
    asQueryError(question.sql, () =>
      writeFile(file, answerText(question.duckdb, result, format), { flag: 'wx' }),
    ),
  )
}
