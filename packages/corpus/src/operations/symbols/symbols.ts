// The operations on symbols. Loaded lazily: the scanners are large and most clients never need them.
export { extractSymbols } from './extract.ts'
export type { SymbolsArgs, SymbolsResult } from './extract.ts'
export { references } from './references.ts'
export type { Reference, ReferencesArgs, ReferencesResult } from './references.ts'
export { treeSymbols } from './tree.ts'
export type { TreeSymbol, TreeSymbolsArgs, TreeSymbolsResult } from './tree.ts'
