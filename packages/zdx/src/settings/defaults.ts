// The values of a fresh installation. A start without a configuration file needs these alone, and
// not the schema that checks files: loading that costs several milliseconds.

export const configDefaults = {
  model: 'claude-haiku-4-5',
  max_tokens: 1024,
  tool_timeout_secs: 30,
  permission: 'allow',
  stream: true,
} as const

/** The largest count that a setting may have. */
export const maxCount = 2 ** 32 - 1
