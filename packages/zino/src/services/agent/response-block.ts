// Formats an execution result for the model and wraps it into a response block.
import type { Message } from '../../wire/wire.ts'
import type { BlockTag } from './stream-parser.ts'

/** stdout, stderr and a non-zero exit code, as far as present. */
export function resultText(result: Message): string {
  const stdout = typeof result.stdout === 'string' ? result.stdout : ''
  const stderr = typeof result.stderr === 'string' ? result.stderr : ''
  const exitCode = typeof result.exit_code === 'number' ? result.exit_code : 0
  const parts = [
    stdout,
    stderr === '' ? '' : `[stderr]\n${stderr}`,
    exitCode === 0 ? '' : `[exit code: ${exitCode}]`,
  ]
  return parts.filter((part) => part !== '').join('\n') || '(no output)'
}

/** The block after a call. A closing tag in the output is escaped, so it cannot end the block. */
export function responseBlock(tag: BlockTag, text: string): string {
  const name = tag === 'task' ? 'task_response' : 'tool_response'
  const safe = text.replaceAll(`</${name}>`, `<\\/${name}>`)
  return `\n<${name}>\n${safe}\n</${name}>\n`
}
