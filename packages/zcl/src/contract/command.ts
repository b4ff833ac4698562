// `zcl contract`: prints the surface that tools and CI can rely on.
import { everyCommand, type Command } from '@zee/core/command-line'
import type { Host } from '@zee/core/exit'
import { tree } from '../cli/cli.ts'
import { campaignSchema } from '../lab/lab.ts'
import { aligned, colours, printJson, printLines } from '../output/output.ts'
import { describeContract, type CommandDescription } from './contract.ts'

export async function runContract(options: { json: boolean }, host: Host): Promise<number> {
  const contract = describeContract(tree.version, commandDescriptions(), await campaignSchema())
  if (options.json) {
    printJson(host, contract)
    return 0
  }
  const { bold } = colours(host)
  const indented = (rows: string[][]) => aligned(rows).map((row) => `  ${row}`)
  const { artifacts, commands, errors } = contract
  printLines(host, [
    `zcl ${contract.version}, artifact layout 1, trace schema 1`,
    '',
    bold('artifacts'),
    ...indented(artifacts.map((each) => [each.pathPattern, each.requiredFields.join(' ')])),
    '',
    bold('commands'),
    ...indented(commands.map((each) => [each.usage, each.summary])),
    '',
    bold('codes'),
    ...indented(errors.map((each) => [each.code, each.summary])),
  ])
  return 0
}

function commandDescriptions(): CommandDescription[] {
  return [...everyCommand(tree)]
    .filter(({ command, path }) => path.length > 0 && command.run !== undefined)
    .map(({ command, path }) => ({
      id: path.join(' '),
      usage: ['zcl', ...path, ...usageWords(command)].join(' '),
      summary: command.summary,
    }))
}

function usageWords(command: Command): string[] {
  const options = Object.values(command.options).map(({ flags, required, repeatable }) => {
    const long = flags.split(', ').at(-1) ?? flags
    const many = repeatable === true ? '...' : ''
    return required === true ? `${long}${many}` : `[${long}]${many}`
  })
  if (command.usage !== undefined) return [command.usage]
  const words = command.arguments.map(({ name, required, variadic }) => {
    const text = variadic === true ? `${name}...` : name
    return required === true ? `<${text}>` : `[${text}]`
  })
  return [...options, ...words]
}
