// Renders a program's command tree, settings and codes as one Markdown page.

/** @import { Command, OptionSpec, Program } from '../packages/core/src/cli/cli.ts' */

/**
 * @param {Program} tree
 * @param {typeof import('./docs-data.ts')} data
 */
export function renderReference(tree, data) {
  const parts = [
    '<!-- Generated from the command tree and the schemas by `npm run docs`; do not edit. -->',
    `# ${tree.name}: reference`,
    `What it is for and how it is used: [${tree.name}](../${tree.name}.md).`,
    ...commandParts(tree, [tree.name]),
    ...settingsParts(tree.name, data),
    ...(tree.name === 'zcl' ? codeParts(data) : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/**
 * @param {Command} command
 * @param {readonly string[]} words
 * @returns {string[]}
 */
function commandParts(command, words) {
  if (command.hidden === true) return []
  const options = Object.values(command.options).filter(({ hidden }) => hidden !== true)
  const isRoot = words.length === 1
  const parts = [`## ${words.join(' ')}`, sentence(command.description ?? command.summary)]
  parts.push(`\`\`\`\n${words.join(' ')} ${usage(command, options)}`.trimEnd() + '\n```')
  if (command.commands.length > 0) {
    const rows = command.commands
      .filter(({ hidden }) => hidden !== true)
      .map(({ name, summary }) => [`\`${[...words, name].join(' ')}\``, summary])
    parts.push(table(['command', 'what it does'], rows))
  }
  if (command.arguments.length > 0) {
    const rows = command.arguments.map((each) => [
      `\`${argument(each)}\``,
      each.summary + choices(each.choices),
    ])
    parts.push(table(['argument', 'meaning'], rows))
  }
  if (options.length > 0) {
    const title = isRoot ? 'option (of every command)' : 'option'
    parts.push(table([title, 'default', 'meaning'], options.map(optionRow)))
  }
  if (command.examples.length > 0) {
    const lines = command.examples.map(({ line, note }) => `# ${note}\n${line}`)
    parts.push(`\`\`\`sh\n${lines.join('\n')}\n\`\`\``)
  }
  return [
    ...parts,
    ...command.commands.flatMap((each) => commandParts(each, [...words, each.name])),
  ]
}

/**
 * @param {Command} command
 * @param {OptionSpec[]} options
 */
function usage(command, options) {
  if (command.usage !== undefined) return command.usage
  return [
    ...(options.length > 0 ? ['[options]'] : []),
    ...command.arguments.map(argument),
    ...(command.commands.length > 0 ? [command.run === undefined ? '<command>' : '[command]'] : []),
  ].join(' ')
}

/** @param {Command['arguments'][number]} argument */
function argument({ name, required, variadic }) {
  const text = `${name}${variadic === true ? '...' : ''}`
  return required === true ? `<${text}>` : `[${text}]`
}

/** @param {OptionSpec} option */
function optionRow(option) {
  const { flags, summary, required, repeatable } = option
  const fallback = option.default === undefined ? '' : `\`${option.default}\``
  const more = repeatable === true ? ' (repeatable)' : ''
  return [
    `\`${flags}\``,
    required === true ? 'required' : fallback,
    summary + choices(option.choices) + more,
  ]
}

/** @param {readonly string[] | undefined} values */
function choices(values) {
  return values === undefined ? '' : ` (${values.map((value) => `\`${value}\``).join(', ')})`
}

/**
 * @param {string} program
 * @param {typeof import('./docs-data.ts')} data
 */
function settingsParts(program, { configs, configFiles, configTable }) {
  if (program !== 'zdx' && program !== 'zino' && program !== 'zcl') return []
  return [
    '## Settings',
    `Keys of \`${configFiles[program]}\`; [JSON Schema](../schemas/${program}-config.json).`,
    configTable(configs[program]).trimEnd(),
  ]
}

/** @param {typeof import('./docs-data.ts')} data */
function codeParts({ everyCode }) {
  const rows = everyCode().map(({ code, summary, retryable }) => [
    `\`${code}\``,
    summary,
    retryable ? 'yes' : 'no',
  ])
  return ['## Codes', table(['code', 'meaning', 'trying again can help'], rows)]
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')
}

/**
 * Escapes `|`, which would end the cell.
 * @param {string} text
 */
function cell(text) {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|')
}

/** @param {string} text */
function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
