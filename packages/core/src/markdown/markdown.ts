// Markdown for terminals. Load this module on terminals only: it loads marked and highlight.js.

export { codeLines, type CodeColour } from './highlight.ts'
export type { MarkdownOptions } from './stream.ts'
export { MarkdownStream } from './stream.ts'
export { MarkdownWriter } from './writer.ts'
