// The schema of ZINO.toml. Defaults, validation, the `zino init` template and the table in the docs
// are generated from it.
import type { ConfigValues } from '@zee/core/config'
import { defineConfig, section, setting } from '@zee/core/config'
import * as z from 'zod/mini'
import type { ConfigDefaults } from './sections/sections.ts'
import {
  agentSection,
  agrSection,
  apiSection,
  channelsSection,
  ctxSection,
  excSection,
  httpSection,
  inboxSection,
  key,
  loggingSection,
  mcpSection,
  memSection,
  path,
  rtrSection,
  socketKey,
  sysSection,
  text,
  tmrSection,
} from './sections/sections.ts'

export type { ConfigDefaults } from './sections/sections.ts'

const systemDefaults: ConfigDefaults = {
  sockets: '/run/zino',
  template: 'SYSTEM.md',
  tools: 'tools',
  skills: 'skills',
  dataDir: 'data/mem',
  usageFile: '',
  logs: '',
  tokenFile: 'data/http-token',
  provider: '',
  baseUrl: '',
  model: '',
  script: '',
}

/** The configuration with these defaults; the keys are always the same. */
export function defineZinoConfig(defaults: ConfigDefaults) {
  return defineConfig({
    program: 'zino',
    title: 'zino: the always-on agent',
    format: 'toml',
    // A ZINO.toml of the original Python zino may hold keys that this version does not use.
    unknownKeys: 'warn',
    schema: z.object({
      api: apiSection(defaults),
      service: section(
        {
          model: key(text, defaults.model, 'Name of the model'),
          max_tokens: setting(z.optional(z.int().check(z.positive())), {
            description: "Maximum number of tokens of one answer; absent: the model's maximum",
            example: 8192,
          }),
          answer_timeout_secs: key(
            z.number().check(z.positive()),
            1800,
            'Seconds that one answer of the model may take',
          ),
        },
        { description: 'The model' },
      ),
      agent: agentSection,
      daemon: section(
        { socket: socketKey(defaults, 'daemon') },
        { description: 'The entry point for clients' },
      ),
      sys: sysSection(defaults),
      rtr: rtrSection(defaults),
      exc: excSection(defaults),
      mem: memSection(defaults),
      ctx: ctxSection(defaults),
      agr: agrSection(defaults),
      channels: channelsSection,
      tmr: tmrSection,
      inbox: inboxSection,
      tools: section(
        { dir: key(path, defaults.tools, 'Folder of tool definitions') },
        { description: 'Tools' },
      ),
      skills: section(
        { dir: key(path, defaults.skills, 'Folder of skill definitions') },
        { description: 'Skills' },
      ),
      mcp: mcpSection,
      http: httpSection(defaults),
      logging: loggingSection(defaults),
    }),
  })
}

export const zinoConfig = defineZinoConfig(systemDefaults)

export type ZinoConfig = ConfigValues<typeof zinoConfig.schema>
