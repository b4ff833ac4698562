// The default settings. A start without a configuration file loads these alone: loading the schema costs
// several milliseconds.

export const configDefaults = {
  model: 'claude-haiku-4-5',
  tool_timeout_secs: 600,
  answer_timeout_secs: 1800,
  permission: 'allow',
  secrets: 'hide',
  stream: true,
} as const

/** The maximum of integer settings: unsigned 32-bit. */
export const maxCount = 2 ** 32 - 1
