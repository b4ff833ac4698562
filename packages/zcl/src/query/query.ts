// The forms in which a query answers.
export const queryFormats = ['table', 'json', 'csv', 'parquet'] as const
export type QueryFormat = (typeof queryFormats)[number]
