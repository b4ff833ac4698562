// Three definitions modelled on the programs, and a folder for config files, for the tests of config.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { defineConfig, section, setting } from './config.ts'

/** A folder in which every written file gets a new path. */
export function configFolder(): {
  folder: string
  write(text: string | Uint8Array, name?: string): string
  remove(): void
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-config-'))
  let count = 0
  return {
    folder,
    write(text, name = 'config.toml') {
      const folderOfFile = path.join(folder, String(count++))
      mkdirSync(folderOfFile)
      writeFileSync(path.join(folderOfFile, name), text)
      return path.join(folderOfFile, name)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Flat TOML with custom headings, as in zdx. */
export const flat = defineConfig({
  program: 'flat',
  title: 'flat configuration',
  format: 'toml',
  unknownKeys: 'warn',
  headings: {
    unreadable: (path) => `Failed to read config from ${path}`,
    invalid: (path) => `Failed to parse config from ${path}`,
  },
  schema: z.object({
    model: setting(z._default(z.string(), 'small'), { description: 'Model that answers.' }),
    max_tokens: setting(z._default(z.uint32(), 1024), { description: 'Longest answer.' }),
    tool_timeout_secs: setting(z._default(z.uint32(), 30), { description: '0 means no limit.' }),
    system_prompt: setting(z.optional(z.string()), {
      description: 'Text sent first.',
      example: 'Be brief.',
    }),
    base_url: setting(z.optional(z.url()), {
      description: 'Another server.',
      example: 'http://localhost:8080',
    }),
  }),
})

/** TOML with sections, a secret and an array of tables, as in zino. */
export const sectioned = defineConfig({
  program: 'sectioned',
  title: 'sectioned configuration',
  format: 'toml',
  unknownKeys: 'warn',
  schema: z.object({
    api: section(
      {
        base_url: setting(z._default(z.string(), 'https://example.org/v1'), {
          description: 'Where the model is.',
        }),
        key: setting(z._default(z.string(), ''), { description: 'API key.', secret: true }),
      },
      { description: 'The model server.' },
    ),
    agent: section(
      {
        temperature: setting(z._default(z.number().check(z.minimum(0), z.maximum(2)), 1), {
          description: 'From 0 to 2.',
        }),
        max_iterations: setting(z.optional(z.int().check(z.positive())), {
          description: 'Shown to the model.',
          example: 5,
        }),
      },
      { description: 'The loop.' },
    ),
    rtr: section(
      {
        socket: setting(z._default(z.string(), '/run/rtr.sock'), {
          description: 'Where it listens.',
        }),
        streaming: setting(z._default(z.boolean(), true), { description: 'Pieces as they come.' }),
        fallback: setting(
          z._default(
            z.array(
              z.object({
                base_url: setting(z.string(), { description: 'Where.' }),
                key: setting(z.optional(z.string()), { description: 'Key.', secret: true }),
              }),
            ),
            [],
          ),
          {
            description: 'Servers to try next.',
            example: [{ base_url: 'http://localhost:1' }, { base_url: 'http://localhost:2' }],
          },
        ),
      },
      { description: 'The router.' },
    ),
    logging: section(
      {
        level: setting(z._default(z.enum(['DEBUG', 'INFO', 'WARNING']), 'INFO'), {
          description: 'How much is said.',
        }),
      },
      { description: 'Messages on stderr.' },
    ),
  }),
})

/** JSON from two files, as in zcl. */
export const layered = defineConfig({
  program: 'layered',
  title: 'layered configuration',
  format: 'json',
  unknownKeys: 'ignore',
  schema: z.object({
    schemaVersion: setting(z._default(z.literal(1), 1), { description: 'Version of this file.' }),
    outRoot: setting(z._default(z.string().check(z.minLength(1)), '.out'), {
      description: 'Where everything is written.',
    }),
    redaction: setting(
      z.optional(
        z.object({
          extraRules: setting(
            z._default(
              z
                .array(
                  z.object({
                    id: setting(z.string().check(z.regex(/^[a-z-]+$/, 'must be a kebab-case id')), {
                      description: 'Name.',
                    }),
                    regex: setting(z.string().check(z.maxLength(4096)), { description: 'What.' }),
                  }),
                )
                .check(z.maxLength(128)),
              [],
            ),
            { description: 'Own rules.', example: [{ id: 'a', regex: 'b' }] },
          ),
        }),
      ),
      { description: 'What is hidden.' },
    ),
    runtime: setting(z.optional(z.object({ strategyChain: z.optional(z.array(z.string())) })), {
      description: 'How it runs.',
    }),
  }),
})
