// The output formats of `zcl query`. The command tree loads this file.
export const queryFormats = ['table', 'json', 'csv', 'md', 'parquet'] as const
export type QueryFormat = (typeof queryFormats)[number]
