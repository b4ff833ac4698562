// Converts rows of CSV to a Parquet file with DuckDB.
import { promises } from 'node:fs'
import { fillFileAtomic, writeFileAtomic } from '@zee/core/atomic-file'
import { loadDuckDB, sqlText } from './duckdb.ts'

export async function writeParquetRows(
  rows: AsyncIterable<string | Uint8Array>,
  file: string,
): Promise<void> {
  const duckdb = loadDuckDB()
  await fillFileAtomic(file, async (temp) => {
    const csv = `${temp}.csv`
    try {
      await writeFileAtomic(csv, rows, { durable: false })
      const instance = await duckdb.DuckDBInstance.create(':memory:', {
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
      })
      const connection = await instance.connect()
      try {
        const from = `read_csv(${sqlText(csv)}, header = true, quote = '"', escape = '"')`
        await connection.run(`COPY (SELECT * FROM ${from}) TO ${sqlText(temp)} (FORMAT parquet)`)
      } finally {
        connection.closeSync()
        instance.closeSync()
      }
    } finally {
      await promises.rm(csv, { force: true })
    }
  })
}
