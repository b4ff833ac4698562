// The output formats of `zcl query`. The command tree loads this file.
export const queryFormats = ['table', 'json', 'csv', 'md', 'parquet'] as const
export type QueryFormat = (typeof queryFormats)[number]

/** Writes rows of CSV as a Parquet file; loads DuckDB. */
export async function writeParquet(
  rows: AsyncIterable<string | Uint8Array>,
  file: string,
): Promise<void> {
  const { writeParquetRows } = await import('./parquet.ts')
  await writeParquetRows(rows, file)
}
