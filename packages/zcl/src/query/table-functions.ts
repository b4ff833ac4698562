// The table functions that a query may use: those that produce rows from values or from the catalog.
// All others are refused: they open files, run SQL from a string, or change the database.
import { ZeeError } from '@zee/core/errors'
import { sqlText, type Connection } from './duckdb.ts'

const allowedFunctions: ReadonlySet<string> = new Set([
  'duckdb_columns',
  'duckdb_functions',
  'duckdb_keywords',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
  'generate_series',
  'histogram',
  'histogram_values',
  'json_each',
  'json_tree',
  'pragma_table_info',
  'range',
  'repeat',
  'unnest',
])

/** Throws when the statement, as parsed by the database itself, uses any other function. */
export async function refuseUnsafeFunctions(connection: Connection, sql: string): Promise<void> {
  const parsed = await connection.runAndReadAll(`SELECT json_serialize_sql(${sqlText(sql)})`)
  const text = String(parsed.getRows()[0]?.[0])
  const tree = JSON.parse(text) as { error: boolean; error_message?: string }
  if (tree.error) throw refusal(tree.error_message ?? 'the SQL is not one SELECT')
  for (const name of tableFunctionsIn(tree)) {
    if (allowedFunctions.has(name)) continue
    const rest = 'a query can read the views runs, attempts, calls and findings'
    throw refusal(`the function ${name} is not available here: ${rest}`)
  }
}

interface TableFunction {
  type: 'TABLE_FUNCTION'
  function: { function_name: string }
}

/** Iterative, because user SQL may nest deeper than the call stack. */
function* tableFunctionsIn(tree: unknown): Generator<string> {
  const waiting = [tree]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if (isTableFunction(node)) yield node.function.function_name.toLowerCase()
    for (const inner of Object.values(node)) if (typeof inner === 'object') waiting.push(inner)
  }
}

function isTableFunction(node: object): node is TableFunction {
  return 'type' in node && node.type === 'TABLE_FUNCTION'
}

function refusal(message: string): ZeeError {
  return new ZeeError('ZCL_E_QUERY', message, { exitCode: 2 })
}
