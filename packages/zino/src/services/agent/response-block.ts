// What the model is told about an execution, and the block that carries it in the text.
import type { Message } from '../../wire/wire.ts'
import type { BlockTag } from './stream-parser.ts'

/** stdout, stderr and a bad exit code, as far as there is any of them. */
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

/** The block behind a call. Output cannot close it early and pass for text of the model. */
export function responseBlock(tag: BlockTag, text: string): string {
  const name = tag === 'task' ? 'task_response' : 'tool_response'
  const safe = text.replaceAll(`</${name}>`, `<\\/${name}>`)
  return `\n<${name}>\n${safe}\n</${name}>\n`
}
