// What git knows of a tree: the files it ignores.
export { isIgnored, readIgnoreRules } from './gitignore.ts'
export type { IgnoreRules } from './gitignore.ts'
