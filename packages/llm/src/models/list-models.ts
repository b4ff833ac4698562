// Lists the models of an endpoint.
import { hideSecret, ModelError, parseError } from '../errors/errors.ts'
import { asList, asRecord, asString } from '../json/json.ts'
import { resolveBaseUrl, findApiKey, type ProviderRow } from '../providers/providers.ts'
import {
  endpointUrl,
  loadTransport,
  readResponseText,
  type Environment,
} from '../transport/transport.ts'
import { loadWire } from '../wires/wires.ts'

export interface ListOptions {
  row: ProviderRow
  environment: Environment
  baseUrl?: string
  key?: string
  signal: AbortSignal
  userAgent?: string
}

const maxListBytes = 8 * 1024 * 1024

/** Model names in the server's order; throws a `ModelError` if the response holds no list. */
export async function listModels(options: ListOptions): Promise<string[]> {
  const { row, environment, signal } = options
  if (row.wire === 'script') return []
  const [transport, wire] = await Promise.all([loadTransport({ environment }), loadWire(row.wire)])
  const key = findApiKey(row, environment, options.key)
  try {
    const url = endpointUrl(resolveBaseUrl(row, environment, options.baseUrl), wire.modelsPath)
    const headers = {
      ...wire.headers(key),
      accept: 'application/json',
      'user-agent': options.userAgent ?? 'zee',
    }
    const response = await transport.send({ method: 'GET', url, headers, signal })
    return parseModelNames(await readResponseText(response, maxListBytes))
  } catch (error) {
    throw error instanceof ModelError ? hideSecret(error, key) : error
  } finally {
    transport.close()
  }
}

function parseModelNames(text: string): string[] {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw parseError('The list of models is not JSON', text)
  }
  const object = asRecord(answer)
  const list = object?.data ?? object?.models
  if (!Array.isArray(list)) throw parseError('The answer holds no list of models', text)
  return asList(list).flatMap((item) => {
    const model = asRecord(item)
    const name = asString(model?.id) ?? asString(model?.name)
    return name === undefined ? [] : [name.replace(/^models\//, '')]
  })
}
