// The forms in which evidence can leave. Loads nothing, so that a command tree can have it.

export const exportFormats = ['otlp-json', 'atif', 'junit', 'csv', 'jsonl'] as const

export type ExportFormat = (typeof exportFormats)[number]
