// Parses the data of a stream event, for wires whose events are all JSON objects.
import { parseError } from '../errors/errors.ts'
import { asRecord, jsonErrorReason, type JsonObject } from '../json/json.ts'

export function parseChunk(data: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (error) {
    throw parseError(`Invalid JSON in the stream: ${jsonErrorReason(error)}`, data)
  }
  const chunk = asRecord(value)
  if (chunk === undefined) throw parseError('A stream event is not an object', data)
  return chunk
}
