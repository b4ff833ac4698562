// Who may use a server: the tokens of a file of `--tokens`, and the roots that each of them opens.
import path from 'node:path'
import { defineConfig, setting } from '@zee/core/config'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { assertPrivateFile, isSameToken } from '@zee/core/http-guard'
import * as z from 'zod/mini'
import { asUsageError, readServerFile } from '../server-file/server-file.ts'
import type { Service } from '../service/service.ts'

export interface Client {
  /** Number of the token in its file, from 1. */
  number: number
  /** Names of the roots that it may read; undefined for all. */
  roots: readonly string[] | undefined
}

export interface Access {
  /** The client of a token; undefined if no row has it. */
  clientOf(token: string): Client | undefined
}

interface TokenRow extends Client {
  token: string
}

const tokenRow = z.object({
  token: setting(z.string().check(z.minLength(1, { error: 'must not be empty' })), {
    description: 'The secret that a client sends.',
    secret: true,
  }),
  roots: setting(z.optional(z.array(z.string())), {
    description: 'Names of the roots that the client may read; all by default.',
  }),
})

const tokensFile = defineConfig({
  program: 'zeno',
  title: 'Tokens of a zeno server.',
  format: 'toml',
  unknownKeys: 'error',
  schema: z.object({
    tokens: setting(z.array(tokenRow), { description: 'One row for each client.', secret: true }),
  }),
})

/** Reads a file of tokens, which must be private. `names` are those of the server's roots; undefined if any may come. */
export async function openAccess(
  file: string,
  names: readonly string[] | undefined,
  host: Pick<Host, 'cwd'>,
): Promise<Access> {
  const absolute = path.resolve(host.cwd, file)
  const rows = await asUsageError(() => readRows(absolute, names))
  return {
    clientOf(token) {
      let found: Client | undefined
      // Every row is compared, so that the time says nothing about the row.
      for (const row of rows) if (isSameToken(token, row.token)) found ??= row
      return found
    },
  }
}

async function readRows(file: string, names: readonly string[] | undefined): Promise<TokenRow[]> {
  await assertPrivateFile(file)
  const { tokens } = await readServerFile(tokensFile, file)
  const rows = tokens.map(({ token, roots }, index): TokenRow => {
    const number = index + 1
    const unknown = names && roots?.find((name) => !names.includes(name))
    if (unknown === undefined) return { number, token, roots }
    throw usageError(`${oneLine(file)}: token ${number}: unknown root: ${oneLine(unknown)}`)
  })
  if (rows.length === 0) throw usageError(`${oneLine(file)} has no tokens`)
  if (new Set(rows.map(({ token }) => token)).size < rows.length) {
    throw usageError(`${oneLine(file)}: two rows have the same token`)
  }
  return rows
}

/** A service whose requests carry their token in the field `token`. */
export function withTokens(access: Access, newService: (client: Client) => Service): Service {
  const services = new Map<number, Service>()
  return {
    answer(request, signal) {
      const token = 'token' in request ? request.token : undefined
      const client = token === undefined ? undefined : access.clientOf(token)
      if (client === undefined) return refused(request, token === undefined)
      const service = services.get(client.number) ?? newService(client)
      services.set(client.number, service)
      return service.answer(request, signal)
    },
  }
}

type Request = Parameters<Service['answer']>[0]

async function refused({ id }: Request, isMissing: boolean): ReturnType<Service['answer']> {
  const message = isMissing ? 'missing token' : 'unknown token'
  const outcome = { ok: false as const, error: { message } }
  const json = JSON.stringify({ id, ...outcome })
  return { outcome, json, pieces: [json], writeTrace: () => {} }
}
