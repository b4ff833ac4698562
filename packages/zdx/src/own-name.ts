// How zdx calls itself to servers and editors.
import { tree } from './commands.ts'

export const ownName = { name: tree.name, version: tree.version }
