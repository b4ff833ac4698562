// Commands that the user writes as Markdown files: `NAME.md` becomes `:NAME args` in a chat. The text of
// the file is the prompt; `$ARGUMENTS` and `$1` to `$9` are replaced by the arguments.
import { readGuidanceFile, userContainer } from '@zee/agent'
import { parseFrontMatter } from '@zee/agent/skills'
import { oneLine } from '@zee/core/errors'
import { readdirSync } from 'node:fs'
import path from 'node:path'

export interface PromptCommand {
  name: string
  /** From the front matter; may be empty. */
  description: string
  path: string
  /** The prompt of the command with these arguments. */
  expand(argumentText: string): string
}

export interface CommandPlaces {
  base: string
  /** The canonical path of the project. */
  project: string
  home: string | undefined
}

/** By name. A command of the user wins over one of the project. */
export function loadPromptCommands(places: CommandPlaces): Map<string, PromptCommand> {
  const { base, project, home } = places
  const folders = [
    { folder: path.join(base, 'commands'), container: userContainer(base, home) },
    { folder: path.join(project, '.agents/commands'), container: project },
  ]
  const commands = new Map<string, PromptCommand>()
  for (const { folder, container } of folders) {
    for (const file of markdownFiles(folder)) {
      const name = file.slice(0, -'.md'.length)
      const command = commands.has(name)
        ? undefined
        : readCommand(name, path.join(folder, file), container)
      if (command !== undefined) commands.set(name, command)
    }
  }
  return commands
}

function markdownFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[A-Za-z0-9][\w-]*\.md$/.test(name))
      .sort()
  } catch {
    return []
  }
}

function readCommand(name: string, file: string, container: string): PromptCommand | undefined {
  const read = readGuidanceFile(file, container)
  if (typeof read === 'string') return undefined
  const matter = parseFrontMatter(read.text)
  const template = (matter?.body ?? read.text).trim()
  if (template === '') return undefined
  const description = oneLine(matter?.values.get('description') ?? '')
  const expand = (argumentText: string) => expandTemplate(template, argumentText)
  return { name, description, path: file, expand }
}

/** The prompt; arguments that the template does not use follow it. */
export function expandTemplate(template: string, argumentText: string): string {
  const words = splitArguments(argumentText)
  let isUsed = false
  const prompt = template.replace(/\$(ARGUMENTS\b|[1-9])/g, (_whole, name: string) => {
    isUsed = true
    return name === 'ARGUMENTS' ? argumentText : (words[Number(name) - 1] ?? '')
  })
  return isUsed || argumentText === '' ? prompt : `${prompt}\n\n${argumentText}`
}

/** Words separated by white space; quotes keep a word together. */
function splitArguments(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}
