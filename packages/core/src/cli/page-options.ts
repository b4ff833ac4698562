// The options of every command that makes a page: `zdx view`, `zeno view` and `zcl view`.
import type { OptionTable } from './tree.ts'

export const pageOptions = {
  out: {
    flags: '--out <file>',
    summary: 'write the page to this file; - for standard output',
    complete: 'file',
  },
  serve: { flags: '--serve', summary: 'serve the page on 127.0.0.1 and keep it up to date' },
  open: { flags: '--open', summary: 'open the page in a browser' },
} as const satisfies OptionTable
