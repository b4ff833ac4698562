// `zeno skill`: writes the skill and registers the MCP server for an agent, and takes both back.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import {
  leadsOut,
  readIfExists,
  removeSettings,
  requireInside,
  writeSettings,
  type PlannedChange,
} from '@zee/core/settings'
import { agents } from './agents.ts'
import type { AgentRow } from './agents.ts'
import { alreadyRegistered, register, unregister } from './registration.ts'
import { skillText } from './text.ts'

export interface SkillOptions {
  for?: string | undefined
  user: boolean
  print: boolean
  json: boolean
}

interface Place {
  agent: AgentRow
  base: string
  skill: string
  config: string
}

export async function runSkillInstall(options: SkillOptions, host: Host): Promise<number> {
  const lines: string[] = []
  const places = placesInside(options, host)
  if (options.json) {
    lines.push(...planLines(places, requiredInstall))
  } else if (options.print) {
    for (const place of places) lines.push(...printed(place))
  } else {
    // Reads every file: one that cannot be read fails before another is written.
    for (const place of places) plannedInstall(place)
    for (const place of places) lines.push(await installSkill(place), await installServer(place))
  }
  await terminalSafeWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
  return 0
}

export async function runSkillUninstall(options: SkillOptions, host: Host): Promise<number> {
  const lines: string[] = []
  const all = placesOf(options, host)
  // Nothing was written through a link that leads out of the project.
  const places = all.filter((place) => !isOutside(place))
  if (options.json) {
    lines.push(...planLines(places, plannedUninstall))
  } else {
    for (const place of places) lines.push(uninstallSkill(place), await uninstallServer(place))
    for (const { agent, base } of all.filter(isOutside)) {
      lines.push(`skipped ${agent.name}: a link leads out of ${oneLine(base)}`)
    }
  }
  await terminalSafeWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
  return 0
}

/** The named agent, or those that are used here; without any, the common place of all agents. */
function placesOf({ for: name, user }: SkillOptions, host: Host): Place[] {
  const home = host.env.HOME
  if (user && (home === undefined || !path.isAbsolute(home))) throw usageError('HOME is not set')
  const base = user ? (home as string) : host.cwd
  const used = agents.filter(({ mark }) => existsSync(path.join(base, mark)))
  const common = agents.filter((agent) => agent.name === 'agents')
  const chosen = name === undefined ? used : agents.filter((agent) => agent.name === name)
  return (chosen.length === 0 ? common : chosen).map((agent) => {
    const skill = path.join(base, agent.skills, 'zeno/SKILL.md')
    const config = path.join(base, user ? (agent.homeConfig ?? agent.config) : agent.config)
    return { agent, base, skill, config }
  })
}

/** A link that leads out of the project fails before a file is read. */
function placesInside(options: SkillOptions, host: Host): Place[] {
  const places = placesOf(options, host)
  for (const { base, skill, config } of places) requireInside(base, [skill, config])
  return places
}

function isOutside({ base, skill, config }: Place): boolean {
  return leadsOut(base, skill) || leadsOut(base, config)
}

/** The changes as JSON lines. */
function planLines(places: readonly Place[], planned: (place: Place) => PlannedChange[]): string[] {
  return places.flatMap(planned).map((change) => JSON.stringify(change))
}

/** Fails if the server cannot be registered: `zee setup` then writes nothing. */
function requiredInstall(place: Place): PlannedChange[] {
  const edit = register(readIfExists(place.config), place.agent.form)
  if ('unchanged' in edit && edit.unchanged !== alreadyRegistered) {
    throw new ZeeError('not_registered', `${oneLine(place.config)} ${edit.unchanged}`)
  }
  return plannedInstall(place)
}

function plannedInstall({ agent, skill, config }: Place): PlannedChange[] {
  const edit = register(readIfExists(config), agent.form)
  const changes = [plannedChange(skill, skillText)]
  if ('text' in edit) changes.push(plannedChange(config, edit.text))
  return changes.filter(({ before, after }) => before !== after)
}

function plannedUninstall({ agent, skill, config }: Place): PlannedChange[] {
  const changes = readIfExists(skill) === skillText ? [plannedChange(skill, null)] : []
  const edit = unregister(readIfExists(config) ?? '', agent.form)
  if ('text' in edit) changes.push(plannedChange(config, edit.text))
  return changes
}

function plannedChange(file: string, after: string | null): PlannedChange {
  return { path: file, before: readIfExists(file) ?? null, after }
}

function printed({ agent, skill, config }: Place): string[] {
  const edit = register(readIfExists(config), agent.form)
  const server = 'text' in edit ? edit.text : `(${edit.unchanged})\n`
  return [`# ${oneLine(skill)}`, skillText, `# ${oneLine(config)}`, server]
}

async function installSkill({ skill }: Place): Promise<string> {
  const existing = readIfExists(skill)
  if (existing === skillText) return `unchanged ${oneLine(skill)}`
  if (existing !== undefined && !existing.includes('\nname: zeno\n')) {
    throw new ZeeError('exists', `${oneLine(skill)} exists and is not the skill of zeno`)
  }
  await writeSettings(skill, skillText)
  return `wrote ${oneLine(skill)}`
}

async function installServer({ agent, config }: Place): Promise<string> {
  const edit = register(readIfExists(config), agent.form)
  if ('unchanged' in edit) return `unchanged ${oneLine(config)}: ${edit.unchanged}`
  await writeSettings(config, edit.text)
  return `registered the MCP server in ${oneLine(config)}`
}

function uninstallSkill({ skill, base }: Place): string {
  const existing = readIfExists(skill)
  if (existing === undefined) return `no ${oneLine(skill)}`
  if (existing !== skillText) return `kept ${oneLine(skill)}: it was edited`
  removeSettings(skill, base)
  return `removed ${oneLine(skill)}`
}

async function uninstallServer({ agent, config, base }: Place): Promise<string> {
  const existing = readIfExists(config)
  if (existing === undefined) return `no ${oneLine(config)}`
  const edit = unregister(existing, agent.form)
  if ('unchanged' in edit) return `unchanged ${oneLine(config)}: ${edit.unchanged}`
  if (edit.text === null) {
    removeSettings(config, base)
    return `removed ${oneLine(config)}`
  }
  await writeSettings(config, edit.text)
  return `removed the MCP server from ${oneLine(config)}`
}
