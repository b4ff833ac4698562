// The flags of `zeno serve` in their plain spelling, read without the command-line parser: a server that
// is started for one question should not pay for it. Anything else is the parser's.

export interface PlainServeFlags {
  root: string
  log?: string
  hash: boolean
}

/** Undefined when the parser has to look: other flags, errors, help. */
export function plainServeFlags(args: readonly string[]): PlainServeFlags | undefined {
  let root: string | undefined
  let log: string | undefined
  let hash = false
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === '--hash') hash = true
    else if (word === '--root' || word === '--log') {
      const value = args[++at]
      if (value === undefined || value === '' || value.startsWith('-')) return undefined
      if (word === '--root') root = value
      else log = value
    } else return undefined
  }
  if (root === undefined) return undefined
  return log === undefined ? { root, hash } : { root, log, hash }
}
