// JSON Schema cut down to what Gemini accepts in a function declaration: unknown keys (`default`,
// `$schema`, `additionalProperties` and many more) make it refuse the whole request.
import { asList, asRecord, asString, type JsonObject } from '../json.ts'

const KEPT = new Set([
  'title',
  'description',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'required',
])

const FORMATS = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double'])

export function geminiSchema(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => KEPT.has(key))
  return {
    ...typeOf(schema),
    ...Object.fromEntries(kept),
    ...(FORMATS.has(String(schema.format)) ? { format: schema.format } : {}),
    ...enumOf(schema),
    ...partsOf(schema),
  }
}

/** `["string", "null"]` is said as `nullable`. */
function typeOf({ type }: JsonObject): JsonObject {
  if (!Array.isArray(type)) return type === undefined ? {} : { type }
  const types = type.filter((name) => name !== 'null')
  const nullable = types.length < type.length ? { nullable: true } : {}
  return types.length === 1 ? { type: types[0], ...nullable } : nullable
}

/** Only strings can be enumerated. */
function enumOf(schema: JsonObject): JsonObject {
  const values = schema.const === undefined ? asList(schema.enum) : [schema.const]
  const texts = values.filter((value) => asString(value) !== undefined)
  if (texts.length === 0 || texts.length < values.length) return {}
  return { type: 'string', enum: texts }
}

function partsOf(schema: JsonObject): JsonObject {
  const properties = asRecord(schema.properties)
  const items = asRecord(schema.items)
  const choices = [...asList(schema.anyOf), ...asList(schema.oneOf)].flatMap((choice) => {
    const option = asRecord(choice)
    return option === undefined ? [] : [geminiSchema(option)]
  })
  return {
    ...(properties === undefined ? {} : { properties: eachSchema(properties) }),
    ...(items === undefined ? {} : { items: geminiSchema(items) }),
    ...(choices.length > 0 ? { anyOf: choices } : {}),
  }
}

function eachSchema(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, geminiSchema(asRecord(inner) ?? {})]),
  )
}
