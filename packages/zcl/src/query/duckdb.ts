// Loads DuckDB, the optional package that runs `zcl query`. It is resolved from zcl's own folder only, so
// that a project cannot make zcl load its code.
import { createRequire } from 'node:module'
import type * as DuckDBModule from '@duckdb/node-api'
import { ZeeError, reasonOf } from '@zee/core/errors'

export type DuckDB = typeof DuckDBModule
export type Connection = DuckDBModule.DuckDBConnection

const name = '@duckdb/node-api'
/** The version that zcl is tested with. */
const version = '1.5.5-r.5'

export function loadDuckDB(): DuckDB {
  try {
    return createRequire(__filename)(name) as DuckDB
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    const what = isAbsent ? 'which is not installed' : `which cannot be loaded (${reasonOf(error)})`
    const message = `zcl query needs the package ${name}, ${what}; where zcl is installed, run: npm install ${name}@${version}`
    throw new ZeeError('ZCL_E_QUERY', message, { exitCode: 1, cause: error })
  }
}

/** An SQL string literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A quoted SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
